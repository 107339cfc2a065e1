package dev.turno.web.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InputsTest {

    @Test
    void a_duration_is_written_as_iso_8601_or_short() {
        Map<String, Duration> all = Map.of(
                "PT2S", Duration.ofSeconds(2),
                "p1dt12h", Duration.ofHours(36),
                "250ms", Duration.ofMillis(250),
                " 2S ", Duration.ofSeconds(2),
                "1.5s", Duration.ofMillis(1_500),
                "10m", Duration.ofMinutes(10),
                "1h30m", Duration.ofMinutes(90),
                "7d", Duration.ofDays(7));

        assertThat(all)
                .allSatisfy((text, duration) ->
                        assertThat(Inputs.duration("wait", text)).as(text).isEqualTo(duration));
    }

    @Test
    void a_duration_without_a_unit_is_refused_and_not_taken_for_milliseconds() {
        for (String text : List.of("30", "0", "", "s", "ms", "soon", "2 s", "2x", "\ud800", "9".repeat(30) + "s")) {
            assertThatThrownBy(() -> Inputs.duration("wait", text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'wait' is '")
                    .hasMessageContaining("with its unit, such as PT2S");
        }
    }
}
