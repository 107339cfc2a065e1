package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.claim.HolderId;
import dev.turno.claim.Result;
import dev.turno.task.ChangeOutcome;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sharing out: by several at once, beside somebody who cancels, and very many. */
@Tag("processes")
@OnEveryDatabase
class AssignersTest {

    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final int TASKS = Scale.of(4_000, 40_000);
    private static final int MANY =
            Scale.of(60_000, 1_000_000); // fewer do not lead a planner without statistics astray

    private final FreshDatabase database;

    AssignersTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void four_assigners_and_a_canceller_at_once_assign_nothing_twice_and_undo_no_cancelling() throws Exception {
        try (TaskStage stage = TaskStage.on(database)) {
            Instant at = Instant.now().plusSeconds(300);
            stage.schedule(TASKS, at);
            List<Turno> nodes = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                nodes.add(Turno.open(
                        stage.pool(), TurnoOptions.defaults().withNode("n" + i).withLease(Duration.ofHours(1))));
                nodes.get(i).tasks().canRun(TaskNode.REPORT, nodes.get(i).holder());
            }
            ExecutorService threads = Executors.newFixedThreadPool(5);
            List<Callable<Integer>> work = new ArrayList<>();
            nodes.forEach(node -> work.add(() -> assignAll(node)));
            work.add(() -> cancelSome(stage));
            int[] counts = new int[5];
            int i = 0;
            for (Future<Integer> one : threads.invokeAll(work)) {
                counts[i++] = one.get(); // no exception surfaced, a deadlock included
            }
            threads.shutdown();

            int cancelled = counts[4];
            assertThat(stage.states()).isEqualTo(Map.of("ASSIGNED", TASKS - cancelled, "CANCELLED", cancelled));
            assertThat(stage.number("select count(*) from turno_task where state = 'ASSIGNED' and fence <> 1"))
                    .as("assigned twice")
                    .isZero();
            Figures.say(
                    "task assigners",
                    database.kind(),
                    TASKS + " tasks, 4 assigners, " + cancelled
                            + " cancelled meanwhile: assigned twice 0, cancels undone 0, deadlocks surfaced 0");
            nodes.forEach(Turno::close);
        }
    }

    private static int assignAll(Turno node) {
        int count = 0;
        for (int quiet = 0; quiet < 20; quiet++) {
            int now = node.tasks().preAssign(WINDOW);
            count += now;
            quiet = now > 0 ? 0 : quiet;
        }
        return count;
    }

    private static int cancelSome(TaskStage stage) {
        Random random = new Random(4);
        int cancelled = 0;
        for (int i = 0; i < 200; i++) {
            if (stage.tasks().cancel(1 + random.nextInt(TASKS)) instanceof ChangeOutcome.Changed) {
                cancelled++;
            }
        }
        return cancelled;
    }

    @Test
    void very_many_tasks_of_one_instant_are_shared_out_evenly_in_chunks_with_flat_memory() throws Exception {
        try (TaskStage stage = TaskStage.on(database)) {
            for (int i = 0; i < 10; i++) {
                stage.tasks().canRun(TaskNode.REPORT, register(stage, i));
            }
            keepStatisticsAway(stage);
            fill(stage, Instant.now().plusSeconds(400));
            long before = usedMemory();
            long started = System.nanoTime();

            int assigned = stage.tasks().preAssign(WINDOW);

            long millis = (System.nanoTime() - started) / 1_000_000;
            long grown = Math.max(0, usedMemory() - before) / 1_048_576;
            assertThat(assigned).isEqualTo(MANY);
            assertThat(stage.shares())
                    .hasSize(10)
                    .allSatisfy((node, count) -> assertThat(count).isEqualTo(MANY / 10));
            Figures.say(
                    "task assign",
                    database.kind(),
                    MANY + " tasks over 10 holders in " + millis + " ms, shares equal, memory grew by " + grown
                            + " MB");
            assertThat(grown).isLessThan(50);
        }
    }

    @Test
    void a_holder_that_leaves_in_mid_pass_keeps_nothing() throws Exception {
        try (TaskStage stage = TaskStage.on(database)) {
            Instant at = Instant.now().plusSeconds(300);
            stage.schedule(17_000, at);
            stage.tasks().canRun(TaskNode.REPORT, register(stage, 0));
            Turno leaver = Turno.start(stage.pool(), TurnoOptions.defaults().withNode("leaver"));
            ExecutorService thread = Executors.newSingleThreadExecutor();
            leaver.handleTasks(TaskNode.REPORT, (task, turn) -> Result.done());
            stage.awaitRunners(2);

            Future<Integer> pass = thread.submit(() -> stage.tasks().preAssign(WINDOW));
            await().atMost(Stage.SOON).until(() -> stage.shares().getOrDefault("leaver", 0) > 0);
            leaver.close();
            pass.get();
            thread.shutdown();

            stage.tasks().preAssign(WINDOW);
            assertThat(stage.shares()).isEqualTo(Map.of("holder-0", 17_000));
        }
    }

    /** As it is a moment after so many were scheduled: what the planner knows of them is nothing. */
    private void keepStatisticsAway(TaskStage stage) throws SQLException {
        if (database.kind() == TestDatabase.POSTGRESQL) {
            try (Connection connection = stage.pool().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("alter table turno_task set (autovacuum_enabled = off)");
            }
        }
    }

    private static HolderId register(TaskStage stage, int n) {
        return Turno.open(
                        stage.pool(),
                        TurnoOptions.defaults().withNode("holder-" + n).withLease(Duration.ofHours(1)))
                .holder();
    }

    /** Straight into the table: scheduling is not what is measured. */
    private static void fill(TaskStage stage, Instant at) throws SQLException {
        stage.schedule(1, at); // the type
        try (Connection connection = stage.pool().getConnection();
                PreparedStatement insert = connection.prepareStatement(
                        "insert into turno_task (type_id, class, state, task_at, turn_at, put_at, body)"
                                + " select type_id, class, state, task_at, turn_at, put_at, body from turno_task limit ?")) {
            for (int rows = 1; rows < MANY; rows = Math.min(MANY, 2 * rows)) {
                insert.setInt(1, Math.min(rows, MANY - rows));
                insert.executeUpdate();
            }
        }
    }

    private static long usedMemory() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
