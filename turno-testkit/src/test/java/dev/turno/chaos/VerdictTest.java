package dev.turno.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictTest {

    @Test
    void the_bounds_are_the_lease_the_poll_and_a_little_after_a_kill_and_two_leases_after_a_return() {
        assertThat(verdict(waits(4_250), waits(6_000), List.of()).isInTime()).isTrue();
        assertThat(verdict(waits(4_251), waits(6_000), List.of()).isInTime()).isFalse();
        assertThat(verdict(waits(4_250), waits(100, 6_001), List.of()).isInTime())
                .isFalse();
    }

    @Test
    void one_of_hundreds_may_take_as_long_as_a_second_beyond_lease_and_poll() {
        long[] many = new long[300];
        many[299] = 5_000;
        assertThat(verdict(waits(many), List.of(), List.of()).isInTime()).isTrue();
        many[299] = 5_001;
        assertThat(verdict(waits(many), List.of(), List.of()).isInTime()).isFalse();
    }

    @Test
    void what_could_not_be_measured_is_not_called_quick() {
        assertThat(verdict(List.of(), List.of(), List.of("a look was not answered"))
                        .isInTime())
                .isFalse();
        assertThat(verdict(List.of(), List.of(), List.of()).bounds()).isEqualTo("not measured");
    }

    @Test
    void a_build_without_a_rule_is_caught_only_by_what_the_rule_prevents() {
        Findings twice = new Findings("inbox");
        twice.add(Wrong.TWICE, 1);
        Findings stuck = new Findings("inbox");
        stuck.add(Wrong.STUCK, 1);

        assertThat(verdict(List.of(twice), true).isCaughtBy(Wrong.TWICE)).isTrue();
        assertThat(verdict(List.of(stuck), true).isCaughtBy(Wrong.TWICE)).isFalse();
        assertThat(verdict(List.of(twice), false).isCaughtBy(Wrong.TWICE)).isFalse();
    }

    private static List<Recovery.Wait> waits(long... millis) {
        return Arrays.stream(millis)
                .mapToObj(one -> new Recovery.Wait("item", Instant.EPOCH, Duration.ofMillis(one), List.of()))
                .toList();
    }

    private static Verdict verdict(List<Findings> findings, boolean broken) {
        return verdict(findings, broken, List.of(), List.of(), List.of());
    }

    private static Verdict verdict(
            List<Recovery.Wait> afterKills, List<Recovery.Wait> afterDatabase, List<String> unmeasured) {
        return verdict(List.of(), false, afterKills, afterDatabase, unmeasured);
    }

    private static Verdict verdict(
            List<Findings> findings,
            boolean broken,
            List<Recovery.Wait> afterKills,
            List<Recovery.Wait> afterDatabase,
            List<String> unmeasured) {
        ChaosRun.Wish wish = ChaosRun.Wish.of(TestDatabase.H2, List.of(Workload.Kind.INBOX), Duration.ofSeconds(1), 1);
        return new Verdict(
                wish,
                Duration.ofSeconds(1),
                findings,
                Map.of(),
                0,
                broken,
                0,
                0,
                0,
                afterKills,
                afterDatabase,
                unmeasured,
                List.of(),
                List.of());
    }
}
