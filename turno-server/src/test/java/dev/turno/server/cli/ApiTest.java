package dev.turno.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ApiTest {

    @Test
    void a_reason_that_no_header_can_carry_is_written_so_that_the_audit_can_read_it() {
        assertThat(Api.inHeader("the shop is closed: 50 %")).isEqualTo("the shop is closed: 50 %");
        assertThat(Api.inHeader("cerró hasta mañana")).isEqualTo("UTF-8''cerr%C3%B3%20hasta%20ma%C3%B1ana");
        assertThat(Api.inHeader("two\nlines")).isEqualTo("UTF-8''two%0Alines");
    }

    @Test
    void only_what_was_given_is_sent() {
        assertThat(Api.body("type", "bell", "at", null, "sets", List.of("a")))
                .isEqualTo(Map.of("type", "bell", "sets", List.of("a")));
        assertThat(Api.query("q", "a b", "after", null, "limit", 5)).isEqualTo("?q=a%20b&limit=5");
        assertThat(Api.query("q", null)).isEmpty();
    }
}
