package dev.turno.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
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

    @Test
    void lists_of_words_have_a_name() {
        JsonNode answer =
                JsonMapper.shared().readTree("{\"formats\":[\"oai_dc\"],\"sets\":[\"a\",\"b\"],\"warnings\":[]}");

        assertThat(Text.fields(answer)).isEqualTo("formats:\n  oai_dc\nsets:\n  a\n  b\nwarnings: []\n");
    }

    @Test
    void lists_within_an_answer_are_tables_and_figures_leave_out_zeros() {
        JsonNode answer = JsonMapper.shared()
                .readTree(
                        "{\"healthy\":true,\"inboxes\":[{\"name\":\"orders\",\"counts\":{\"pending\":3,\"doing\":0}},"
                                + "{\"name\":\"bills\",\"counts\":{\"pending\":0,\"doing\":0}}],\"runs\":{\"done\":4,\"dead\":0}}");

        assertThat(Text.fields(answer))
                .isEqualTo("healthy: true\ninboxes:\n  name    counts\n  orders  pending 3\n  bills\nruns: done 4\n");
    }
}
