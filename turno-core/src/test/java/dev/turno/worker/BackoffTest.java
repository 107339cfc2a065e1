package dev.turno.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {

    @Test
    void it_doubles_up_to_the_longest_and_never_overflows() {
        Backoff backoff = new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0);

        assertThat(backoff.after(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(backoff.after(4)).isEqualTo(Duration.ofSeconds(8));
        assertThat(backoff.after(7)).isEqualTo(Duration.ofMinutes(1));
        assertThat(backoff.after(1_000_000)).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void jitter_only_shortens() {
        Backoff backoff = Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(1));

        for (int i = 0; i < 1_000; i++) {
            assertThat(backoff.after(1)).isBetween(Duration.ofMillis(750), Duration.ofSeconds(1));
        }
    }

    @Test
    void nonsense_is_refused() {
        assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(2), 2, Duration.ofSeconds(1), 0))
                .hasMessageContaining("PT2S");
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, 0.5, Duration.ZERO, 0))
                .hasMessageContaining("0.5");
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, Double.NaN, Duration.ZERO, 0))
                .hasMessageContaining("NaN");
    }
}
