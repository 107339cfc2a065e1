package dev.turno.web.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class SearchTest {

    @Test
    void of_an_error_the_first_line_is_shown_whatever_kind_of_thing_has_it() {
        Search.Found found = new Search.Found(
                "buffer", "chats", "+34600000001", "PENDING", Optional.of("the oven is cold\n\tat shop.Oven.bake"));

        assertThat(found.error()).contains("the oven is cold");
    }
}
