package dev.turno.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class TextTest {

    private static String bar(String progress) {
        return Text.bar(JsonMapper.shared().readTree(progress)).strip();
    }

    @Test
    void a_bar_shows_how_far_a_run_is() {
        assertThat(bar("{\"completed\":400,\"skipped\":50,\"parked\":50,\"total\":1000,\"perSecond\":12.4}"))
                .isEqualTo("[###############...............]  50 %  500 at 12/s of 1,000");
        assertThat(bar("{\"completed\":1000,\"skipped\":0,\"parked\":0,\"total\":1000,\"perSecond\":0}"))
                .startsWith("[##############################] 100 %");
    }

    @Test
    void without_a_known_end_only_the_count_is_shown() {
        assertThat(bar("{\"completed\":7,\"skipped\":0,\"parked\":0,\"total\":null,\"perSecond\":2}"))
                .isEqualTo("7 at 2/s");
    }
}
