package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turno.TurnoOptions;
import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.task.NewSchedule;
import dev.turno.task.NewTask;
import dev.turno.task.Task;
import dev.turno.task.TaskFigures;
import dev.turno.task.TaskHandler;
import dev.turno.task.TaskOptions;
import dev.turno.task.TaskState;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import dev.turno.worker.Backoff;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks with the engine's threads, on the databases' own time. */
@OnEveryDatabase
class TaskWorkerContractTest {

    private static final String REPORT = "report";
    private static final Duration SOON = Duration.ofSeconds(60);

    private record Run(long id, String node, Instant at, Instant started) {}

    private final FreshDatabase database;
    private final Cluster cluster;
    private final Queue<Run> runs = new ConcurrentLinkedQueue<>();
    private final long begun = System.nanoTime();

    TaskWorkerContractTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.running(database);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Node node(String name) {
        return cluster.node(
                name, TurnoOptions.defaults().withLease(Duration.ofSeconds(2)).withDrain(Duration.ofSeconds(1)));
    }

    private TaskHandler recording(Node node) {
        return (task, turn) -> {
            runs.add(new Run(task.id(), node.name(), task.at(), Instant.now()));
            return Result.done();
        };
    }

    private static List<NewTask> many(int count, Instant at) {
        return IntStream.range(0, count)
                .mapToObj(n -> NewTask.at(REPORT, "body " + n, at))
                .toList();
    }

    private static TaskFigures figures(Node node) {
        return node.turno().tasks().figures().stream()
                .filter(one -> one.type().equals(REPORT))
                .findFirst()
                .orElseThrow();
    }

    private static int done(Node node) {
        return figures(node).byState().getOrDefault(TaskState.DONE, 0);
    }

    private static Instant in(Duration wait) {
        return Instant.now().plus(wait).truncatedTo(ChronoUnit.MILLIS);
    }

    /** Time to share out, load and arm: more of it if this machine has taken long for what came before. */
    private Instant ahead(int seconds) {
        Duration tookToStart = Duration.ofNanos(System.nanoTime() - begun);
        return in(Duration.ofSeconds(seconds + 3 * Math.max(0, tookToStart.toSeconds() - 1)));
    }

