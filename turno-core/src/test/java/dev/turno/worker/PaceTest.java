package dev.turno.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void slow_handlers_get_one_item_a_thread() {
        Pace pace = new Pace(4, 1_000, 0);

        assertThat(pace.capacity(0)).isEqualTo(4);
        pace.ran();
        assertThat(pace.capacity(SECOND)).isEqualTo(4);
    }

    @Test
    void fast_handlers_get_about_a_seconds_worth_up_to_the_most() {
        Pace pace = new Pace(4, 1_000, 0);
        long now = 0;
        for (int window = 0; window < 20; window++) {
            now += SECOND / 10;
            for (int i = 0; i < 30; i++) {
                pace.ran();
            }
            pace.capacity(now);
        }
        assertThat(pace.capacity(now)).isBetween(290, 300);

        for (int i = 0; i < 100_000; i++) {
            pace.ran();
        }
        assertThat(pace.capacity(now + SECOND / 10)).isEqualTo(1_000);
    }
}
