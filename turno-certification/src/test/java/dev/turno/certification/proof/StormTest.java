package dev.turno.certification.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A short {@code ./turno chaos --workload certification}; at full length on every database. */
@Isolated // four processes are enough for a machine
class StormTest {

    /** In the first seconds of this one there are a kill and seven other faults. */
    private static final int SEED = Scale.of(143, 1);

    @Test
    void whatever_happens_every_request_is_decided_once_and_everybody_is_told_the_same() throws Exception {
        boolean full = Scale.of(0, 1) == 1;
        for (TestDatabase kind : full ? List.of(TestDatabase.values()) : List.of(TestDatabase.POSTGRESQL)) {
            Storm.Verdict verdict = Storm.run(kind, Duration.ofSeconds(Scale.of(5, 120)), SEED);
            System.out.println("PROOF certification storm " + kind + ": " + verdict);

            assertThat(verdict.isRight()).as("%s", verdict).isTrue();
        }
    }
}