    @Test
    void tasks_of_one_instant_are_shared_and_started_from_memory_on_the_dot() {
        Node a = node("a");
        Node b = node("b");
        a.turno().handleTasks(REPORT, recording(a));
        b.turno().handleTasks(REPORT, recording(b));
        await().atMost(SOON).until(() -> figures(a).runners() == 2);
        Instant at = ahead(4);
        a.turno().tasks().scheduleAll(many(400, at));
        a.turno().tasks().preAssign(Duration.ofMinutes(5));

        await().atMost(SOON).until(() -> done(a) == 400);

        assertThat(runs).extracting(Run::id).hasSize(400).doesNotHaveDuplicates();
        assertThat(runs).allSatisfy(run -> assertThat(run.started()).isAfterOrEqualTo(at));
        assertThat(runs.stream().filter(run -> run.node().equals("a"))).hasSize(200);
        assertThat(a.turno().counters().count("turno.task.armed")
                        + b.turno().counters().count("turno.task.armed"))
                .isEqualTo(400);
        assertThat(figures(a).lag().started()).isEqualTo(200);
        assertThat(figures(a).lag().p99()).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void handlers_are_told_of_a_peak_in_advance() {
        Node a = node("a");
        Map<Instant, Integer> told = new ConcurrentHashMap<>();
        a.turno().handleTasks(REPORT, TaskOptions.of(o -> o.threads(4)), new TaskHandler() {
            @Override
            public Result handle(Task task, Turn turn) {
                return Result.done();
            }

            @Override
            public void onUpcoming(int count, Instant at) {
                told.put(at, count);
                throw new IllegalStateException("does no harm");
            }
        });
        await().atMost(SOON).until(() -> figures(a).runners() == 1);
        Instant peak = in(Duration.ofSeconds(60));
        a.turno().tasks().scheduleAll(many(20, peak));
        a.turno().tasks().scheduleAll(many(4, peak.plusSeconds(1)));
        a.turno().tasks().preAssign(Duration.ofMinutes(5));

        await().atMost(SOON).untilAsserted(() -> assertThat(told).isEqualTo(Map.of(peak, 20)));
    }

    @Test
    void a_task_that_comes_late_runs_at_its_instant_all_the_same() {
        Node a = node("a");
        Node b = node("b");
        b.turno().handleTasks(REPORT, recording(b));
        await().atMost(SOON).until(() -> figures(a).runners() == 1);

        Instant at = in(Duration.ofMillis(500));
        a.turno().tasks().schedule(REPORT, "{}", at);

        await().atMost(SOON).until(() -> runs.size() == 1);
        assertThat(runs.element().started()).isBetween(at, at.plusSeconds(2));
    }

    @Test
    void a_type_has_one_handler_in_a_process() {
        Node a = node("a");
        a.turno().handleTasks(REPORT, recording(a));
        assertThatThrownBy(() -> a.turno().handleTasks(REPORT, recording(a)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'report' are handled by this Turno already");
    }

    @Test
    void what_fails_is_tried_again() {
        Node a = node("a");
        Backoff quick = Backoff.exponential(Duration.ofMillis(20), Duration.ofMillis(50));
        a.turno().handleTasks(REPORT, TaskOptions.of(o -> o.backoff(quick)), (task, turn) -> {
            if (turn.attempt() < 3) {
                throw new IllegalStateException("not yet");
            }
            return Result.done();
        });
        long id = a.turno().tasks().schedule(REPORT, "{}", Instant.now()).id();

        await().atMost(SOON)
                .until(() -> a.turno().tasks().find(id).orElseThrow().state() == TaskState.DONE);
        assertThat(a.turno().tasks().find(id).orElseThrow().attempt()).isEqualTo(3);
    }

    @Test
    void what_is_done_is_removed_when_its_time_has_come() {
        Node a = node("a");
        a.turno().handleTasks(REPORT, TaskOptions.of(o -> o.keep(Duration.ofMillis(1))), recording(a));
        long id = a.turno().tasks().schedule(REPORT, "{}", Instant.now()).id();
        await().atMost(SOON).until(() -> done(a) == 1);

        await().atMost(SOON).until(() -> {
            a.turno().tasks().prune();
            return a.turno().tasks().find(id).isEmpty();
        });
    }

    @Test
    void what_is_cancelled_is_removed_also_if_nothing_is_kept() {
        Node a = node("a");
        a.turno().handleTasks(REPORT, TaskOptions.of(TaskOptions.Builder::keepNone), recording(a));
        long id = a.turno()
                .tasks()
                .schedule(REPORT, "{}", Instant.now().plusSeconds(600))
                .id();
        a.turno().tasks().cancel(id);

        await().atMost(SOON).until(() -> {
            a.turno().tasks().prune();
            return a.turno().tasks().find(id).isEmpty();
        });
    }

    @Test
    void what_is_shared_out_at_the_last_moment_is_started_from_memory_by_every_node() {
        Node a = node("a");
        Node b = node("b");
        a.turno().handleTasks(REPORT, recording(a));
        b.turno().handleTasks(REPORT, recording(b));
        await().atMost(SOON).until(() -> figures(a).runners() == 2);
        Instant at = ahead(3); // nothing wakes b on databases that cannot notify
        a.turno().tasks().scheduleAll(many(40, at));
        a.turno().tasks().preAssign(Duration.ofMinutes(5));

        await().atMost(SOON).until(() -> done(a) == 40);

        assertThat(b.turno().counters().count("turno.task.armed")).isEqualTo(20);
        assertThat(runs).allSatisfy(run -> assertThat(run.started()).isBetween(at, at.plus(SOON)));
    }

    @Test
    void bodies_in_memory_are_bounded_armed_ones_included() {
        Node a = node("a");
        a.turno().handleTasks(REPORT, TaskOptions.of(o -> o.memory(TaskOptions.LONGEST_BODY)), recording(a));
        await().atMost(SOON).until(() -> figures(a).runners() == 1);
        Instant at = ahead(5);
        String large = "x".repeat(300_000);
        List<NewTask> tasks = IntStream.range(0, 24)
                .mapToObj(n -> NewTask.at(REPORT, large, n < 16 ? at : at.plusMillis(500)))
                .toList();
        a.turno().tasks().scheduleAll(tasks);
        a.turno().tasks().preAssign(Duration.ofMinutes(5));

        await().atMost(SOON).until(() -> done(a) == 24);

        assertThat(a.turno().counters().count("turno.task.armed")).isEqualTo(16);
        assertThat(runs).extracting(Run::id).hasSize(24).doesNotHaveDuplicates();
    }

    @Test
    void a_handler_that_cannot_say_whether_it_is_ready_loses_nothing_of_a_peak() {
        Node a = node("a");
        Queue<Long> asked = new ConcurrentLinkedQueue<>();
        Instant at = ahead(4);
        a.turno().handleTasks(REPORT, new TaskHandler() {
            @Override
            public Result handle(Task task, Turn turn) throws Exception {
                return recording(a).handle(task, turn);
            }

            @Override
            public boolean isReady() {
                if (!Instant.now().isBefore(at) && asked.size() < 50) {
                    asked.add(System.nanoTime());
                    throw new IllegalStateException("cannot tell");
                }
                return true;
            }
        });
        await().atMost(SOON).until(() -> figures(a).runners() == 1);
        a.turno().tasks().scheduleAll(many(100, at));
        a.turno().tasks().preAssign(Duration.ofMinutes(5));

        await().atMost(SOON).until(() -> done(a) == 100);

        assertThat(asked).hasSizeGreaterThanOrEqualTo(50); // two may ask at the same moment
        assertThat(runs).extracting(Run::id).hasSize(100).doesNotHaveDuplicates();
    }

    @Test
    void what_is_armed_is_not_given_back_while_a_lost_answer_is_looked_for() {
        AtomicBoolean failing = new AtomicBoolean();
        Node a = cluster.nodeOn(failingForTakes(failing), "a", TurnoOptions.defaults());
        a.turno().handleTasks(REPORT, recording(a));
        await().atMost(SOON).until(() -> figures(a).runners() == 1);
        Instant at = ahead(5);
        a.turno().tasks().scheduleAll(many(100, at));
        a.turno().tasks().preAssign(Duration.ofMinutes(5));

        failing.set(true);
        await().atMost(SOON).until(() -> done(a) == 100);

        assertThat(failing).isFalse();
        assertThat(a.turno().counters().count("turno.task.armed")).isEqualTo(100);
        assertThat(a.turno().counters().count("turno.given.back")).isZero();
    }

    /** Fails the next take, after which the worker looks for rows that it may have taken without knowing. */
    private DataSource failingForTakes(AtomicBoolean failing) {
        DataSource target = database.newPool(database.url(), 20);
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (Thread.currentThread().getName().startsWith("turno-take") && failing.getAndSet(false)) {
                        throw new SQLTransientConnectionException("no answer");
                    }
                    return method.invoke(target, arguments);
                });
    }

    @Test
    void what_is_being_armed_when_its_process_stops_taking_is_left_to_the_others() throws Exception {
        TrickySource way = new TrickySource(database.newPool(database.url(), 20));
        Node a = cluster.nodeOn(way.source(), "a", TurnoOptions.defaults());
        a.turno().handleTasks(REPORT, recording(a));
        await().atMost(SOON).until(() -> figures(a).runners() == 1);
        TrickySource.Halt arming = way.haltBefore("t.state = 'ASSIGNED' and t.assigned_to");
        a.turno().tasks().scheduleAll(many(20, ahead(4)));
        a.turno().tasks().preAssign(Duration.ofMinutes(5));
        arming.awaitSomebody();

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(a.turno()::stopTaking);
        await().atMost(SOON).until(TaskWorkerContractTest::nobodyTakes); // and what had not begun is given back
        arming.goOn();
        stopped.get(SOON.toSeconds(), TimeUnit.SECONDS);

        Node b = node("b");
        b.turno().handleTasks(REPORT, recording(b));
        await().atMost(SOON).until(() -> done(b) == 20);
        assertThat(runs).extracting(Run::node).containsOnly("b");
    }

    private static boolean nobodyTakes() {
        return Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("turno-take task " + REPORT));
    }

