package dev.turno.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ShareTest {

    private static final Instant NOW = Instant.parse("2026-03-02T10:00:00Z");

    @Test
    void a_peak_is_armed_in_time_although_a_single_task_comes_before_it() {
        Instant single = NOW.plusSeconds(4);
        Instant peak = NOW.plusSeconds(5);
        NavigableMap<Instant, Integer> counts = new TreeMap<>(Map.of(single, 1, peak, 50_000));

        assertThat(Share.nextArming(counts)).contains(peak.minusSeconds(6));
        assertThat(Share.near(counts, NOW)).containsExactly(peak);
        assertThat(Share.near(counts, NOW.plusMillis(3_100))).containsExactlyInAnyOrder(single, peak);
    }

    @Test
    void what_is_far_away_is_not_armed() {
        NavigableMap<Instant, Integer> counts = new TreeMap<>(Map.of(NOW.plusSeconds(11), 1_000_000));

        assertThat(Share.near(counts, NOW)).isEmpty();
        assertThat(Share.nextArming(counts)).contains(NOW.plusSeconds(1));
        assertThat(Share.nextArming(new TreeMap<>())).isEmpty();
    }
}
