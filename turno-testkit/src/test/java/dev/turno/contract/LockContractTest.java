package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turno.TurnoOptions;
import dev.turno.claim.ClaimLostException;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.claim.Finish;
import dev.turno.lock.Lease;
import dev.turno.lock.Leases;
import dev.turno.lock.LockOutcome;
import dev.turno.lock.LockPage;
import dev.turno.lock.LockTerms;
import dev.turno.lock.LockView;
import dev.turno.lock.Locks;
import dev.turno.lock.TakeOutcome;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import dev.turno.testkit.node.SettableTime;
import dev.turno.watch.WorkEvent;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
class LockContractTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LockTerms TERMS = LockTerms.of(t -> t.lease(LEASE).renewing(false));
    private static final LockTerms RENEWED = TERMS.with(t -> t.renewing(true));
    private static final Duration LONG_AGO = Duration.ofHours(2);

    private final FreshDatabase database;
    private final Cluster cluster;
    private final SettableTime time;
    private final Node nodeA;
    private final Node nodeB;
    private final Locks a;
    private final Locks b;
    private final ConcurrentLinkedQueue<WorkEvent> told = new ConcurrentLinkedQueue<>();

    LockContractTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.stepwise(database);
        this.time = cluster.time();
        this.nodeA = cluster.node("node-a", options());
        this.nodeB = cluster.node("node-b", options());
        this.a = nodeA.turno().locks();
        this.b = nodeB.turno().locks();
    }

    private TurnoOptions options() {
        return TurnoOptions.defaults()
                .withLease(Cluster.LEASE)
                .withDrain(Duration.ofMillis(100))
                .withWatcher(told::add);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private static Lease take(Locks locks, String name) {
        return take(locks, name, TERMS);
    }

    private static Lease take(Locks locks, String name, LockTerms terms) {
        return locks.tryTake(name, terms).orElseThrow();
    }

    private Instant now() {
        return time.now().orElseThrow();
    }

    // ---- take

    @Test
    void a_lock_has_one_holder_and_the_other_is_told_who_and_until_when() {
        Lease lease = take(a, "report");

        assertThat(lease.name()).isEqualTo("report");
        assertThat(lease.remaining()).isEqualTo(LEASE);
        assertThat(b.tryTake("report", TERMS)).isEqualTo(new TakeOutcome.Busy<>("node-a", now().plus(LEASE)));
    }

    @Test
    void a_second_taking_by_the_same_process_is_busy() {
        take(a, "report");

        assertThat(a.tryTake("report", TERMS)).isEqualTo(new TakeOutcome.Busy<>("node-a", now().plus(LEASE)));
    }

    @Test
    void different_names_never_disturb_each_other() {
        take(a, "report");

        assertThat(take(b, "Report").fence()).isPositive();
        assertThat(take(b, "report ").fence()).isPositive();
        assertThat(take(b, "ñ-日本語-😀").name()).isEqualTo("ñ-日本語-😀");
    }

    @Test
    void namespaces_never_see_each_others_locks() {
        take(a, "report");
        Node other = cluster.node("other", options().withNamespace("other"));

        assertThat(other.turno().locks().isTaken("report")).isFalse();
        assertThat(take(other.turno().locks(), "report").fence()).isEqualTo(1);
    }

    @Test
    void a_released_lock_is_free_at_once_and_its_fence_goes_on() {
        Lease first = take(a, "report");
        assertThat(first.release()).isEqualTo(new Finish.Kept());

        Lease second = take(b, "report");

        assertThat(second.fence()).isGreaterThan(first.fence());
    }

    @Test
    void an_expired_lock_is_taken_at_once_without_any_clean_up() {
        Lease first = take(a, "report");
        time.forward(LEASE.minusNanos(1_000));
        assertThat(b.tryTake("report", TERMS)).isInstanceOf(TakeOutcome.Busy.class);

        time.forward(Duration.ofNanos(1_000));

        assertThat(take(b, "report").fence()).isEqualTo(first.fence() + 1);
        assertThat(first.isLost()).isTrue();
        assertThat(first.remaining()).isZero();
    }

    /** What was seen may have changed before the take-over reaches the database. */
    @Test
    void of_two_that_saw_a_lapsed_lock_only_the_first_takes_it_over() throws Exception {
        take(a, "report");
        time.forward(LEASE);
        var late = new TrickySource(database.dataSource());
        Locks second =
                cluster.nodeOn(late.source(), "second", options()).turno().locks();

        TrickySource.Halt beforeTakeOver = late.haltBefore("taken_at = case when lease_id");
        CompletableFuture<TakeOutcome<Lease>> taking =
                CompletableFuture.supplyAsync(() -> second.tryTake("report", TERMS));
        beforeTakeOver.awaitSomebody();
        Lease first = take(b, "report");
        beforeTakeOver.goOn();

        assertThat(taking.get(60, TimeUnit.SECONDS)).isEqualTo(new TakeOutcome.Busy<>("node-b", now().plus(LEASE)));
        assertThat(first.release()).isEqualTo(new Finish.Kept());
    }

    @Test
    void a_taking_whose_answer_was_lost_is_found_again_under_the_same_fence() {
        take(a, "report").close();
        var unlucky = new TrickySource(database.dataSource());
        Node node = cluster.nodeOn(unlucky.source(), "unlucky", options());

        unlucky.loseTheNextAnswerTo("turno_lock");
        Lease lease = take(node.turno().locks(), "report");

        assertThat(unlucky.answersLost()).isEqualTo(1);
        assertThat(lease.fence()).isEqualTo(2);
        assertThat(b.holderOf("report").map(LockView::fence)).hasValue(2L);
        assertThat(lease.release()).isEqualTo(new Finish.Kept());
    }

    @Test
    void locks_are_not_freed_with_their_dead_holder_but_when_their_own_lease_has_passed() {
        Duration longer = Cluster.LEASE.multipliedBy(10);
        take(a, "report", TERMS.with(t -> t.lease(longer)));
        cluster.kill(nodeA);

        cluster.live(Cluster.LEASE.multipliedBy(9), nodeB);
        assertThat(b.tryTake("report", TERMS)).isInstanceOf(TakeOutcome.Busy.class);
        cluster.live(Cluster.LEASE, nodeB);

        assertThat(take(b, "report").fence()).isEqualTo(2);
    }

    // ---- wait

    @Test
    void who_waits_gets_the_lock_when_it_is_released() throws Exception {
        Lease lease = take(a, "report");

        CompletableFuture<Lease> waiting =
                CompletableFuture.supplyAsync(() -> take(b, "report", TERMS.with(t -> t.waitUpTo(LEASE))));
        Thread.sleep(50);
        assertThat(waiting).isNotDone();
        lease.close();

        assertThat(waiting.get(60, TimeUnit.SECONDS).fence()).isEqualTo(2);
    }

    @Test
    void who_waited_long_enough_is_told_that_it_is_busy() {
        take(a, "report");

        long before = System.nanoTime();
        TakeOutcome<Lease> outcome = b.tryTake("report", TERMS.with(t -> t.waitUpTo(Duration.ofMillis(100))));

        assertThat(outcome).isEqualTo(new TakeOutcome.Busy<>("node-a", now().plus(LEASE)));
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }

    @Test
    void threads_of_one_process_get_the_lock_in_the_order_in_which_they_came() throws Exception {
        Lease lease = take(a, "report");
        List<Integer> order = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            waiting.add(CompletableFuture.runAsync(
                    () -> {
                        Lease mine = take(a, "report", TERMS.with(t -> t.waitUpTo(LEASE)));
                        order.add(number); // the lock under test is the only one
                        mine.close();
                    },
                    task -> threads.add(started(task, "waiting-" + number))));
            await().atMost(Duration.ofSeconds(60)).until(() -> isWaiting(threads.get(number)));
        }

        lease.close();

        CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
    }

    private static Thread started(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.start();
        return thread;
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Test
    void it_is_tried_again_as_often_as_the_terms_say() {
        take(a, "report");
        LockTerms patient = TERMS.with(t -> t.retries(3).delay(Duration.ofMillis(20)));

        long before = System.nanoTime();
        TakeOutcome<Lease> outcome = b.tryTake("report", patient);

        assertThat(outcome).isInstanceOf(TakeOutcome.Busy.class);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(60));
    }

    @Test
    void an_interrupt_ends_the_waiting_and_is_not_swallowed() throws Exception {
        take(a, "report");
        var interrupted = new CompletableFuture<Boolean>();
        Thread thread = new Thread(() -> {
            TakeOutcome<Lease> outcome = b.tryTake("report", TERMS.with(t -> t.waitUpTo(LEASE)));
            interrupted.complete(outcome instanceof TakeOutcome.Busy
                    && Thread.currentThread().isInterrupted());
        });
        thread.start();
        Thread.sleep(50);

        thread.interrupt();

        assertThat(interrupted.get(60, TimeUnit.SECONDS)).isTrue();
    }

    // ---- the fence, through releases and clean-ups

    @Test
    void the_fence_never_goes_back_when_old_rows_are_removed() {
        for (int i = 0; i < 5; i++) {
            take(a, "report").close();
        }
        take(a, "other").close();
        time.forward(LONG_AGO);

        assertThat(b.cleanUp()).isEqualTo(2);

        assertThat(rowsOf("turno_lock")).isZero();
        assertThat(take(b, "report").fence()).isEqualTo(6);
        assertThat(take(b, "new").fence()).isEqualTo(6);
    }

    @Test
    void the_clean_up_leaves_alone_what_is_held_and_what_was_held_not_long_ago() {
        take(a, "held", TERMS.with(t -> t.lease(Duration.ofDays(1))));
        take(a, "old").close();
        time.forward(LONG_AGO);
        take(a, "young").close();

        assertThat(b.cleanUp()).isEqualTo(1);

        assertThat(b.isTaken("held")).isTrue();
        assertThat(take(b, "young").fence()).isEqualTo(2);
    }

    @Test
    void many_old_rows_are_removed_in_parts() {
        IntStream.range(0, 2_100).forEach(i -> take(a, "lock-" + i).close());
        time.forward(LONG_AGO);

        assertThat(b.cleanUp()).isEqualTo(2_100);
        assertThat(rowsOf("turno_lock")).isZero();
    }

    /**
     * The row was not there when it was looked for, came and is being removed when it is to be added: the insert waits for the
     * removal, but its snapshot is older. It must not read the floor by that.
     */
    @Test
    void a_name_that_is_added_while_the_clean_up_commits_starts_above_the_floor_that_this_leaves() throws Exception {
        var late = new TrickySource(database.dataSource());
        var slow = new TrickySource(database.dataSource());
        Locks adder = cluster.nodeOn(late.source(), "adder", options()).turno().locks();
        Locks cleaner =
                cluster.nodeOn(slow.source(), "cleaner", options()).turno().locks();

        TrickySource.Halt beforeAdding = late.haltBefore("turno_lock_floor");
        CompletableFuture<Lease> taking = CompletableFuture.supplyAsync(() -> take(adder, "report"));
        beforeAdding.awaitSomebody();
        for (int i = 0; i < 5; i++) {
            take(a, "report").close();
        }
        time.forward(LONG_AGO);
        TrickySource.Halt beforeCommit = slow.haltBeforeCommit();
        CompletableFuture<Integer> cleaning = CompletableFuture.supplyAsync(cleaner::cleanUp);
        beforeCommit.awaitSomebody();
        beforeAdding.goOn();
        Thread.sleep(300);
        assertThat(taking).isNotDone();
        beforeCommit.goOn();

        assertThat(cleaning.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(taking.get(60, TimeUnit.SECONDS).fence()).isEqualTo(6);
    }

    @Test
    void a_lock_that_is_being_removed_can_be_taken_as_soon_as_that_is_done() throws Exception {
        take(a, "report").close();
        time.forward(LONG_AGO);
        var slow = new TrickySource(database.dataSource());
        Locks cleaner =
                cluster.nodeOn(slow.source(), "cleaner", options()).turno().locks();

        TrickySource.Halt beforeCommit = slow.haltBeforeCommit();
        CompletableFuture<Integer> cleaning = CompletableFuture.supplyAsync(cleaner::cleanUp);
        beforeCommit.awaitSomebody();
        CompletableFuture<Lease> taking =
                CompletableFuture.supplyAsync(() -> take(b, "report", TERMS.with(t -> t.waitUpTo(LEASE))));
        Thread.sleep(100);
        beforeCommit.goOn();

        assertThat(cleaning.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(taking.get(60, TimeUnit.SECONDS).fence()).isEqualTo(2);
    }

    @Test
    void many_threads_and_a_clean_up_that_never_rests_see_fences_that_only_grow() throws Exception {
        Duration rest = Duration.ofMillis(500);
        Cluster real = Cluster.running(database);
        try (real) {
            LockTerms busy = TERMS.with(t -> t.waitUpTo(Duration.ofSeconds(20)).keep(Duration.ofSeconds(1)));
            Locks locks =
                    real.node("real", options().withNamespace("real")).turno().locks(busy);
            List<CompletableFuture<Long>> threads = IntStream.range(0, 4)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> highest(locks, "name-" + i, rest)))
                    .toList();
            while (threads.stream().anyMatch(thread -> !thread.isDone())) {
                locks.cleanUp();
                Thread.sleep(20);
            }
            for (CompletableFuture<Long> thread : threads) {
                assertThat(thread.get()).isPositive();
            }
        }
    }

    /** Takes it, leaves it alone for long enough to be removed, and again. */
    private static long highest(Locks locks, String name, Duration rest) {
        long highest = 0;
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 5; i++) {
                Lease lease = locks.tryTake(name).orElseThrow(); // waits, should it just be removed
                assertThat(lease.fence()).isGreaterThan(highest);
                highest = lease.fence();
                lease.close();
            }
            try {
                Thread.sleep(rest.multipliedBy(3).toMillis());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        return highest;
    }

    // ---- renewal

    @Test
    void a_renewed_lease_outlives_itself() {
        Lease lease = take(a, "report", RENEWED);

        for (int i = 0; i < 9; i++) {
            time.forward(LEASE.dividedBy(3));
            nodeA.beat();
            assertThat(b.tryTake("report", TERMS)).isInstanceOf(TakeOutcome.Busy.class);
        }

        assertThat(lease.isLost()).isFalse();
        assertThat(lease.remaining()).isEqualTo(LEASE);
    }

    @Test
    void only_leases_that_asked_for_it_are_renewed() {
        take(a, "renewed", RENEWED);
        take(a, "plain", TERMS);

        time.forward(LEASE.dividedBy(2));
        nodeA.beat();
        time.forward(LEASE.dividedBy(2));

        assertThat(b.isTaken("renewed")).isTrue();
        assertThat(b.isTaken("plain")).isFalse();
    }

    @Test
    void each_lock_keeps_its_own_lease_when_all_are_renewed_at_once() {
        Lease brief = take(a, "brief", RENEWED.with(t -> t.lease(Duration.ofSeconds(3))));
        Lease usual = take(a, "usual", RENEWED);

        time.forward(Duration.ofSeconds(1));
        nodeA.beat();

        assertThat(brief.remaining()).isEqualTo(Duration.ofSeconds(3));
        assertThat(usual.remaining()).isEqualTo(LEASE);
        assertThat(b.holderOf("brief").map(LockView::until)).hasValue(now().plusSeconds(3));
        assertThat(b.holderOf("usual").map(LockView::until)).hasValue(now().plus(LEASE));
    }

    @Test
    void a_thousand_and_more_locks_are_renewed_together() {
        List<Lease> leases = IntStream.range(0, 1_200)
                .mapToObj(i -> take(a, "lock-" + i, RENEWED))
                .toList();

        time.forward(LEASE.dividedBy(3));
        nodeA.beat();

        assertThat(leases).allSatisfy(lease -> assertThat(lease.remaining()).isEqualTo(LEASE));
    }

    @Test
    void a_lease_that_lapsed_is_lost_for_good_although_nobody_took_it() {
        Lease lease = take(a, "report", RENEWED);
        time.forward(LEASE);
        assertThat(lease.isLost()).isTrue();

        nodeA.beat();

        assertThat(lease.isLost()).isTrue();
        assertThat(lease.renew()).isInstanceOf(Finish.Lost.class);
        assertThat(lease.release()).isInstanceOf(Finish.Lost.class);
        assertThat(nodeA.turno().counters().count("turno.locks.lost")).isEqualTo(1);
    }

    @Test
    void a_lease_can_be_renewed_by_hand() {
        Lease lease = take(a, "report");
        time.forward(LEASE.dividedBy(2));

        assertThat(lease.renew()).isEqualTo(new Finish.Kept());

        assertThat(lease.remaining()).isEqualTo(LEASE);
        assertThat(b.holderOf("report").map(LockView::until)).hasValue(now().plus(LEASE));
    }

    // ---- whileHolding

    @Test
    void an_action_runs_under_the_lock_and_gives_it_back() {
        LockOutcome<String> outcome = a.whileHolding("report", TERMS, lease -> {
            assertThat(b.tryTake("report", TERMS)).isInstanceOf(TakeOutcome.Busy.class);
            return "fence " + lease.fence();
        });

        assertThat(outcome).isEqualTo(new LockOutcome.Ran<>("fence 1"));
        assertThat(b.isTaken("report")).isFalse();
    }

    @Test
    void an_action_is_not_run_while_somebody_else_has_the_lock() {
        take(b, "report");

        LockOutcome<String> outcome = a.whileHolding("report", TERMS, lease -> {
            throw new AssertionError("must not run");
        });

        assertThat(outcome).isEqualTo(new LockOutcome.Busy<>("node-b", now().plus(LEASE)));
    }

    @Test
    void a_null_result_is_not_the_same_as_busy() {
        LockOutcome<Optional<String>> outcome = a.whileHolding("report", TERMS, lease -> Optional.empty());

        assertThat(outcome.<String>fold(ran -> "ran", busy -> "busy", lost -> "lost", away -> "away"))
                .isEqualTo("ran");
    }

    @Test
    void what_the_action_throws_is_thrown_and_the_lock_is_given_back() {
        assertThatThrownBy(() -> a.whileHolding("report", TERMS, lease -> {
                    throw new IOException("disk full");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("disk full");

        assertThat(b.isTaken("report")).isFalse();
    }

    @Test
    void an_action_whose_lease_passed_is_interrupted_and_the_outcome_is_lost_also_if_nobody_came() {
        LockOutcome<String> outcome = a.whileHolding("report", TERMS, lease -> {
            time.forward(LEASE);
            nodeA.beat();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            assertThat(lease.isLost()).isTrue();
            return "done nevertheless";
        });

        assertThat(outcome)
                .isEqualTo(new LockOutcome.Lost<>(Optional.of("done nevertheless"), "nobody", Optional.empty()));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(b.isTaken("report")).isFalse();
    }

    @Test
    void an_action_whose_lock_was_taken_over_is_told_by_its_refused_renewal() throws InterruptedException {
        LockOutcome<String> outcome = a.whileHolding("report", RENEWED, lease -> {
            b.forceRelease("report", "stuck", "Ana");
            take(b, "report");
            time.forward(LEASE.dividedBy(3));
            nodeA.beat();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            Thread.sleep(10_000);
            return "unreachable";
        });

        assertThat(outcome).isInstanceOf(LockOutcome.Lost.class);
        var lost = (LockOutcome.Lost<String>) outcome;
        assertThat(lost.newHolder()).isEqualTo("node-b");
        assertThat(lost.value()).isEmpty();
        assertThat(lost.failure()).containsInstanceOf(InterruptedException.class);
        assertThat(b.isTaken("report")).isTrue();
    }

    @Test
    void also_if_the_same_process_took_it_over_and_renews_it() {
        LockOutcome<String> outcome = a.whileHolding("report", RENEWED, lease -> {
            b.forceRelease("report", "stuck", "Ana");
            CompletableFuture<LockOutcome<String>> other =
                    CompletableFuture.supplyAsync(() -> a.whileHolding("report", RENEWED, next -> {
                        time.forward(LEASE.dividedBy(3));
                        nodeA.beat();
                        assertThat(next.isLost()).isFalse();
                        return "second";
                    }));
            assertThat(other.join()).isEqualTo(new LockOutcome.Ran<>("second"));
            assertThat(lease.isLost()).isTrue();
            return "first";
        });

        assertThat(outcome).isEqualTo(new LockOutcome.Lost<>(Optional.of("first"), "nobody", Optional.empty()));
    }

    @Test
    void an_action_that_ends_before_it_could_be_told_learns_it_from_the_release() {
        LockOutcome<String> outcome = a.whileHolding("report", TERMS, lease -> {
            b.forceRelease("report", "stuck", "Ana");
            take(b, "report");
            return "done";
        });

        assertThat(outcome).isEqualTo(new LockOutcome.Lost<>(Optional.of("done"), "node-b", Optional.empty()));
        assertThat(b.isTaken("report")).isTrue();
        assertThat(nodeA.turno().counters().count("turno.locks.lost")).isEqualTo(1);
    }

    @Test
    void a_failed_release_never_hides_the_result() {
        LockOutcome<String> outcome = a.whileHolding("report", TERMS, lease -> {
            cluster.kill(nodeA);
            return "done";
        });

        assertThat(outcome).isEqualTo(new LockOutcome.Ran<>("done"));
        assertThat(nodeA.turno().counters().count("turno.trouble")).isEqualTo(1);
    }

    @Test
    void a_failed_release_never_hides_what_the_action_threw() {
        assertThatThrownBy(() -> a.whileHolding("report", TERMS, lease -> {
                    cluster.kill(nodeA);
                    throw new IOException("disk full");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("disk full");
    }

    @Test
    void a_release_that_failed_is_made_up_for_when_the_database_is_back() {
        var flaky = new TrickySource(database.dataSource());
        Node node = cluster.nodeOn(flaky.source(), "flaky", options());
        Lease lease = take(node.turno().locks(), "report");
        flaky.cut();
        assertThatThrownBy(lease::release).isInstanceOf(DatabaseAwayException.class);
        assertThat(b.isTaken("report")).isTrue();

        flaky.mend();
        node.beat();

        assertThat(b.isTaken("report")).isFalse();
    }

    @Test
    void without_a_database_the_answer_is_unavailable_never_busy_and_the_action_is_not_run() {
        take(b, "report");
        cluster.kill(nodeA);

        assertThat(a.tryTake("report", TERMS)).isInstanceOf(TakeOutcome.Unavailable.class);
        assertThat(a.<String, RuntimeException>whileHolding("report", TERMS, lease -> {
                    throw new AssertionError("must not run");
                }))
                .isInstanceOf(LockOutcome.Unavailable.class);
        assertThatThrownBy(() -> a.isTaken("report")).isInstanceOf(DatabaseAwayException.class);
    }

    // ---- guard

    @Test
    void a_guarded_transaction_fails_when_the_lock_was_taken_from_its_holder() throws SQLException {
        Lease lease = take(a, "report");
        b.forceRelease("report", "stuck", "Ana");

        try (Connection connection = transaction()) {
            assertThatThrownBy(() -> lease.guard(connection))
                    .isInstanceOf(ClaimLostException.class)
                    .hasMessageContaining("'report' (fence 1)")
                    .hasMessageContaining("Roll this transaction back");
            connection.rollback();
        }
        assertThat(lease.isLost()).isTrue();
    }

    @Test
    void a_guarded_transaction_fails_when_somebody_else_has_the_lock_by_now() throws SQLException {
        Lease lease = take(a, "report");
        b.forceRelease("report", "stuck", "Ana");
        take(b, "report");

        try (Connection connection = transaction()) {
            assertThatThrownBy(() -> lease.guard(connection))
                    .isInstanceOf(ClaimLostException.class)
                    .hasMessageContaining("node-b has it now");
            connection.rollback();
        }
    }

    @Test
    void nobody_can_take_a_lock_before_the_transaction_that_it_guards_has_ended() throws SQLException {
        Lease lease = take(a, "report");
        try (Connection connection = transaction()) {
            lease.guard(connection);
            time.forward(LEASE);

            long before = System.nanoTime();
            assertThat(b.tryTake("report", TERMS)).isInstanceOf(TakeOutcome.Busy.class);
            // Whoever waited for the open transaction would do so for five seconds or more, as the testkit sets it.
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(4));
            connection.commit();
        }

        assertThat(take(b, "report").fence()).isEqualTo(2);
    }

    @Test
    void a_guarded_lock_does_not_keep_the_others_from_being_renewed() throws SQLException {
        Lease guarded = take(a, "guarded", RENEWED);
        Lease other = take(a, "other", RENEWED);
        try (Connection connection = transaction()) {
            guarded.guard(connection);
            time.forward(LEASE.dividedBy(2));
            nodeA.beat();

            assertThat(other.remaining()).isEqualTo(LEASE);
            assertThat(guarded.remaining()).isEqualTo(LEASE.dividedBy(2));
            assertThat(guarded.isLost()).isFalse();
            assertThat(guarded.renew()).isEqualTo(new Finish.Open());
            assertThatThrownBy(() -> b.forceRelease("guarded", "stuck", "Ana"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("guards an open transaction of node-a's");
            connection.commit();
        }
        time.forward(Duration.ofSeconds(2));
        nodeA.beat();

        assertThat(guarded.remaining()).isEqualTo(LEASE);
    }

    @Test
    void a_lock_released_before_the_guarded_transaction_ended_is_given_back_after_it() throws SQLException {
        Lease lease = take(a, "report");
        try (Connection connection = transaction()) {
            lease.guard(connection);

            assertThat(lease.release()).isEqualTo(new Finish.Open());
            assertThat(b.tryTake("report", TERMS)).isInstanceOf(TakeOutcome.Busy.class);
            connection.commit();
        }
        nodeA.beat();

        assertThat(take(b, "report").fence()).isEqualTo(2);
    }

    @Test
    void a_lock_given_back_in_a_transaction_is_free_from_its_commit_on() throws SQLException {
        Lease lease = take(a, "report", RENEWED);
        try (Connection connection = transaction()) {
            lease.releaseIn(connection);
            assertThat(b.tryTake("report", TERMS)).isInstanceOf(TakeOutcome.Busy.class);
            connection.commit();
        }

        Lease next = take(b, "report");
        time.forward(LEASE.dividedBy(2));
        nodeA.beat();
        assertThat(lease.isLost()).as("nothing is left to be renewed").isFalse();
        assertThat(lease.release()).isEqualTo(new Finish.Kept());
        nodeA.beat();

        assertThat(next.fence()).isEqualTo(2);
        assertThat(b.holderOf("report").orElseThrow().node()).isEqualTo("node-b");
        assertThat(next.renew()).isEqualTo(new Finish.Kept());
    }

    @Test
    void a_lock_given_back_in_a_transaction_that_was_rolled_back_is_given_back_afterwards() throws SQLException {
        Lease lease = take(a, "report");
        try (Connection connection = transaction()) {
            lease.releaseIn(connection);
            connection.rollback();
        }

        lease.close();
        assertThat(b.tryTake("report", TERMS)).isInstanceOf(TakeOutcome.Busy.class);
        nodeA.beat();

        assertThat(take(b, "report").fence()).isEqualTo(2);
    }

    @Test
    void an_action_that_fails_after_it_gave_the_lock_back_throws_whether_it_was_committed_or_not() throws SQLException {
        for (boolean committed : List.of(true, false)) {
            assertThatThrownBy(() -> a.whileHolding("report", TERMS, lease -> {
                        try (Connection connection = transaction()) {
                            lease.releaseIn(connection);
                            if (committed) {
                                connection.commit();
                            } else {
                                connection.rollback();
                            }
                        }
                        throw new IllegalStateException("after it");
                    }))
                    .hasMessage("after it");
            nodeA.beat();

            assertThat(b.isTaken("report")).isFalse();
        }
    }

    @Test
    void a_transaction_cannot_give_back_a_lock_that_was_lost() throws SQLException {
        Lease lease = take(a, "report");
        b.forceRelease("report", "stuck", "Ana");
        take(b, "report");

        try (Connection connection = transaction()) {
            assertThatThrownBy(() -> lease.releaseIn(connection))
                    .isInstanceOf(ClaimLostException.class)
                    .hasMessageContaining("node-b has it now");
            connection.rollback();
        }
        assertThat(lease.release()).isInstanceOf(Finish.Lost.class);
        nodeA.beat();

        assertThat(b.isTaken("report")).isTrue();
    }

    @Test
    void a_connection_in_auto_commit_mode_cannot_be_guarded() throws SQLException {
        Lease lease = take(a, "report");
        try (Connection connection = database.dataSource().getConnection()) {
            assertThatThrownBy(() -> lease.guard(connection))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
            assertThatThrownBy(() -> lease.releaseIn(connection))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }

    private Connection transaction() throws SQLException {
        Connection connection = database.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    // ---- several at once

    @Test
    void several_locks_are_taken_in_the_order_of_their_names_and_given_back_together() {
        LockOutcome<List<String>> outcome = a.whileHoldingAll(List.of("c", "a", "b", "a"), TERMS, leases -> {
            assertThat(b.isTaken("a") && b.isTaken("b") && b.isTaken("c")).isTrue();
            assertThat(leases.of("b").fence()).isEqualTo(1);
            return leases.all().stream().map(Lease::name).toList();
        });

        assertThat(outcome).isEqualTo(new LockOutcome.Ran<>(List.of("a", "b", "c")));
        assertThat(b.list(Optional.empty(), 10).items()).isEmpty();
    }

    @Test
    void if_one_of_several_locks_is_busy_none_is_held() {
        take(b, "b");

        assertThat(a.tryTakeAll(List.of("a", "b", "c"), TERMS))
                .isEqualTo(new TakeOutcome.Busy<>("node-b", now().plus(LEASE)));

        assertThat(b.list(Optional.empty(), 10).items())
                .extracting(LockView::name)
                .containsExactly("b");
    }

    @Test
    void losing_one_of_several_locks_is_losing() throws SQLException {
        Leases leases = a.tryTakeAll(List.of("a", "b"), TERMS).orElseThrow();
        b.forceRelease("b", "stuck", "Ana");

        try (Connection connection = transaction()) {
            assertThatThrownBy(() -> leases.guard(connection)).isInstanceOf(ClaimLostException.class);
            connection.rollback();
        }
        assertThat(leases.isLost()).isTrue();
    }

    // ---- look and act

    @Test
    void each_lock_shows_key_process_start_expiry_service_user_and_fence() {
        take(a, "report", TERMS.with(t -> t.service("CERT_AFORE").user("SYSTEM")));
        Instant start = now();
        time.forward(Duration.ofSeconds(5));

        assertThat(b.holderOf("report"))
                .hasValue(new LockView(
                        "report",
                        "node-a",
                        nodeA.turno().holder().toString(),
                        start,
                        start.plus(LEASE),
                        "CERT_AFORE",
                        "SYSTEM",
                        1));
        assertThat(b.isTaken("report")).isTrue();
        assertThat(b.isTaken("never")).isFalse();
    }

    @Test
    void the_list_has_what_is_taken_page_by_page() {
        List.of("e", "b", "d", "a", "c").forEach(name -> take(a, name));
        take(a, "released").close();

        LockPage first = b.list(Optional.empty(), 3);
        LockPage second = b.list(first.next(), 3);

        assertThat(first.items()).extracting(LockView::name).containsExactly("a", "b", "c");
        assertThat(second.items()).extracting(LockView::name).containsExactly("d", "e");
        assertThat(second.next()).isEmpty();
        assertThatThrownBy(() -> b.list(Optional.empty(), 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void the_view_shows_the_locks_under_the_names_of_old() throws SQLException {
        take(a, "report", TERMS.with(t -> t.service("CERT_AFORE").user("SYSTEM")));
        take(a, "released").close();

        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select ID_BLOQUEO_DISTRIBUIDO, CH_LLAVE_BLOQUEO,"
                        + " CH_PROCESO_BLOQUEO, FC_INICIO_BLOQUEO, FC_EXPIRA_BLOQUEO, CH_USUARIO_MODIFICADOR,"
                        + " CH_NOMBRE_SERVICIO from TB_NSAR_BLOQUEO_DISTRIBUIDO")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getLong(1)).isPositive();
            assertThat(row.getString(2)).isEqualTo("report");
            assertThat(row.getString(3)).startsWith("node-a/");
            assertThat(row.getTimestamp(5)).isAfter(row.getTimestamp(4));
            assertThat(row.getString(6)).isEqualTo("SYSTEM");
            assertThat(row.getString(7)).isEqualTo("CERT_AFORE");
            assertThat(row.next()).isFalse();
        }
    }

    @Test
    void a_person_can_release_a_lock_with_a_reason_and_the_fence_goes_on_rising() {
        Lease lease = take(a, "report");

        assertThat(b.forceRelease("report", "node-a hangs", "Ana").map(LockView::node))
                .hasValue("node-a");

        assertThat(told).contains(new WorkEvent.LockForced("report", "node-a", 1, "node-a hangs", "Ana"));
        assertThat(nodeB.turno().counters().count("turno.locks.forced")).isEqualTo(1);
        assertThat(take(b, "report").fence()).isEqualTo(2);
        assertThat(lease.renew()).isInstanceOf(Finish.Lost.class);
        assertThat(lease.release()).isInstanceOf(Finish.Lost.class);
        assertThat(b.isTaken("report")).isTrue();
    }

    @Test
    void there_is_nothing_to_force_where_nobody_has_the_lock() {
        assertThat(b.forceRelease("report", "why not", "Ana")).isEmpty();
        assertThat(told).noneMatch(WorkEvent.LockForced.class::isInstance);
        assertThatThrownBy(() -> b.forceRelease("report", " ", "Ana")).hasMessageContaining("reason");
    }

    @Test
    void a_holder_outside_acts_by_its_fence() {
        long fence = take(a, "report").fence();
        time.forward(Duration.ofSeconds(10));

        Lease same = b.leaseOf("report", fence);

        assertThat(same.remaining()).isEqualTo(LEASE.minusSeconds(10));
        assertThat(same.renew()).isEqualTo(new Finish.Kept());
        assertThat(same.remaining()).isEqualTo(LEASE);
        assertThat(same.release()).isEqualTo(new Finish.Kept());
        assertThat(a.isTaken("report")).isFalse();
    }

    // ---- bad input

    @Test
    void a_stranger_cannot_release_a_lock() {
        Lease stale = take(a, "report");
        time.forward(LEASE);
        Lease current = take(b, "report");

        assertThat(stale.release()).isInstanceOf(Finish.Lost.class);
        assertThatThrownBy(() -> a.leaseOf("report", stale.fence()))
                .isInstanceOf(ClaimLostException.class)
                .hasMessageContaining("not held under fence 1");
        assertThatThrownBy(() -> a.leaseOf("report", 99)).isInstanceOf(ClaimLostException.class);

        assertThat(current.isLost()).isFalse();
        assertThat(current.release()).isEqualTo(new Finish.Kept());
    }

    @Test
    void a_closed_lease_says_that_it_is_closed() throws SQLException {
        Lease lease = take(a, "report");
        lease.close();
        lease.close();

        assertThatThrownBy(lease::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'report' (fence 1) was released already");
        assertThatThrownBy(lease::renew).isInstanceOf(IllegalStateException.class);
        try (Connection connection = transaction()) {
            assertThatThrownBy(() -> lease.guard(connection)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(lease.remaining()).isZero();
        assertThat(lease.isLost()).isFalse();
    }

    @Test
    void unusable_names_are_refused_with_their_length() {
        assertThatThrownBy(() -> a.tryTake("", TERMS)).hasMessageContaining("has 0 characters; use 1 to 255");
        assertThatThrownBy(() -> a.tryTake("  ", TERMS)).hasMessageContaining("not all blank");
        assertThatThrownBy(() -> a.tryTake("x".repeat(256), TERMS)).hasMessageContaining("has 256 characters");
        assertThatThrownBy(() -> a.isTaken("a\0b")).hasMessageContaining("NUL");
        assertThatThrownBy(() -> a.tryTakeAll(List.of(), TERMS)).hasMessageContaining("use 1 to 100");
        assertThatThrownBy(() -> a.tryTakeAll(new TreeSet<>(List.of("a", "")), TERMS))
                .hasMessageContaining("has 0 characters");

        assertThat(take(a, "x".repeat(255)).fence()).isEqualTo(1);
        assertThat(take(a, "😀".repeat(127)).fence()).isEqualTo(1);
        assertThat(rowsOf("turno_lock")).isEqualTo(2);
    }

    @Test
    void nothing_can_be_taken_after_the_end() {
        nodeA.turno().close();

        assertThatThrownBy(() -> a.tryTake("report"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    private int rowsOf(String table) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + table)) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