    @Test
    void a_node_that_ends_in_order_leaves_its_share_to_the_others() {
        Node a = node("a");
        Node b = node("b");
        a.turno().handleTasks(REPORT, recording(a));
        b.turno().handleTasks(REPORT, recording(b));
        await().atMost(SOON).until(() -> figures(a).runners() == 2);
        Instant at = ahead(4);
        a.turno().tasks().scheduleAll(many(100, at));
        a.turno().tasks().preAssign(Duration.ofMinutes(5));

        b.turno().close();

        await().atMost(SOON).until(() -> runs.size() == 100);
        assertThat(runs).extracting(Run::node).containsOnly("a");
        assertThat(runs).extracting(Run::id).doesNotHaveDuplicates();
    }

    @Test
    void what_a_busy_node_cannot_start_in_time_is_run_by_others() {
        Node busy = node("busy");
        busy.turno().handleTasks(REPORT, TaskOptions.of(o -> o.threads(1)), (task, turn) -> {
            runs.add(new Run(task.id(), "busy", task.at(), Instant.now()));
            Thread.sleep(300);
            return Result.done();
        });
        await().atMost(SOON).until(() -> figures(busy).runners() == 1);
        Instant at = ahead(4);
        busy.turno().tasks().scheduleAll(many(40, at));
        busy.turno().tasks().preAssign(Duration.ofMinutes(5));
        await().atMost(SOON).until(() -> busy.turno().counters().count("turno.task.armed") == 40);
        Node helper = node("helper");
        helper.turno().handleTasks(REPORT, recording(helper));

        await().atMost(SOON).until(() -> done(busy) == 40);

        assertThat(runs).extracting(Run::id).hasSize(40).doesNotHaveDuplicates();
        assertThat(runs).extracting(Run::node).contains("busy", "helper");
    }

