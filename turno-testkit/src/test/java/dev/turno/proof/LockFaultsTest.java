package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.lock.Lease;
import dev.turno.lock.LockTerms;
import dev.turno.lock.TakeOutcome;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("alone")
@OnEveryDatabase(onServer = true)
class LockFaultsTest {

    private static final Duration LEASE = Duration.ofMillis(Scale.of(1_000, 2_000));
    private static final Duration ACTION = Duration.ofMillis(Scale.of(3_000, 10_000));
    private static final Duration FROZEN = Duration.ofMillis(Scale.of(2_500, 5_000));
    private static final LockTerms ONE_TRY =
            LockTerms.of(t -> t.lease(LEASE).renewing(false).cleanUp(false));

    private final FreshDatabase database;

    LockFaultsTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void nobody_gets_in_while_an_action_runs_for_several_leases() throws Exception {
        try (LockStage stage = LockStage.on(database)) {
            ChildProcess holder = stage.node("holder", LEASE);

            assertThat(Repeated.holds(number -> isKept(stage, holder, "report-" + number)))
                    .isTrue();
        }
    }

    /** A holder that stood still for too long to renew is told, and if somebody got in, it writes nothing. */
    private boolean isKept(LockStage stage, ChildProcess holder, String lock) throws Exception {
        int before = stage.effects().size();
        long end = System.nanoTime() + ACTION.toNanos(); // the action has not begun: it does not end before this
        holder.send("hold " + lock + " " + ACTION.toMillis());
        holder.awaitLine(line -> line.startsWith("in "), Stage.SOON);

        int tries = 0;
        boolean gotIn = false;
        while (!gotIn && end - System.nanoTime() > 0) {
            boolean taken = stage.locks().tryTake(lock, ONE_TRY) instanceof TakeOutcome.Taken;
            gotIn = taken && end - System.nanoTime() > 0;
            tries++;
            Thread.sleep(2);
        }

        String outcome = holder.awaitLine(line -> line.startsWith("outcome "), Stage.SOON);
        Figures.say(
                "lock renewal",
                database.kind(),
                "an action of " + ACTION + " under a lease of " + LEASE + ": " + tries + " tries of others, "
                        + (gotIn ? "the last one got in, " : "0 got in, ") + outcome);
        boolean ran = outcome.startsWith("outcome Ran");
        if (ran || gotIn) {
            assertThat(ran).isNotEqualTo(gotIn);
            assertThat(stage.effects()).hasSize(before + (ran ? 1 : 0));
        }
        return ran && tries > 0;
    }

    @Test
    void who_was_frozen_for_longer_than_its_lease_is_told_and_its_guarded_transaction_fails() throws Exception {
        try (LockStage stage = LockStage.on(database)) {
            ChildProcess sleeper = stage.node("sleeper", LEASE);
            ChildProcess other = stage.node("other", Duration.ofMinutes(1));
            sleeper.send("hold report 60000");
            sleeper.awaitLine(line -> line.startsWith("in "), Stage.SOON);
            other.send("wait report");

            sleeper.stop();
            Thread.sleep(FROZEN.toMillis());
            String has = other.awaitLine(line -> line.startsWith("has "), Stage.SOON);
            sleeper.cont();

            sleeper.awaitLine("interrupted"::equals, Stage.SOON);
            sleeper.awaitLine("lost true"::equals, Stage.SOON);
            String outcome = sleeper.awaitLine(line -> line.startsWith("outcome "), Stage.SOON);
            Figures.say(
                    "lock freeze",
                    database.kind(),
                    "stopped for " + FROZEN + " under a lease of " + LEASE + ": the other " + has + ", the first "
                            + outcome);
            assertThat(has).isEqualTo("has 2");
            assertThat(outcome)
                    .startsWith("outcome Lost[value=Optional.empty, newHolder=other,")
                    .contains("ClaimLostException");
            assertThat(stage.effects()).isEmpty();
        }
    }

    @Test
    void the_lock_of_a_killed_process_is_taken_again_within_its_lease_without_a_clean_up() throws Exception {
        try (LockStage stage = LockStage.on(database)) {
            assertThat(Repeated.holds(number -> isTakenAgainInTime(stage, number)))
                    .isTrue();
        }
    }

    private boolean isTakenAgainInTime(LockStage stage, int number) throws Exception {
        String lock = "report-" + number;
        ChildProcess victim = stage.node("victim-" + number, LEASE);
        victim.send("hold " + lock + " 60000");
        victim.awaitLine(line -> line.startsWith("in "), Stage.SOON);
        Thread.sleep(LEASE.toMillis()); // renewed at least twice

        victim.kill9();
        long killed = System.nanoTime();
        Lease lease = stage.locks()
                .tryTake(lock, ONE_TRY.with(t -> t.waitUpTo(Duration.ofSeconds(30))))
                .orElseThrow();
        Duration took = Duration.ofNanos(System.nanoTime() - killed);

        Figures.say("lock kill", database.kind(), "lease " + LEASE + ", taken again after " + took.toMillis() + " ms");
        assertThat(lease.fence()).isEqualTo(2);
        // A quarter of a second for the last look and a slow machine.
        return took.compareTo(LEASE.plusMillis(250)) < 0;
    }
}
