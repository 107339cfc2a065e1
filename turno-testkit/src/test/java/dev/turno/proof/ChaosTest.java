package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short {@code ./turno chaos}; at full length on every database. */
@Tag("alone")
class ChaosTest {

    private static final Duration SHORTLY = Duration.ofSeconds(8);
    private static final Duration FULLY = Duration.ofMinutes(5);

    @Test
    void whatever_happens_to_three_processes_and_their_database_nothing_is_lost_or_done_twice() throws Exception {
        if (Scale.isFull()) {
            for (TestDatabase kind : TestDatabase.values()) {
                assertRight(kind, FULLY);
            }
        } else {
            assertRight(TestDatabase.POSTGRESQL, SHORTLY);
        }
    }

    private static void assertRight(TestDatabase kind, Duration time) throws Exception {
        Chaos.Findings findings = Chaos.run(kind, time, 1);
        Figures.say("chaos", kind, findings.toString());

        assertThat(findings.isRight()).as(findings.toString()).isTrue();
        assertThat(findings.items()).isPositive();
    }
}
