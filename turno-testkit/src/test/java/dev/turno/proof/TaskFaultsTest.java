package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real processes that die, freeze or join shortly before the instant. */
@Tag("alone")
@OnEveryDatabase(onServer = true)
class TaskFaultsTest {

    private static final int TASKS = Scale.of(300, 3_000);
    private static final Duration BOUND = Stage.LEASE.plus(Stage.POLL).plusSeconds(1);

    private final FreshDatabase database;

    TaskFaultsTest(FreshDatabase database) {
        this.database = database;
    }

    /** A peak takes its time, so the short run has one database. */
    @BeforeEach
    void notEverywhere() {
        assumeTrue(Scale.isFull() || database.kind() == TestDatabase.POSTGRESQL);
    }

    private static void sleepUntil(Instant moment) throws InterruptedException {
        Thread.sleep(Math.max(0, Duration.between(Instant.now(), moment).toMillis()));
    }

    private static Instant in(int seconds) {
        return Instant.now().plusSeconds(seconds).truncatedTo(ChronoUnit.SECONDS);
    }

    @Test
    void a_node_that_joins_gets_its_share_and_that_of_one_killed_before_the_instant_starts_within_lease_and_poll()
            throws Exception {
        try (TaskStage stage = TaskStage.on(database)) {
            long begun = System.nanoTime();
            ChildProcess victim = stage.node("victim");
            ChildProcess a = stage.node("a");
            stage.awaitRunners(2);
            Duration tookToStart = Duration.ofNanos(System.nanoTime() - begun);
            // A busy machine takes longer for what comes before the instant, too.
            Instant at = in(Scale.of(12, 70) + 3 * (int) Math.max(0, tookToStart.toSeconds() - 2));
            stage.schedule(TASKS, at);
            Stage.until(() -> stage.shares().equals(Map.of("victim", TASKS / 2, "a", TASKS / 2)));

            ChildProcess b = stage.node("b");
            Stage.until(() -> stage.shares().equals(Map.of("victim", TASKS / 3, "a", TASKS / 3, "b", TASKS / 3)));
            long joined = Duration.between(Instant.now(), at).toMillis();
            sleepUntil(at.minusSeconds(2));
            Instant killedAt = Instant.now();
            victim.kill9();

            stage.untilDone(TASKS);
            List<TaskStage.Ran> ran = Stream.of(a, b)
                    .flatMap(node -> TaskStage.ran(node).stream())
                    .toList();
            assertThat(TaskStage.ran(victim)).isEmpty();
            assertThat(ran).extracting(TaskStage.Ran::id).hasSize(TASKS).doesNotHaveDuplicates();
            assertThat(ran).allSatisfy(one -> assertThat(one.late()).isGreaterThanOrEqualTo(Duration.ZERO));
            Duration last = Duration.between(
                    killedAt,
                    at.plus(ran.stream()
                            .map(TaskStage.Ran::late)
                            .max(Duration::compareTo)
                            .orElseThrow()));
            Figures.say(
                    "task kill",
                    database.kind(),
                    TASKS + " tasks; a third node had its even share " + joined + " ms before the instant; one of three"
                            + " killed 2 s before it, its share started within " + last.toMillis()
                            + " ms after the kill (bound " + BOUND.toMillis() + "), twice 0, lost 0");
            assertThat(last).isLessThan(BOUND);
        }
    }

    @Test
    void what_a_node_froze_with_after_arming_is_taken_over_and_its_late_results_are_refused() throws Exception {
        try (TaskStage stage = TaskStage.on(database)) {
            ChildProcess sleeper = stage.node("sleeper", "threads=4", "millis=10000");
            stage.awaitRunners(1);
            Instant at = in(9); // it looks for its share every five seconds
            stage.schedule(20, at);
            stage.tasks().preAssign(Duration.ofMinutes(5));
            sleeper.awaitLine("armed"::equals, Stage.SOON);
            ChildProcess helper = stage.node("helper");
            Stage.until(() -> !TaskStage.ran(sleeper).isEmpty());

            sleeper.stop();
            int begun = TaskStage.ran(sleeper).size();
            Stage.until(() -> TaskStage.ran(helper).size() >= 20);
            sleeper.cont();

            stage.untilDone(20);
            List<TaskStage.Ran> late = new ArrayList<>(TaskStage.ran(sleeper));
            Stage.until(() -> count(sleeper, "turno.claims.lost") >= begun);
            assertThat(TaskStage.ran(helper))
                    .extracting(TaskStage.Ran::id)
                    .hasSize(20)
                    .doesNotHaveDuplicates();
            assertThat(count(sleeper, "turno.done")).isZero();
            Figures.say(
                    "task freeze",
                    database.kind(),
                    "20 armed, " + late.size() + " begun when it froze, their results refused, all 20 run by another");
        }
    }

    private static long count(ChildProcess node, String name) {
        return Stage.count(node, name);
    }
}
