package dev.turno.web.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TookTest {

    private final Took took = new Took();

    private void add(long millis, int times) {
        took.add(Took.name(Duration.ofMillis(millis)), times);
    }

    @Test
    void nothing_took_no_time() {
        assertThat(took.percentile(99)).isZero();
    }

    @Test
    void a_percentile_lies_between_the_bounds_of_those_it_falls_on() {
        add(7, 90);
        add(150, 9);
        add(3_000, 1);

        assertThat(took.percentile(50)).isBetween(5L, 10L);
        assertThat(took.percentile(95)).isBetween(100L, 200L);
        assertThat(took.percentile(99)).isBetween(100L, 200L);
        assertThat(took.percentile(100)).isBetween(2_000L, 5_000L);
    }

    @Test
    void what_took_longer_than_all_bounds_is_among_the_slowest() {
        add(1, 1);
        add(3_600_000, 1);

        assertThat(took.percentile(50)).isBetween(1L, 2L);
        assertThat(took.percentile(99)).isEqualTo(Long.MAX_VALUE);
    }
}
