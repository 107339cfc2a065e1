package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.TurnoOptions;
import dev.turno.claim.Finish;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.run.Job;
import dev.turno.run.Run;
import dev.turno.run.RunOptions;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.run.StopOutcome;
import dev.turno.run.StoredRun;
import dev.turno.run.SubmitOutcome;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import dev.turno.testkit.node.SettableTime;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Submitting, lanes, slots, limits and states, step by step. */
@OnEveryDatabase
class RunContractTest {

    private static final Duration MAX_PAGE = Duration.ofMinutes(5);

    private final FreshDatabase database;
    private final Cluster cluster;
    private final SettableTime time;
    private final Node nodeA;
    private final Node nodeB;
    private final Runs a;
    private final Runs b;

    RunContractTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.stepwise(database);
        this.time = cluster.time();
        this.nodeA = cluster.node("node-a");
        this.nodeB = cluster.node("node-b");
        this.a = runs(nodeA);
        this.b = runs(nodeB);
    }

    private static Runs runs(Node node) {
        Runs runs = node.turno().runs(RunOptions.of(o -> o.maxPage(MAX_PAGE)));
        runs.add(job("harvest"));
        runs.add(job("validate"));
        runs.add(Job.of(
                "index",
                Source.<String>iterator(run -> List.<String>of().iterator()),
                nothing(),
                j -> j.lane("frontend").reload(Optional::of)));
        return runs;
    }

    private static Job<String> job(String name) {
        return Job.of(name, Source.<String>iterator(run -> List.<String>of().iterator()), nothing());
    }

    private static Step<String> nothing() {
        return Step.each((item, page) -> {});
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private long submit(RunRequest request) {
        return a.submit(request).orThrow();
    }

    private List<Taken<Run>> take(Node node, int limit) {
        return node.turno().runs().rows().take(node.turno().holder(), limit);
    }

    private Taken<Run> takeOne(Node node) {
        List<Taken<Run>> taken = take(node, 1);
        assertThat(taken).hasSize(1);
        return taken.get(0);
    }

    private static List<Long> ids(List<Taken<Run>> taken) {
        return taken.stream().map(one -> one.claim().id()).toList();
    }

    private Finish done(Node node, Taken<Run> taken) {
        return finish(node, new Verdict.Done(taken.claim()));
    }

    private static Finish finish(Node node, Verdict verdict) {
        return node.turno()
                .runs()
                .rows()
                .finish(node.turno().holder(), List.of(verdict))
                .get(0);
    }

    private StoredRun run(long id) {
        return a.find(id).orElseThrow();
    }

    // ---- submit and take

    @Test
    void a_run_is_taken_by_one_holder_and_carries_what_was_asked() {
        long id = submit(RunRequest.of("harvest")
                .on("NETWORK::7")
                .incrementally()
                .with("from", "2026-01-01\n\t\\ñ")
                .partOf("HARVESTING_ACTION"));

        Run run = takeOne(nodeA).row();

        assertThat(take(nodeB, 1)).isEmpty();
        assertThat(run.id()).isEqualTo(id);
        assertThat(run.incremental()).isTrue();
        assertThat(run.subject()).contains("NETWORK::7");
        assertThat(run.action()).contains("HARVESTING_ACTION");
        assertThat(run.parameters()).containsEntry("from", "2026-01-01\n\t\\ñ");
        assertThat(run(id).state()).isEqualTo(RunState.DOING);
        assertThat(run(id).node()).contains("node-a");
    }

    @Test
    void an_unknown_job_is_refused_and_the_nearest_name_suggested() {
        assertThatThrownBy(() -> a.submit(RunRequest.of("harvset")))
                .hasMessageContaining("harvset")
                .hasMessageContaining("Did you mean 'harvest'?");
        assertThatThrownBy(() -> a.submit(RunRequest.of("harvest").then("idnex")))
                .hasMessageContaining("Did you mean 'index'?");
        assertThat(a.counts().pending()).isZero();
    }

    @Test
    void a_run_whose_job_is_unknown_here_is_left_to_those_who_know_it() {
        Node ignorant = cluster.node("node-c");
        ignorant.turno().runs().add(job("something else"));
        submit(RunRequest.of("harvest"));

        assertThat(take(ignorant, 1)).isEmpty();
        assertThat(take(nodeB, 1)).hasSize(1);
    }

    @Test
    void a_run_in_the_callers_transaction_is_there_only_after_its_commit() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            a.submit(connection, RunRequest.of("harvest").on("N1"));
            assertThat(take(nodeB, 1)).isEmpty();
            connection.rollback();
            assertThat(take(nodeB, 1)).isEmpty();
            a.submit(connection, RunRequest.of("harvest").on("N1"));
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(take(nodeB, 1)).hasSize(1);
    }

    @Test
    void a_delayed_run_waits() {
        submit(RunRequest.of("harvest").on("N1").after(Duration.ofHours(1)));
        submit(RunRequest.of("harvest").after(Duration.ofHours(1)));

        assertThat(take(nodeA, 4)).isEmpty();
        assertThat(a.rows().untilNextTurn()).contains(Duration.ofHours(1));
        time.forward(Duration.ofHours(1));
        nodeA.beat();
        assertThat(take(nodeA, 4)).hasSize(2);
    }

    @Test
    void namespaces_do_not_see_each_others_runs() {
        Node other = cluster.node(
                "other", TurnoOptions.defaults().withLease(Cluster.LEASE).withNamespace("other"));
        other.turno().runs().add(job("harvest"));
        long id = submit(RunRequest.of("harvest").on("N1"));

        assertThat(take(other, 1)).isEmpty();
        assertThat(other.turno().runs().find(id)).isEmpty();
        assertThat(other.turno().runs().stop(id)).isEqualTo(StopOutcome.UNKNOWN);
        assertThat(other.turno()
                        .runs()
                        .submit(RunRequest.of("harvest").on("N1"))
                        .orThrow())
                .isPositive();
        assertThat(take(other, 5)).hasSize(1);
    }

    // ---- lanes

    @Test
    void at_most_one_run_of_a_subject_is_under_way_in_the_order_of_submission() {
        long first = submit(RunRequest.of("harvest").on("N1"));
        long second = submit(RunRequest.of("validate").on("N1"));
        long third = submit(RunRequest.of("harvest").on("N1"));

        for (long expected : List.of(first, second, third)) {
            assertThat(done(nodeB, takeNext(expected))).isEqualTo(new Finish.Kept());
        }
        assertThat(take(nodeA, 4)).isEmpty();
    }

    private Taken<Run> takeNext(long expected) {
        List<Taken<Run>> taken = take(nodeB, 4);
        assertThat(ids(taken)).containsExactly(expected);
        assertThat(take(nodeA, 4)).isEmpty();
        return taken.get(0);
    }

    @Test
    void a_lane_of_the_job_keeps_other_subjects_waiting_too() {
        long one = submit(RunRequest.of("index").on("N1"));
        long two = submit(RunRequest.of("index").on("N2"));
        long free = submit(RunRequest.of("harvest").on("N3"));

        List<Taken<Run>> taken = take(nodeA, 4);
        assertThat(ids(taken)).containsExactly(one, free);
        done(nodeA, taken.get(0));
        assertThat(ids(take(nodeA, 4))).containsExactly(two);
    }

    @Test
    void a_run_in_two_lanes_waits_for_both_and_neither_wakeup_is_lost() {
        Taken<Run> subject = takeFirst(submit(RunRequest.of("harvest").on("N1")));
        Taken<Run> lane = takeFirst(submit(RunRequest.of("harvest").on("N2").inLane("frontend")));
        long both = submit(RunRequest.of("index").on("N1"));

        assertThat(take(nodeA, 4)).isEmpty();
        done(nodeA, subject);
        assertThat(take(nodeA, 4)).isEmpty();
        done(nodeA, lane);
        assertThat(ids(take(nodeA, 4))).containsExactly(both);
    }

    private Taken<Run> takeFirst(long id) {
        Taken<Run> taken = takeOne(nodeA);
        assertThat(taken.claim().id()).isEqualTo(id);
        return taken;
    }

    @Test
    void subjects_take_turns_however_many_runs_one_of_them_has() {
        a.limitPerCluster(1);
        List<Long> busy = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            busy.add(submit(RunRequest.of("harvest").on("BUSY")));
        }
        time.forward(Duration.ofMillis(1));
        long other = submit(RunRequest.of("harvest").on("OTHER"));
        List<Long> order = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            time.forward(Duration.ofMillis(1));
            Taken<Run> taken = takeOne(nodeA);
            order.add(taken.claim().id());
            time.forward(Duration.ofMillis(1));
            done(nodeA, taken);
        }

        assertThat(order.subList(0, 2)).containsExactly(busy.get(0), other);
    }

    @Test
    void a_cancelled_run_in_the_middle_of_a_lane_does_not_hold_up_those_behind_it() {
        Taken<Run> first = takeFirst(submit(RunRequest.of("harvest").on("N1")));
        long middle = submit(RunRequest.of("harvest").on("N1"));
        long last = submit(RunRequest.of("harvest").on("N1"));

        assertThat(a.cancel(middle)).isTrue();
        assertThat(take(nodeA, 4)).isEmpty();
        done(nodeA, first);

        assertThat(ids(take(nodeA, 4))).containsExactly(last);
        assertThat(run(middle).state()).isEqualTo(RunState.CANCELLED);
    }

    @Test
    void whoever_takes_over_a_dead_nodes_run_takes_over_its_lanes_and_a_slot() {
        a.limitPerCluster(1);
        long id = submit(RunRequest.of("harvest").on("N1"));
        submit(RunRequest.of("harvest").on("N1"));
        Taken<Run> lost = takeFirst(id);
        cluster.live(Cluster.LEASE.multipliedBy(2), nodeB);

        Taken<Run> again = takeOne(nodeB);

        assertThat(again.claim().id()).isEqualTo(id);
        assertThat(again.claim().fence()).isEqualTo(lost.claim().fence() + 1);
        assertThat(done(nodeA, lost)).isInstanceOf(Finish.Lost.class);
        assertThat(run(id).state()).isEqualTo(RunState.DOING);
        assertThat(done(nodeB, again)).isEqualTo(new Finish.Kept());
    }

    // ---- limits

    @Test
    void no_more_runs_are_under_way_than_the_cluster_has_slots() {
        for (int i = 0; i < 6; i++) {
            submit(RunRequest.of("harvest").on("N" + i));
        }

        List<Taken<Run>> taken = take(nodeA, 3);
        assertThat(taken).hasSize(3);
        assertThat(take(nodeB, 5)).hasSize(1); // four by default
        assertThat(take(nodeA, 5)).isEmpty();

        done(nodeA, taken.get(0));
        assertThat(take(nodeB, 5)).hasSize(1);
        a.limitPerCluster(6);
        assertThat(take(nodeB, 5)).hasSize(1);
        assertThat(b.limits().perCluster()).isEqualTo(6);
    }

    @Test
    void under_a_lowered_limit_a_node_with_little_room_takes_what_is_free_all_the_same() {
        a.limitPerCluster(3);
        for (int i = 0; i < 6; i++) {
            submit(RunRequest.of("harvest").on("N" + i));
        }
        List<Taken<Run>> taken = take(nodeA, 3);
        a.limitPerCluster(2);
        assertThat(take(nodeB, 1)).isEmpty();

        taken.stream().limit(2).forEach(one -> done(nodeA, one));

        assertThat(take(nodeB, 1)).hasSize(1);
        assertThat(take(nodeB, 1)).isEmpty();
    }

    @Test
    void there_are_as_many_slots_as_the_limit_says_however_many() throws SQLException {
        a.limitPerCluster(2_500);

        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from turno_slot where kind = 'run'")) {
            row.next();
            assertThat(row.getInt(1)).isEqualTo(2_500);
        }
    }

    @Test
    void a_full_queue_refuses_and_says_so() {
        a.limitQueued(2);
        submit(RunRequest.of("harvest").on("N1"));
        submit(RunRequest.of("harvest").on("N1"));

        SubmitOutcome refused = b.submit(RunRequest.of("harvest").on("N2"));

        assertThat(refused).isInstanceOf(SubmitOutcome.Refused.class);
        assertThat(((SubmitOutcome.Refused) refused).because())
                .contains("full")
                .contains("max-queued")
                .contains("2");
        assertThat(a.counts().pending()).isEqualTo(2);
        takeOne(nodeA);
        assertThat(b.submit(RunRequest.of("harvest").on("N2"))).isInstanceOf(SubmitOutcome.Queued.class);
    }

    @Test
    void many_who_submit_at_once_do_not_overfill_the_queue() throws Exception {
        a.limitQueued(5);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<SubmitOutcome>> wishes = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                RunRequest request = RunRequest.of("harvest").on("N" + i % 7);
                wishes.add(() -> a.submit(request));
            }
            threads.invokeAll(wishes);
        } finally {
            threads.shutdown();
        }
        assertThat(a.counts().pending()).isEqualTo(5);
    }

    @Test
    void by_default_thirty_two_may_wait() {
        for (int i = 0; i < 32; i++) {
            submit(RunRequest.of("harvest").on("N1"));
        }
        assertThat(a.submit(RunRequest.of("harvest"))).isInstanceOf(SubmitOutcome.Refused.class);
    }

    @Test
    void a_parked_run_keeps_its_subject_and_holds_no_slot() {
        a.limitPerCluster(1);
        long parked = submit(RunRequest.of("harvest").on("N1"));
        long behind = submit(RunRequest.of("harvest").on("N1"));
        long other = submit(RunRequest.of("harvest").on("N2"));
        Taken<Run> taken = takeFirst(parked);
        // What the run's handler does when its source says "Retry-After".
        finish(nodeA, new Verdict.Again(taken.claim(), Duration.ofHours(1), "Retry-After"));

        List<Taken<Run>> next = take(nodeA, 4);
        assertThat(ids(next)).containsExactly(other);
        done(nodeA, next.get(0));
        assertThat(take(nodeA, 4)).isEmpty();
        cluster.live(Duration.ofHours(1), nodeA);
        assertThat(ids(take(nodeA, 4))).containsExactly(parked);
        assertThat(run(behind).state()).isEqualTo(RunState.PENDING);
    }

    @Test
    void a_paused_cluster_takes_nothing() {
        submit(RunRequest.of("harvest"));
        a.pause();
        assertThat(take(nodeB, 1)).isEmpty();
        a.unpause();
        assertThat(take(nodeB, 1)).hasSize(1);
    }

    // ---- stop, resume, cancel, chains

    @Test
    void a_waiting_run_is_stopped_at_once_and_resumed_at_the_end_of_its_lane() {
        long first = submit(RunRequest.of("harvest").on("N1"));
        long second = submit(RunRequest.of("harvest").on("N1"));

        assertThat(a.stop(first)).isEqualTo(StopOutcome.STOPPED);
        assertThat(b.resume(first)).isEqualTo(new SubmitOutcome.Queued(first));

        assertThat(ids(take(nodeA, 4))).containsExactly(second);
    }

    @Test
    void a_run_that_is_resumed_while_it_is_cancelled_leaves_its_lane_to_others() throws Exception {
        long id = submit(RunRequest.of("harvest").on("N1"));
        a.stop(id);
        TrickySource tricky = new TrickySource(database.dataSource());
        Node nodeC = cluster.nodeOn(tricky.source(), "node-c", TurnoOptions.defaults());
        Runs c = runs(nodeC);
        TrickySource.Halt halt = tricky.haltBefore("turno_run t"); // its lanes were read: there are none
        Thread canceller = new Thread(() -> c.cancel(id), "canceller");
        canceller.start();
        halt.awaitSomebody();

        b.resume(id).orThrow();
        halt.goOn();
        canceller.join();

        assertThat(run(id).state()).isEqualTo(RunState.CANCELLED);
        long next = submit(RunRequest.of("harvest").on("N1"));
        assertThat(ids(take(nodeA, 4))).containsExactly(next);
    }

    @Test
    void a_run_that_fails_or_has_to_wait_after_it_was_asked_to_stop_is_stopped() {
        long id = submit(RunRequest.of("harvest").on("N1"));
        long behind = submit(RunRequest.of("harvest").on("N1"));
        Taken<Run> taken = takeFirst(id);

        b.stop(id);
        assertThat(finish(nodeA, new Verdict.Again(taken.claim(), Duration.ofHours(1), "no answer")))
                .isEqualTo(new Finish.Kept());

        assertThat(run(id).state()).isEqualTo(RunState.STOPPED);
        assertThat(run(id).error()).contains("no answer");
        assertThat(ids(take(nodeA, 4))).containsExactly(behind);
    }

    @Test
    void items_that_a_run_parked_are_revived_by_one_run_at_a_time_also_without_a_subject() throws SQLException {
        long id = submit(RunRequest.of("harvest"));
        done(nodeA, takeFirst(id));
        execute("update turno_run set job = 'index', lanes = '' where id = " + id);
        park(id);

        long first = a.revive(id).orThrow();
        long second = b.revive(id).orThrow();

        assertThat(ids(take(nodeA, 4))).containsExactly(first);
        assertThat(take(nodeB, 4)).isEmpty();
        assertThat(run(second).state()).isEqualTo(RunState.PENDING);
    }

    private void park(long id) throws SQLException {
        execute("insert into turno_run_letter (run_id, item_key, error, parked_at) values (" + id
                + ", 'item', 'bad', timestamp '2026-03-02 10:00:00')");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void a_run_under_way_is_asked_to_stop_and_cannot_be_cancelled() {
        long id = submit(RunRequest.of("harvest"));
        Taken<Run> taken = takeOne(nodeA);

        assertThat(b.stop(id)).isEqualTo(StopOutcome.STOPPING);
        assertThat(b.cancel(id)).isFalse();
        assertThat(run(id).stopAt()).isPresent();
        done(nodeA, taken);
        assertThat(b.stop(id)).isEqualTo(StopOutcome.OVER);
        assertThat(b.stop(id + 1000)).isEqualTo(StopOutcome.UNKNOWN);
        assertThat(b.resume(id)).isInstanceOf(SubmitOutcome.Refused.class);
    }

    @Test
    void the_next_link_of_a_chain_is_submitted_when_the_one_before_is_done() {
        long harvest = submit(RunRequest.of("harvest")
                .on("N1")
                .with("k", "v")
                .then("validate")
                .then("index"));
        assertThat(run(harvest).chain()).containsExactly("validate", "index");

        done(nodeA, takeFirst(harvest));
        Taken<Run> validate = takeOne(nodeB);
        assertThat(validate.row().job()).isEqualTo("validate");
        assertThat(validate.row().subject()).contains("N1");
        assertThat(validate.row().parameters()).containsEntry("k", "v");
        done(nodeB, validate);
        Taken<Run> index = takeOne(nodeA);
        assertThat(index.row().job()).isEqualTo("index");
        assertThat(run(index.claim().id()).lanes()).containsExactly("N1", "frontend");
        assertThat(run(index.claim().id()).first()).contains(harvest);
        done(nodeA, index);
        assertThat(take(nodeA, 4)).isEmpty();
    }

    @Test
    void a_failed_link_stops_the_chain_until_it_is_resumed() {
        long harvest = submit(RunRequest.of("harvest").on("N1").then("validate"));
        finish(nodeA, new Verdict.Dead(takeFirst(harvest).claim(), "the server is gone"));

        assertThat(take(nodeA, 4)).isEmpty();
        assertThat(run(harvest).error()).contains("the server is gone");
        assertThat(a.lastDone("harvest", "N1")).isEmpty();

        a.resume(harvest).orThrow();
        done(nodeA, takeFirst(harvest));
        assertThat(takeOne(nodeA).row().job()).isEqualTo("validate");
        assertThat(a.lastDone("harvest", "N1").orElseThrow().id()).isEqualTo(harvest);
    }

    @Test
    void repeating_ones_own_finish_is_kept_and_submits_the_next_link_once() {
        long harvest = submit(RunRequest.of("harvest").on("N1").then("validate"));
        Taken<Run> taken = takeFirst(harvest);

        assertThat(done(nodeA, taken)).isEqualTo(new Finish.Kept());
        assertThat(done(nodeA, taken)).isEqualTo(new Finish.Kept());

        assertThat(a.counts().pending()).isEqualTo(1);
    }

    @Test
    void what_a_subject_has_can_be_stopped_and_its_queue_emptied() {
        long first = submit(RunRequest.of("harvest").on("N1"));
        submit(RunRequest.of("harvest").on("N1"));
        submit(RunRequest.of("harvest").on("N1"));
        long other = submit(RunRequest.of("harvest").on("N2"));
        takeFirst(first);

        assertThat(b.stopAll("N1")).isEqualTo(1);
        assertThat(b.cancelQueued("N1")).isEqualTo(2);

        assertThat(run(first).stopAt()).isPresent();
        assertThat(a.counts().cancelled()).isEqualTo(2);
        assertThat(run(other).state()).isEqualTo(RunState.PENDING);
    }

    @Test
    void a_run_given_back_is_taken_again_without_costing_an_attempt() {
        long id = submit(RunRequest.of("harvest").on("N1"));
        Taken<Run> taken = takeFirst(id);

        a.rows().giveBack(nodeA.turno().holder(), List.of(taken.claim()));
        Taken<Run> again = takeOne(nodeB);

        assertThat(again.attempt()).isEqualTo(1);
        assertThat(again.claim().fence()).isEqualTo(2);
        assertThat(b.rows().giveBackUnknown(nodeB.turno().holder(), List.of(again.claim())))
                .isZero();
        assertThat(b.rows().giveBackUnknown(nodeB.turno().holder(), List.of())).isEqualTo(1);
        assertThat(take(nodeA, 1)).hasSize(1);
    }

    // ---- looking and forgetting

    @Test
    void runs_are_listed_by_state_page_by_page_and_by_subject() {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(submit(RunRequest.of("harvest").on("N1")));
            time.forward(Duration.ofMillis(1));
            done(nodeA, takeOne(nodeA));
        }
        var first = a.list(RunState.DONE, Optional.empty(), 3);
        var second = a.list(RunState.DONE, first.next(), 3);

        assertThat(first.items()).extracting(StoredRun::id).containsExactly(ids.get(4), ids.get(3), ids.get(2));
        assertThat(second.items()).extracting(StoredRun::id).containsExactly(ids.get(1), ids.get(0));
        assertThat(second.next()).isEmpty();
        assertThat(a.ofSubject("N1", Optional.of(ids.get(2)), 10))
                .extracting(StoredRun::id)
                .containsExactly(ids.get(1), ids.get(0));
        assertThatThrownBy(() -> a.list(RunState.DONE, Optional.of("x"), 3)).hasMessageContaining("not a place");
    }

    @Test
    void old_finished_runs_are_removed_and_failed_ones_stay() {
        long done = submit(RunRequest.of("harvest"));
        done(nodeA, takeFirst(done));
        long dead = submit(RunRequest.of("harvest").on("N1"));
        finish(nodeA, new Verdict.Dead(takeFirst(dead).claim(), "no"));
        assertThat(a.prune()).isFalse();
        assertThat(a.find(done)).isPresent();

        time.forward(Duration.ofDays(31));
        a.prune();

        assertThat(a.find(done)).isEmpty();
        assertThat(a.find(dead)).isPresent();
        assertThat(a.resume(dead)).isEqualTo(new SubmitOutcome.Queued(dead));
    }

    @Test
    void runs_of_jobs_that_are_unknown_here_are_not_removed_here() {
        long harvest = submit(RunRequest.of("harvest"));
        done(nodeA, takeFirst(harvest));
        Runs looking = cluster.node("node-c").turno().runs();
        Runs other = cluster.node("node-d").turno().runs().add(job("bake"));
        long bread = other.submit(RunRequest.of("bake")).orThrow();
        other.cancel(bread);

        time.forward(Duration.ofDays(31));
        looking.prune();
        assertThat(looking.find(bread)).isPresent();

        other.prune();
        assertThat(looking.find(bread)).isEmpty();
        assertThat(looking.find(harvest)).isPresent();
    }

    @Test
    void parked_items_stay_until_they_are_revived_and_their_run_with_them() throws SQLException {
        long id = submit(RunRequest.of("harvest"));
        done(nodeA, takeFirst(id));
        park(id);

        time.forward(Duration.ofDays(31));
        a.prune();
        assertThat(a.parkedItems(id, Optional.empty(), 10)).hasSize(1);

        execute("delete from turno_run_letter");
        a.prune();
        assertThat(a.find(id)).isEmpty();
    }
}
