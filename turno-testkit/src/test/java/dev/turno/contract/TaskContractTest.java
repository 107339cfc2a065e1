package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.TurnoOptions;
import dev.turno.claim.Claim;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.task.ChangeOutcome;
import dev.turno.task.NewTask;
import dev.turno.task.NewTask.IfThere;
import dev.turno.task.ScheduleOutcome;
import dev.turno.task.StoredTask;
import dev.turno.task.Task;
import dev.turno.task.TaskFigures;
import dev.turno.task.TaskOptions;
import dev.turno.task.TaskPage;
import dev.turno.task.TaskState;
import dev.turno.task.Tasks;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import dev.turno.testkit.node.SettableTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
class TaskContractTest {

    private static final boolean FULL = "full".equals(System.getProperty("turno.scale"));
    private static final String REPORT = "report";
    private static final TaskOptions OPTIONS = TaskOptions.defaults();
    private static final Duration WINDOW = Duration.ofMinutes(5);
    private static final Instant NOW = Instant.parse("2026-03-02T10:00:00Z");
    private static final Instant TEN_PAST = NOW.plusSeconds(600);
    private static final Instant SOON = NOW.plusSeconds(60);

    private final FreshDatabase database;
    private final Cluster cluster;
    private final SettableTime time;
    private final Node nodeA;
    private final Node nodeB;
    private final Tasks tasks;

    TaskContractTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.stepwise(database);
        this.time = cluster.time();
        this.nodeA = cluster.node("node-a");
        this.nodeB = cluster.node("node-b");
        this.tasks = nodeA.turno().tasks();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private static HolderId holder(Node node) {
        return node.turno().holder();
    }

    private static List<Taken<Task>> take(Node node, int limit) {
        return node.turno().tasks().rows(REPORT, OPTIONS).take(holder(node), limit);
    }

    private static Taken<Task> takeOne(Node node) {
        List<Taken<Task>> taken = take(node, 1);
        assertThat(taken).as("tasks taken by %s", node.name()).hasSize(1);
        return taken.get(0);
    }

    private static List<Taken<Task>> takeShare(Node node) {
        return node.turno().tasks().takeShare(REPORT, OPTIONS, holder(node), Duration.ofSeconds(1), 10_000);
    }

    private static Finish finish(Node node, Verdict verdict) {
        return node.turno()
                .tasks()
                .rows(REPORT, OPTIONS)
                .finish(holder(node), List.of(verdict))
                .get(0);
    }

    private static Finish done(Node node, Taken<Task> taken) {
        return finish(node, new Verdict.Done(taken.claim()));
    }

    private static void canRun(Node... nodes) {
        Stream.of(nodes).forEach(node -> node.turno().tasks().canRun(REPORT, holder(node)));
    }

    private long schedule(Instant at) {
        return tasks.schedule(REPORT, "{}", at).id();
    }

    private StoredTask find(long id) {
        return tasks.find(id).orElseThrow();
    }

    private static List<NewTask> many(int count, Instant at) {
        return IntStream.range(0, count)
                .mapToObj(n -> NewTask.at(REPORT, "body " + n, at))
                .toList();
    }

    /** How many tasks are in whose share at this instant. */
    private Map<String, Integer> shares(Instant at) {
        Map<String, Integer> shares = new HashMap<>();
        Optional<String> after = Optional.empty();
        do {
            TaskPage page = tasks.list(REPORT, TaskState.ASSIGNED, Optional.empty(), after, 1_000);
            page.items().stream()
                    .filter(task -> task.at().equals(at))
                    .forEach(task -> shares.merge(task.node().orElseThrow(), 1, Integer::sum));
            after = page.next();
        } while (after.isPresent());
        return shares;
    }

    // ---- schedule

    @Test
    void who_looks_for_tasks_of_a_type_that_nobody_has_used_defines_none() {
        assertThat(tasks.find("reprot", "monthly")).isEmpty();
        for (TaskState state : TaskState.values()) {
            assertThat(tasks.list("reprot", state, Optional.empty(), Optional.empty(), 10))
                    .isEqualTo(new TaskPage(List.of(), Optional.empty()));
        }

        assertThat(tasks.typeNames()).isEmpty();
    }

