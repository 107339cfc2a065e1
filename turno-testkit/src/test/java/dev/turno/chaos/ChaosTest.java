package dev.turno.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.testkit.chaos.Fault;
import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short {@code ./turno chaos}; at full length on every database. */
@Tag("alone")
class ChaosTest {

    private static final boolean FULL = "full".equals(System.getProperty("turno.scale"));

    @Test
    void whatever_happens_to_three_processes_and_their_database_nothing_is_lost_or_done_twice() throws Exception {
        for (TestDatabase kind : FULL ? List.of(TestDatabase.values()) : List.of(TestDatabase.POSTGRESQL)) {
            Verdict verdict = ChaosRun.run(
                    ChaosRun.Wish.of(kind, List.of(Workload.Kind.values()), Duration.ofSeconds(FULL ? 300 : 8), 1)
                            .atRate(FULL ? 800 : 400));
            System.out.println("PROOF chaos " + kind + ":\n" + verdict);

            assertThat(verdict.isRight()).as("%s", verdict).isTrue();
            assertThat(verdict.faultCount()).isPositive();
            assertThat(verdict.findings())
                    .allSatisfy(
                            one -> assertThat(one.items()).as(one.workload()).isPositive());
        }
    }

    @Test
    void a_process_that_is_killed_with_its_database_inside_loses_nothing_and_does_nothing_twice() throws Exception {
        Verdict verdict = ChaosRun.run(ChaosRun.Wish.of(
                        TestDatabase.H2, List.of(Workload.Kind.values()), Duration.ofSeconds(FULL ? 300 : 12), 1)
                .onlyWith(FULL ? List.of(Fault.values()) : List.of(Fault.DATABASE_KILL))
                .atRate(FULL ? 800 : 400)
                .withDatabaseInside());
        System.out.println("PROOF chaos inside:\n" + verdict);

        assertThat(verdict.isRight()).as("%s", verdict).isTrue();
        assertThat(verdict.faults()).containsKey(Fault.DATABASE_KILL);
        assertThat(verdict.afterDatabase()).isNotEmpty();
        assertThat(verdict.findings())
                .allSatisfy(one -> assertThat(one.items()).as(one.workload()).isPositive());
    }
}
