package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.TurnoOptions;
import dev.turno.claim.Claim;
import dev.turno.claim.ClaimableRows;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.task.StoredTask;
import dev.turno.task.Task;
import dev.turno.task.TaskOptions;
import dev.turno.task.TaskState;
import dev.turno.task.Tasks;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Walks every state with every act: no act moves a task along an arrow that the enum does not have. */
@OnEveryDatabase
class TaskStatesTest {

    @FunctionalInterface
    private interface Act {
        void on(Claim claim) throws SQLException;
    }

    private static final String REPORT = "report";
    private static final TaskOptions OPTIONS = TaskOptions.defaults();
    private static final Duration WINDOW = Duration.ofMinutes(5);

    private final FreshDatabase database;
    private final Cluster cluster;
    private final Tasks tasks;
    private final HolderId holder;
    private final ClaimableRows<Task> rows;
    private final Map<String, Act> acts = new LinkedHashMap<>();
    private Node latest;

    TaskStatesTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.stepwise(database);
        this.latest = cluster.node("a", longLived());
        this.tasks = latest.turno().tasks();
        this.holder = latest.turno().holder();
        this.rows = tasks.rows(REPORT, OPTIONS);
        tasks.canRun(REPORT, holder);
        acts.put("share out", claim -> tasks.preAssign(WINDOW));
        acts.put("its holder leaves", claim -> {
            leave();
            tasks.preAssign(Duration.ZERO);
        });
        acts.put("its holder leaves and it is dealt again", claim -> {
            leave();
            tasks.preAssign(WINDOW);
        });
        acts.put("arm", claim -> tasks.takeShare(REPORT, OPTIONS, holder, Duration.ofMinutes(2), 10));
        acts.put("take", claim -> rows.take(holder, 1));
        acts.put("take when it is due", claim -> {
            cluster.time().forward(Duration.ofMinutes(30));
            rows.take(holder, 1);
        });
        acts.put("done", claim -> finish(new Verdict.Done(claim)));
        acts.put("again", claim -> finish(new Verdict.Again(claim, Duration.ZERO, "e")));
        acts.put("dead", claim -> finish(new Verdict.Dead(claim, "e")));
        acts.put("settle", claim -> finish(new Verdict.Settle(claim, Duration.ZERO, "e")));
        acts.put("give back", claim -> rows.giveBack(holder, List.of(claim)));
        acts.put("give back unknown", claim -> rows.giveBackUnknown(holder, List.of()));
        acts.put("cancel", claim -> tasks.cancel(claim.id()));
        acts.put("reschedule", claim -> tasks.reschedule(claim.id(), now().plusSeconds(90)));
        acts.put("run now", claim -> tasks.runNow(claim.id()));
        acts.put("revive", claim -> tasks.revive(claim.id()));
        acts.put("finish in a transaction", claim -> {
            try (Connection connection = database.dataSource().getConnection()) {
                rows.finishIn(connection, holder, claim);
            }
        });
    }

    private static TurnoOptions longLived() {
        return TurnoOptions.defaults().withLease(Duration.ofHours(1));
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Instant now() {
        return cluster.time().now().orElseThrow();
    }

    private void join() {
        latest = cluster.node("joined", longLived());
        latest.turno().tasks().canRun(REPORT, latest.turno().holder());
    }

    /** Somebody who has it in its share, if it is in one, ends in order. */
    private void leave() throws SQLException {
        join();
        execute("update turno_task set assigned_to = " + latest.turno().holder().value() + " where state = 'ASSIGNED'");
        latest.turno().close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void finish(Verdict verdict) {
        rows.finish(holder, List.of(verdict));
    }

    @Test
    void every_act_on_every_state_follows_an_arrow_and_the_fence_never_goes_back() throws SQLException {
        Map<TaskState, Set<TaskState>> walked = new EnumMap<>(TaskState.class);
        for (TaskState from : TaskState.values()) {
            walked.put(from, EnumSet.noneOf(TaskState.class));
            for (Map.Entry<String, Act> act : acts.entrySet()) {
                Claim claim = bring(from);
                long fence = claim.fence();

                act.getValue().on(claim);

                StoredTask after = tasks.find(claim.id()).orElseThrow();
                if (after.state() != from || after.fence() != fence) {
                    walked.get(from).add(after.state());
                    assertThat(from.next())
                            .as("%s on %s made it %s", act.getKey(), from, after.state())
                            .contains(after.state());
                }
                assertThat(after.fence())
                        .as("fence after %s on %s", act.getKey(), from)
                        .isGreaterThanOrEqualTo(fence);
                boolean over = Set.of(TaskState.DONE, TaskState.DEAD, TaskState.CANCELLED)
                        .contains(after.state());
                assertThat(after.turnAt().isEmpty())
                        .as("turn after %s on %s", act.getKey(), from)
                        .isEqualTo(over);
            }
        }
        for (TaskState from : TaskState.values()) {
            assertThat(walked.get(from)).as("arrows from %s", from).isEqualTo(from.next());
        }
    }

    /** A fresh task in this state, due in a minute, with the claim that led there. */
    private Claim bring(TaskState state) throws SQLException {
        execute("delete from turno_task");
        long id = tasks.schedule(REPORT, "{}", now().plusSeconds(60)).id();
        Claim claim = new Claim(id, 0);
        if (state == TaskState.PENDING) {
            return claim;
        }
        if (state == TaskState.CANCELLED) {
            tasks.cancel(id);
            return new Claim(id, tasks.find(id).orElseThrow().fence());
        }
        tasks.preAssign(WINDOW);
        if (state == TaskState.ASSIGNED) {
            return new Claim(id, tasks.find(id).orElseThrow().fence());
        }
        tasks.runNow(id);
        Taken<Task> taken = rows.take(holder, 1).get(0);
        if (state == TaskState.DONE) {
            finish(new Verdict.Done(taken.claim()));
        } else if (state == TaskState.DEAD) {
            finish(new Verdict.Dead(taken.claim(), "e"));
        }
        return taken.claim();
    }
}