    @Test
    void a_task_is_taken_at_its_instant_and_not_before() {
        long id = tasks.schedule(REPORT, "{\"n\": 1}", TEN_PAST).id();

        time.setTo(TEN_PAST.minusMillis(1));
        assertThat(take(nodeA, 10)).isEmpty();
        time.setTo(TEN_PAST);
        Taken<Task> taken = takeOne(nodeB);

        assertThat(taken.row())
                .isEqualTo(new Task(id, REPORT, Optional.empty(), "{\"n\": 1}", TEN_PAST, 5, Optional.empty()));
        assertThat(taken.attempt()).isEqualTo(1);
        assertThat(done(nodeB, taken)).isEqualTo(new Finish.Kept());
        assertThat(find(id).state()).isEqualTo(TaskState.DONE);
    }

    @Test
    void a_task_for_the_past_runs_now_and_counts_as_overdue() {
        schedule(NOW.minusSeconds(3600));

        assertThat(figures().overdue()).isEqualTo(1);
        assertThat(takeOne(nodeA).row().at()).isEqualTo(NOW.minusSeconds(3600));
        assertThat(figures().overdue()).isZero();
    }

    @Test
    void a_task_after_a_delay_is_due_by_the_databases_clock() {
        tasks.schedule(NewTask.in(REPORT, "{}", Duration.ofSeconds(30)));

        assertThat(take(nodeA, 1)).isEmpty();
        time.forward(Duration.ofSeconds(30));
        assertThat(takeOne(nodeA).row().at()).isEqualTo(NOW.plusSeconds(30));
    }

    @Test
    void a_key_is_kept_by_the_task_that_has_it_also_when_that_is_done() {
        NewTask first = NewTask.at(REPORT, "first", NOW).withKey("k", IfThere.KEEP);
        long id = tasks.schedule(first).id();

        assertThat(tasks.schedule(NewTask.at(REPORT, "second", NOW).withKey("k", IfThere.KEEP)))
                .isEqualTo(new ScheduleOutcome.Kept(id, TaskState.PENDING));
        Taken<Task> taken = takeOne(nodeA);
        assertThat(taken.row().body()).isEqualTo("first");
        done(nodeA, taken);
        assertThat(tasks.schedule(first)).isEqualTo(new ScheduleOutcome.Kept(id, TaskState.DONE));
        assertThat(tasks.schedule(NewTask.at("another type", "x", NOW).withKey("k", IfThere.KEEP)))
                .isInstanceOf(ScheduleOutcome.Scheduled.class);
    }

    @Test
    void a_replaced_task_never_runs_and_its_key_goes_to_the_new_one() {
        long old = tasks.schedule(NewTask.at(REPORT, "old", TEN_PAST).withKey("k", IfThere.REPLACE))
                .id();

        ScheduleOutcome outcome = tasks.schedule(NewTask.at(REPORT, "new", SOON).withKey("k", IfThere.REPLACE));

        assertThat(outcome).isInstanceOf(ScheduleOutcome.Replaced.class);
        assertThat(outcome.id()).isNotEqualTo(old);
        assertThat(find(old).state()).isEqualTo(TaskState.CANCELLED);
        assertThat(tasks.find(REPORT, "k").orElseThrow().id()).isEqualTo(outcome.id());
        time.setTo(TEN_PAST);
        assertThat(take(nodeA, 10)).extracting(one -> one.row().body()).containsExactly("new");
    }

    @Test
    void a_running_task_cannot_be_replaced_but_a_finished_one_can() {
        NewTask wished = NewTask.at(REPORT, "x", NOW).withKey("k", IfThere.REPLACE);
        long id = tasks.schedule(wished).id();
        Taken<Task> taken = takeOne(nodeA);

        assertThat(tasks.schedule(wished)).isEqualTo(new ScheduleOutcome.TooLate(id));
        done(nodeA, taken);
        ScheduleOutcome again = tasks.schedule(wished);

        assertThat(again).isEqualTo(new ScheduleOutcome.Replaced(again.id(), id));
        assertThat(find(id).state()).isEqualTo(TaskState.DONE);
        assertThat(takeOne(nodeB).key()).isNotEqualTo(taken.key());
    }