    @Test
    void a_task_that_was_done_is_not_run_again_while_an_open_transaction_keeps_its_lane() throws Exception {
        Node a = node("a");
        TaskOptions options =
                TaskOptions.of(o -> o.maxRun(Duration.ofSeconds(1)).maxAttempts(2));
        CountDownLatch begin = new CountDownLatch(1);
        CountDownLatch locked = new CountDownLatch(1);
        a.turno().handleTasks(REPORT, options, (task, turn) -> {
            begin.countDown();
            locked.await();
            return recording(a).handle(task, turn);
        });
        long first = a.turno()
                .tasks()
                .schedule(NewTask.at(REPORT, "{}", Instant.now()).inLane("ana"))
                .id();
        assertThat(begin.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            a.turno()
                    .tasks()
                    .schedule(
                            connection, NewTask.at(REPORT, "{}", Instant.now()).inLane("ana"));
            locked.countDown();
            Thread.sleep(6_000); // a claim lasts for half of that
            assertThat(runs).extracting(Run::id).containsExactly(first);
            connection.commit();
            connection.setAutoCommit(true);
        }

        await().atMost(SOON).until(() -> done(a) == 2);
        assertThat(runs).hasSize(2);
    }

    @Test
    void old_tasks_are_removed_also_if_runs_that_nobody_handles_cannot_be() {
        TrickySource way = new TrickySource(database.dataSource());
        Node a = cluster.nodeOn(way.source(), "a", TurnoOptions.defaults());
        a.turno().handleTasks(REPORT, TaskOptions.of(o -> o.keep(Duration.ofMillis(1))), recording(a));
        long old = a.turno().tasks().schedule(REPORT, "{}", Instant.now()).id();
        await().atMost(SOON).until(() -> done(a) == 1);

        way.refuseMyNext("turno_schedule");
        assertThatThrownBy(a.turno().tasks()::prune).hasMessageContaining("nobody handles");

        assertThat(a.turno().tasks().find(old)).isEmpty();
    }

    @Test
    void a_cron_line_runs_once_in_the_cluster() {
        Node a = node("a");
        Node b = node("b");
        a.turno().handleTasks(REPORT, recording(a));
        b.turno().handleTasks(REPORT, recording(b));
        NewSchedule everySecond = NewSchedule.of("tick", "* * * * * *", "UTC", REPORT, "{}");
        a.turno().tasks().crons().define(everySecond);
        b.turno().tasks().crons().define(everySecond);

        await().atMost(SOON).until(() -> runs.size() >= 2);
        a.turno().tasks().crons().remove("tick");

        assertThat(runs).extracting(Run::at).doesNotHaveDuplicates();
        assertThat(runs).allSatisfy(run -> assertThat(run.started()).isAfterOrEqualTo(run.at()));
    }
}