    @Test
    void a_task_in_the_callers_transaction_is_there_if_that_commits() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            tasks.schedule(connection, NewTask.at(REPORT, "lost", NOW).withKey("k", IfThere.KEEP));
            connection.rollback();
            tasks.schedule(connection, NewTask.at(REPORT, "kept", NOW).withKey("k", IfThere.KEEP));
            assertThat(tasks.schedule(
                            connection, NewTask.at(REPORT, "again", NOW).withKey("k", IfThere.KEEP)))
                    .isInstanceOf(ScheduleOutcome.Kept.class);
            connection.commit();
        }

        assertThat(take(nodeA, 10)).extracting(one -> one.row().body()).containsExactly("kept");
    }

    @Test
    void what_takes_several_statements_is_refused_on_a_connection_without_a_transaction() throws SQLException {
        long inLane =
                tasks.schedule(NewTask.at(REPORT, "first", NOW).inLane("l")).id();
        NewTask replacing = NewTask.at(REPORT, "x", NOW).withKey("k", IfThere.REPLACE);
        try (Connection connection = database.dataSource().getConnection()) {
            refused(() ->
                    tasks.schedule(connection, NewTask.at(REPORT, "second", NOW).inLane("l")));
            refused(() -> tasks.schedule(connection, replacing));
            refused(() -> tasks.cancel(connection, inLane));
            refused(() -> tasks.reschedule(connection, inLane, NOW.plusSeconds(60)));

            tasks.schedule(connection, NewTask.at(REPORT, "alone", NOW));
        }

        assertThat(take(nodeA, 10)).extracting(one -> one.row().body()).containsExactlyInAnyOrder("first", "alone");
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("setAutoCommit(false)")
                .hasMessageContaining("Nothing was");
    }

    @Test
    void a_batch_tells_the_fate_of_each_task_in_order() {
        tasks.schedule(NewTask.at(REPORT, "there", NOW).withKey("k", IfThere.KEEP));
        List<NewTask> batch = new ArrayList<>(many(2_500, NOW));
        batch.add(1, NewTask.at(REPORT, "other", NOW).withKey("k", IfThere.KEEP));
        batch.add(2, batch.get(0));

        List<ScheduleOutcome> outcomes = tasks.scheduleAll(batch);

        assertThat(outcomes).hasSize(2_502);
        assertThat(outcomes.get(1)).isInstanceOf(ScheduleOutcome.Kept.class);
        assertThat(outcomes.stream().map(ScheduleOutcome::id).distinct()).hasSize(2_502);
        assertThat(find(outcomes.get(0).id()).body()).contains("body 0");
        assertThat(find(outcomes.get(2_501).id()).body()).contains("body 2499");
    }

    @Test
    void unusable_input_is_refused_with_the_reason() {
        assertThatThrownBy(() -> tasks.schedule("", "{}", NOW)).hasMessageContaining("1 to 100");
        assertThatThrownBy(() -> tasks.schedule("t".repeat(101), "{}", NOW)).hasMessageContaining("101");
        assertThatThrownBy(() -> tasks.schedule(REPORT, "a\0b", NOW)).hasMessageContaining("position 1");
        assertThatThrownBy(() -> tasks.schedule(REPORT, "x".repeat(1_048_577), NOW))
                .hasMessageContaining("1048576");
        assertThatThrownBy(() -> tasks.schedule(REPORT, "{}", Instant.MAX)).hasMessageContaining("9000");
        assertThatThrownBy(() -> NewTask.at(REPORT, "{}", NOW).withKey("", IfThere.KEEP))
                .hasMessageContaining("key");
        assertThatThrownBy(() -> NewTask.at(REPORT, "{}", NOW).withPriority(10)).hasMessageContaining("0 to 9");
        assertThatThrownBy(() -> NewTask.in(REPORT, "{}", Duration.ofSeconds(-1)))
                .hasMessageContaining("zero");
        assertThatThrownBy(() -> tasks.preAssign(Duration.ofDays(2))).hasMessageContaining("PT24H");
        assertThatThrownBy(() -> tasks.list(REPORT, TaskState.DONE, Optional.empty(), Optional.of("x"), 10))
                .hasMessageContaining("'x'");
        assertThat(tasks.typeNames()).isEmpty();
    }

    @Test
    void texts_of_all_alphabets_come_back_as_they_were() {
        String body = "{\"ñandú\": \"日本語 😀 \\\" \\\\ \n\t ' ; -- \u0001\"}";
        tasks.schedule(NewTask.at(REPORT, body, NOW).withKey("ключ-😀", IfThere.KEEP));
        tasks.scheduleAll(List.of(NewTask.at(REPORT, body, NOW)));

        assertThat(take(nodeA, 10)).extracting(one -> one.row().body()).containsExactly(body, body);
        assertThat(tasks.find(REPORT, "ключ-😀")).isPresent();
    }

    // ---- cancel, reschedule, retry

    @Test
    void a_cancelled_task_never_runs() {
        long id = schedule(SOON);

        assertThat(tasks.cancel(id)).isEqualTo(new ChangeOutcome.Changed());

        time.setTo(SOON);
        assertThat(take(nodeA, 1)).isEmpty();
        assertThat(tasks.cancel(id)).isEqualTo(new ChangeOutcome.TooLate(TaskState.CANCELLED));
    }

    @Test
    void an_armed_task_cannot_be_cancelled_any_more() {
        canRun(nodeA);
        long id = schedule(SOON);
        tasks.preAssign(WINDOW);
        time.setTo(SOON.minusMillis(500));
        assertThat(takeShare(nodeA)).hasSize(1);

        assertThat(tasks.cancel(id)).isEqualTo(new ChangeOutcome.TooLate(TaskState.DOING));
        assertThat(tasks.reschedule(id, TEN_PAST)).isEqualTo(new ChangeOutcome.TooLate(TaskState.DOING));
    }

    @Test
    void tasks_of_another_namespace_are_unknown() {
        long id = schedule(SOON);
        Node stranger = cluster.node("stranger", TurnoOptions.defaults().withNamespace("other"));

        assertThat(stranger.turno().tasks().cancel(id)).isEqualTo(new ChangeOutcome.Unknown());
        assertThat(stranger.turno().tasks().find(id)).isEmpty();
        time.setTo(SOON);
        assertThat(take(stranger, 10)).isEmpty();
        assertThat(stranger.turno().tasks().figures())
                .extracting(TaskFigures::type)
                .containsExactly(REPORT);
        assertThat(stranger.turno().tasks().figures().get(0).overdue()).isZero();
        assertThat(tasks.cancel(id + 1_000)).isEqualTo(new ChangeOutcome.Unknown());
    }

    @Test
    void a_rescheduled_task_runs_at_its_new_instant_only() {
        long later = schedule(SOON);
        long sooner = schedule(TEN_PAST);

        tasks.reschedule(later, TEN_PAST);
        tasks.runNow(sooner);

        Taken<Task> now = takeOne(nodeA);
        assertThat(now.row().id()).isEqualTo(sooner);
        done(nodeA, now);
        time.setTo(SOON);
        assertThat(take(nodeA, 10)).isEmpty();
        time.setTo(TEN_PAST);
        assertThat(take(nodeA, 10)).extracting(one -> one.row().id()).containsExactly(later);
    }

    @Test
    void a_failed_task_comes_again_and_is_parked_and_revived() {
        long id = schedule(NOW);

        finish(nodeA, new Verdict.Again(takeOne(nodeA).claim(), Duration.ofSeconds(5), "broken"));
        assertThat(take(nodeB, 1)).isEmpty();
        time.forward(Duration.ofSeconds(5));
        Taken<Task> second = takeOne(nodeB);
        assertThat(second.attempt()).isEqualTo(2);
        finish(nodeB, new Verdict.Dead(second.claim(), "hopeless"));

        assertThat(find(id).state()).isEqualTo(TaskState.DEAD);
        assertThat(find(id).error()).contains("hopeless");
        assertThat(tasks.revive(id)).isEqualTo(new ChangeOutcome.Changed());
        assertThat(takeOne(nodeA).attempt()).isEqualTo(1);
    }

    @Test
    void of_tasks_that_are_due_the_higher_priority_goes_first() {
        tasks.schedule(NewTask.at(REPORT, "low", NOW.minusSeconds(60)).withPriority(1));
        tasks.schedule(NewTask.at(REPORT, "high", NOW).withPriority(9));
        tasks.schedule(NewTask.at(REPORT, "later", SOON).withPriority(9));

        assertThat(take(nodeA, 10)).extracting(one -> one.row().body()).containsExactly("high", "low");
    }

    // ---- lanes

    private long inLane(String body, Instant at) {
        return tasks.schedule(NewTask.at(REPORT, body, at).inLane("customer-1")).id();
    }

    @Test
    void in_a_lane_one_task_runs_at_a_time_and_the_earliest_instant_goes_first() {
        inLane("second", NOW.plusSeconds(2));
        inLane("third", NOW.plusSeconds(3));
        inLane("first", NOW.plusSeconds(1));
        time.forward(Duration.ofSeconds(10));

        List<String> order = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Taken<Task> one = takeOne(nodeA);
            assertThat(take(nodeB, 10)).isEmpty();
            order.add(one.row().body());
            done(nodeA, one);
        }

        assertThat(order).containsExactly("first", "second", "third");
        assertThat(take(nodeA, 1)).isEmpty();
    }

    @Test
    void a_lane_goes_on_when_its_head_is_cancelled_rescheduled_or_dead() {
        long first = inLane("first", NOW);
        long second = inLane("second", NOW);
        inLane("third", NOW);

        tasks.cancel(first);
        tasks.reschedule(second, SOON);
        Taken<Task> third = takeOne(nodeA);
        assertThat(third.row().body()).isEqualTo("third");
        finish(nodeA, new Verdict.Dead(third.claim(), "e"));
        assertThat(take(nodeA, 1)).isEmpty();

        time.setTo(SOON);
        assertThat(takeOne(nodeA).row().body()).isEqualTo("second");
        tasks.revive(third.row().id());
        assertThat(take(nodeB, 1)).isEmpty();
    }

    @Test
    void a_task_that_waits_for_its_next_attempt_keeps_its_place_in_the_lane_and_its_backoff() {
        long head = inLane("head", NOW);
        long later = inLane("later", SOON);
        finish(nodeA, new Verdict.Again(takeOne(nodeA).claim(), Duration.ofSeconds(30), "broken"));

        inLane("earlier", NOW.minusSeconds(60));
        tasks.reschedule(later, NOW.minusSeconds(30));
        tasks.cancel(later);

        assertThat(take(nodeB, 10)).isEmpty();
        assertThat(find(head).turnAt()).contains(NOW.plusSeconds(30));
        time.forward(Duration.ofSeconds(30));
        assertThat(takeOne(nodeB).row().body()).isEqualTo("head");
    }

    @Test
    void tasks_in_lanes_are_not_shared_out() {
        canRun(nodeA);
        inLane("x", SOON);

        assertThat(tasks.preAssign(WINDOW)).isZero();
    }

    // ---- sharing out

    @Test
    void the_timeline_of_the_seed_500_early_200_late_over_5_workers_all_run_once() {
        List<Node> workers = IntStream.range(0, 5)
                .mapToObj(
                        n -> cluster.node("worker-" + n, TurnoOptions.defaults().withLease(Duration.ofHours(1))))
                .toList();
        canRun(workers.toArray(Node[]::new));
        Instant ten = NOW.plus(Duration.ofMinutes(10));
        tasks.scheduleAll(many(500, ten));
        time.setTo(ten.minus(Duration.ofMinutes(6)));
        assertThat(tasks.preAssign(WINDOW)).isZero();
        time.setTo(ten.minus(Duration.ofMinutes(5)));

        assertThat(tasks.preAssign(WINDOW)).isEqualTo(500);

        assertThat(shares(ten))
                .hasSize(5)
                .allSatisfy((node, count) -> assertThat(count).isEqualTo(100));
        time.setTo(ten.minus(Duration.ofMinutes(3)));
        tasks.scheduleAll(many(200, ten));
        assertThat(figures().byState()).containsEntry(TaskState.PENDING, 200);
        time.setTo(ten);
        Map<Long, Integer> ran = new HashMap<>();
        for (Node worker : workers) {
            List<Taken<Task>> share = takeShare(worker);
            assertThat(share).hasSize(100);
            run(worker, share, ran);
        }
        for (Node worker : workers) {
            List<Taken<Task>> late = take(worker, 40);
            assertThat(late).hasSize(40);
            run(worker, late, ran);
        }
        assertThat(ran).hasSize(700).allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
        assertThat(figures().byState()).containsEntry(TaskState.DONE, 700);
    }

    private static void run(Node worker, List<Taken<Task>> taken, Map<Long, Integer> ran) {
        taken.forEach(one -> ran.merge(one.row().id(), 1, Integer::sum));
        List<Verdict.Done> verdicts =
                taken.stream().map(one -> new Verdict.Done(one.claim())).toList();
        assertThat(worker.turno().tasks().rows(REPORT, OPTIONS).finish(holder(worker), verdicts))
                .containsOnly(new Finish.Kept());
    }

    @Test
    void shares_differ_by_one_at_most_at_each_instant_also_over_several_rounds() {
        Node nodeC = cluster.node("node-c");
        canRun(nodeA, nodeB, nodeC);
        for (int round = 1; round <= 4; round++) {
            tasks.scheduleAll(many(round, SOON));
            tasks.scheduleAll(many(2, SOON.plusSeconds(1)));
            tasks.preAssign(WINDOW);

            assertEven(shares(SOON), round * (round + 1) / 2, 3);
            assertEven(shares(SOON.plusSeconds(1)), 2 * round, 3);
        }
    }

    private static void assertEven(Map<String, Integer> shares, int total, int nodes) {
        assertThat(shares.values().stream().mapToInt(n -> n).sum()).isEqualTo(total);
        assertThat(shares).hasSize(Math.min(total, nodes));
        assertThat(shares.values()).allMatch(count -> count == total / nodes || count == (total + nodes - 1) / nodes);
    }

    @Test
    void who_comes_first_rotates_so_that_single_tasks_do_not_all_go_to_one() {
        canRun(nodeA, nodeB);
        IntStream.range(0, 40).forEach(n -> schedule(SOON.plusSeconds(n)));

        tasks.preAssign(WINDOW);

        Map<String, Integer> all = new HashMap<>();
        IntStream.range(0, 40)
                .forEach(n ->
                        shares(SOON.plusSeconds(n)).forEach((node, count) -> all.merge(node, count, Integer::sum)));
        assertThat(all).containsEntry("node-a", 20).containsEntry("node-b", 20);
    }

    @Test
    void a_holder_that_joins_gets_its_fair_share_and_little_changes_hands() {
        canRun(nodeA, nodeB);
        tasks.scheduleAll(many(300, SOON));
        tasks.preAssign(WINDOW);
        Node nodeC = cluster.node("node-c");
        canRun(nodeC);

        assertThat(tasks.preAssign(WINDOW)).isEqualTo(100);

        assertThat(shares(SOON)).isEqualTo(Map.of("node-a", 100, "node-b", 100, "node-c", 100));
        assertThat(tasks.preAssign(WINDOW)).isZero();
    }

    @Test
    void a_holder_that_joins_together_with_new_tasks_leaves_the_shares_even() {
        canRun(nodeA);
        tasks.scheduleAll(many(10, SOON));
        tasks.preAssign(WINDOW);
        canRun(nodeB);
        tasks.scheduleAll(many(10, SOON));

        tasks.preAssign(WINDOW);

        assertThat(shares(SOON)).isEqualTo(Map.of("node-a", 10, "node-b", 10));
    }

    @Test
    void the_share_of_a_holder_that_died_goes_to_the_living() {
        Node nodeC = cluster.node("node-c");
        canRun(nodeA, nodeB, nodeC);
        Instant far = NOW.plusSeconds(200);
        tasks.scheduleAll(many(300, far));
        tasks.preAssign(WINDOW);

        cluster.kill(nodeC);
        cluster.live(Duration.ofSeconds(40), nodeA, nodeB);
        tasks.preAssign(WINDOW);

        assertThat(shares(far)).isEqualTo(Map.of("node-a", 150, "node-b", 150));
    }

    @Test
    void what_a_holder_did_not_start_in_time_may_be_taken_by_anyone() {
        canRun(nodeA);
        long id = schedule(SOON);
        tasks.preAssign(WINDOW);

        time.setTo(SOON.plusMillis(1_999));
        assertThat(take(nodeB, 1)).isEmpty();
        time.setTo(SOON.plusSeconds(2));
        Taken<Task> taken = takeOne(nodeB);

        assertThat(taken.row().id()).isEqualTo(id);
        assertThat(takeShare(nodeA)).isEmpty();
        assertThat(done(nodeB, taken)).isEqualTo(new Finish.Kept());
    }

    @Test
    void what_changed_after_the_preload_is_not_armed() {
        canRun(nodeA);
        long cancelled = schedule(SOON);
        long rescheduled = schedule(SOON);
        long untouched = schedule(SOON);
        tasks.preAssign(WINDOW);
        time.setTo(SOON.minusSeconds(30));
        var preloaded = nodeA.turno().tasks().preload(REPORT, OPTIONS, holder(nodeA), Duration.ofMinutes(1), 10);
        assertThat(preloaded).hasSize(3);

        tasks.cancel(cancelled);
        tasks.reschedule(rescheduled, TEN_PAST);

        List<Taken<Task>> armed = nodeA.turno().tasks().arm(REPORT, OPTIONS, holder(nodeA), preloaded);
        assertThat(armed).extracting(one -> one.row().id()).containsExactly(untouched);
    }

    @Test
    void what_was_given_to_another_holder_is_not_armed_by_the_first() {
        canRun(nodeA);
        schedule(SOON);
        schedule(SOON);
        tasks.preAssign(WINDOW);
        var preloaded = nodeA.turno().tasks().preload(REPORT, OPTIONS, holder(nodeA), Duration.ofMinutes(1), 10);
        canRun(nodeB);
        tasks.preAssign(WINDOW);

        time.setTo(SOON.minusMillis(1));
        assertThat(nodeA.turno().tasks().arm(REPORT, OPTIONS, holder(nodeA), preloaded))
                .hasSize(1);
        assertThat(takeShare(nodeB)).hasSize(1);
    }

    @Test
    void a_holder_that_was_declared_dead_cannot_arm() {
        canRun(nodeB);
        schedule(SOON);
        tasks.preAssign(WINDOW);
        HolderId dead = holder(nodeB);
        cluster.live(Duration.ofSeconds(40), nodeA);

        assertThat(tasks.takeShare(REPORT, OPTIONS, dead, Duration.ofMinutes(1), 10))
                .isEmpty();
    }

    @Test
    void what_a_dead_holder_had_armed_is_taken_over_and_its_late_result_refused() {
        canRun(nodeB);
        schedule(SOON);
        tasks.preAssign(WINDOW);
        time.setTo(SOON.minusMillis(100));
        nodeB.beat();
        nodeA.beat();
        Taken<Task> armed = takeShare(nodeB).get(0);
        HolderId frozen = holder(nodeB);

        cluster.live(Duration.ofSeconds(40), nodeA);
        Taken<Task> second = takeOne(nodeA);

        assertThat(second.claim().fence()).isGreaterThan(armed.claim().fence());
        assertThat(second.key()).isEqualTo(armed.key());
        assertThat(tasks.rows(REPORT, OPTIONS).finish(frozen, List.of(new Verdict.Done(armed.claim()))))
                .hasOnlyElementsOfType(Finish.Lost.class);
        assertThat(done(nodeA, second)).isEqualTo(new Finish.Kept());
    }

    @Test
    void what_a_dead_holder_had_armed_and_is_shared_out_again_is_armed_under_another_fence() {
        canRun(nodeB);
        Duration hour = Duration.ofHours(1);
        Instant far = NOW.plus(hour);
        schedule(far);
        tasks.preAssign(hour);
        HolderId frozen = holder(nodeB);
        Taken<Task> first = tasks.takeShare(REPORT, OPTIONS, frozen, hour, 1).get(0);

        canRun(nodeA);
        cluster.live(Duration.ofMinutes(12), nodeA);
        tasks.preAssign(hour);
        time.setTo(far.minusMillis(1));
        Taken<Task> second = takeShare(nodeA).get(0);

        assertThat(second.claim().fence()).isGreaterThan(first.claim().fence());
        assertThat(tasks.rows(REPORT, OPTIONS).finish(frozen, List.of(new Verdict.Done(first.claim()))))
                .hasOnlyElementsOfType(Finish.Lost.class);
        assertThat(done(nodeA, second)).isEqualTo(new Finish.Kept());
    }

    @Test
    void what_was_armed_and_given_back_waits_for_its_instant() {
        canRun(nodeA);
        schedule(SOON);
        tasks.preAssign(WINDOW);
        time.setTo(SOON.minusMillis(400));
        Claim armed = takeShare(nodeA).get(0).claim();

        tasks.rows(REPORT, OPTIONS).giveBack(holder(nodeA), List.of(armed));

        assertThat(take(nodeB, 1)).isEmpty();
        time.setTo(SOON);
        assertThat(takeOne(nodeB).attempt()).isEqualTo(1);
    }

    @Test
    void what_was_armed_without_an_answer_is_given_back_however_much_it_is() {
        // PostgreSQL looks at 20,000 at once; H2 takes long to tell so many apart.
        int peak = database.kind() == TestDatabase.H2 && !FULL ? 5_000 : 21_000;
        canRun(nodeA);
        tasks.scheduleAll(many(peak, SOON));
        tasks.preAssign(WINDOW);
        time.setTo(SOON.minusMillis(400));
        List<Taken<Task>> armed = tasks.takeShare(REPORT, OPTIONS, holder(nodeA), Duration.ofSeconds(1), 30_000);
        assertThat(armed).hasSize(peak);
        var rows = tasks.rows(REPORT, OPTIONS);

        int others = rows.giveBackUnknown(
                holder(nodeA), armed.stream().map(Taken::claim).toList());
        int all = rows.giveBackUnknown(holder(nodeA), List.of());

        assertThat(others).isZero();
        assertThat(all).isEqualTo(peak);
    }

    @Test
    void a_type_that_nobody_can_run_is_left_alone_and_shown() {
        tasks.schedule("unknown", "{}", SOON);

        assertThat(tasks.preAssign(WINDOW)).isZero();

        time.setTo(TEN_PAST);
        TaskFigures figures = figuresOf("unknown").orElseThrow();
        assertThat(figures.isStranded()).isTrue();
        assertThat(figures.runners()).isZero();
        assertThat(figures.overdue()).isEqualTo(1);
        assertThat(figures.byState()).containsEntry(TaskState.PENDING, 1);
    }

    @Test
    void figures_tell_who_shared_out_how_many() {
        canRun(nodeA, nodeB);
        tasks.scheduleAll(many(10, SOON));
        tasks.preAssign(WINDOW);

        TaskFigures figures = figures();

        assertThat(figures.preAssigned()).isEqualTo(10);
        assertThat(figures.runners()).isEqualTo(2);
        assertThat(figures.assigned()).isEqualTo(10);
        assertThat(figures.assignedAt()).contains(NOW);
        assertThat(figures.isStranded()).isFalse();
    }

    @Test
    void lists_go_on_where_they_ended() {
        tasks.scheduleAll(many(5, SOON));
        TaskPage first = tasks.list(REPORT, TaskState.PENDING, Optional.empty(), Optional.empty(), 3);
        TaskPage second = tasks.list(REPORT, TaskState.PENDING, Optional.empty(), first.next(), 3);

        assertThat(first.items()).hasSize(3);
        assertThat(second.items()).hasSize(2);
        assertThat(second.next()).isEmpty();
        time.setTo(SOON);
        take(nodeA, 5).forEach(one -> done(nodeA, one));
        TaskPage newest = tasks.list(REPORT, TaskState.DONE, Optional.empty(), Optional.empty(), 4);
        assertThat(newest.items()).hasSize(4);
        assertThat(tasks.list(REPORT, TaskState.DONE, Optional.empty(), newest.next(), 4)
                        .items())
                .hasSize(1);
    }

    private TaskFigures figures() {
        return figuresOf(REPORT).orElseThrow();
    }

    private Optional<TaskFigures> figuresOf(String type) {
        return tasks.figures().stream()
                .filter(figures -> figures.type().equals(type))
                .findFirst();
    }
}
