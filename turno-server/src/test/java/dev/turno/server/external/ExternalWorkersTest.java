package dev.turno.server.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.claim.Result;
import dev.turno.claim.Taken;
import dev.turno.holder.Holder;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.Message;
import dev.turno.inbox.NewMessage;
import dev.turno.server.SharedDatabase;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.node.SettableTime;
import dev.turno.web.api.TooManyException;
import dev.turno.worker.Backoff;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@OnEveryDatabase
@Timeout(60)
class ExternalWorkersTest {

    private static final Duration MAX_RUN = Duration.ofMinutes(2);
    private static final Duration CLAIM = MAX_RUN.plusSeconds(2);
    private static final Result DONE = Result.done();

    private final FreshDatabase database;
    private final String namespace = SharedDatabase.namespace();
    private final SettableTime time = new SettableTime(Instant.parse("2026-01-01T10:00:00Z"));
    private final Server first;
    private final Server second;

    /** One server process: its heartbeat is moved by hand, with the time. */
    private final class Server implements AutoCloseable {
        final Turno turno;
        final ExternalWorkers workers;

        Server(String node) {
            this.turno = Turno.open(
                    database.dataSource(),
                    TurnoOptions.defaults()
                            .withNamespace(namespace)
                            .withNode(node)
                            .withTime(time));
            turno.inbox(
                    "orders",
                    InboxOptions.of(o -> o.maxRun(MAX_RUN)
                            .maxAttempts(3)
                            .backoff(Backoff.exponential(Duration.ofSeconds(10), Duration.ofSeconds(10)))));
            this.workers = new ExternalWorkers(turno, time::nanos);
            workers.start();
        }

        List<Taken<Message>> take(String worker, int limit) {
            return workers.take("orders", named(worker), limit, Duration.ZERO).join();
        }

        Outcome finish(String worker, Taken<Message> taken, Result result) {
            return workers.finish("orders", named(worker), List.of(presented(taken, result)))
                    .get(0);
        }

        Outcome renew(String worker, Taken<Message> taken) {
            return workers.renew("orders", named(worker), List.of(presented(taken, DONE)))
                    .get(0);
        }

        @Override
        public void close() {
            workers.stop();
            turno.close();
        }
    }

    ExternalWorkersTest(TestDatabase kind) {
        this.database = SharedDatabase.on(kind);
        this.first = new Server("first");
        this.second = new Server("second");
        orders().put("order-1", "{}");
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    private Inbox orders() {
        return second.turno.inbox("orders");
    }

    private InboxState state() {
        return orders().find("order-1").orElseThrow().state();
    }

    private static WorkerName named(String worker) {
        return new WorkerName("token", worker);
    }

    private static Presented presented(Taken<Message> taken, Result result) {
        return new Presented(taken.row().id(), taken.claim().fence(), Optional.of(result));
    }

    /** Time passes in steps in which every process that is alive gives its sign of life. */
    private void forward(Duration duration, Server... alive) {
        Duration step = Duration.ofSeconds(5);
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(step)) {
            time.forward(step);
            for (Server server : alive) {
                server.turno.beat();
            }
        }
    }

    @Test
    void what_is_taken_is_in_nobody_elses_hands_and_done_when_finished() {
        Taken<Message> taken = first.take("php", 10).get(0);

        assertThat(taken.row().body()).isEqualTo("{}");
        assertThat(second.take("python", 10)).isEmpty();
        assertThat(second.turno.holders()).extracting(Holder::node).contains("external/token/php");
        assertThat(first.finish("php", taken, DONE).kept()).isTrue();
        assertThat(state()).isEqualTo(InboxState.DONE);
    }

    @Test
    void a_claim_outlives_the_server_that_gave_it() {
        Taken<Message> taken = first.take("php", 10).get(0);

        // The first server is gone, and was declared dead long ago; the claim goes on until its own end.
        forward(MAX_RUN.minusSeconds(10), second);

        assertThat(second.turno.holders())
                .filteredOn(holder -> holder.node().equals("first"))
                .allMatch(holder -> holder.reapedAt().isPresent());
        assertThat(second.take("python", 10)).isEmpty();
        assertThat(second.finish("php", taken, DONE).kept()).isTrue();
        assertThat(state()).isEqualTo(InboxState.DONE);
    }

    @Test
    void a_worker_that_died_loses_its_claim_when_it_lapses_and_cannot_write_afterwards() {
        Taken<Message> dead = first.take("php", 10).get(0);
        forward(CLAIM.plusSeconds(1), first, second);

        Taken<Message> taken = second.take("python", 10).get(0);

        assertThat(taken.claim().fence()).isGreaterThan(dead.claim().fence());
        assertThat(taken.attempt()).isEqualTo(2);
        assertThat(taken.key()).isEqualTo(dead.key());
        assertThat(first.finish("php", dead, DONE).kept()).isFalse();
        assertThat(first.renew("php", dead).kept()).isFalse();
        assertThat(state()).isEqualTo(InboxState.DOING);
        assertThat(second.finish("python", taken, DONE).kept()).isTrue();
    }

    @Test
    void a_finish_that_comes_too_late_counts_as_one_lost_claim() {
        Taken<Message> late = first.take("php", 10).get(0);
        forward(CLAIM.plusSeconds(1), first, second);
        Taken<Message> taken = second.take("python", 10).get(0);

        first.finish("php", late, DONE);
        assertThat(lostClaims(first)).isEqualTo(1);

        first.renew("php", late);
        second.finish("python", taken, DONE);
        assertThat(lostClaims(first))
                .as("a renewal tells it too, and changes nothing")
                .isEqualTo(1);
        assertThat(lostClaims(second)).isZero();
    }

    @Test
    void what_was_never_the_workers_is_no_lost_claim() {
        Taken<Message> taken = first.take("php", 10).get(0);

        first.finish("python", taken, DONE);
        finish("order-1", taken.claim().fence() + 1);
        finish("order-77", 1);

        assertThat(lostClaims(first)).isZero();
    }

    private void finish(String id, long fence) {
        Presented guessed = new Presented(id, fence, Optional.of(DONE));
        assertThat(first.workers
                        .finish("orders", named("php"), List.of(guessed))
                        .get(0)
                        .kept())
                .isFalse();
    }

    private static long lostClaims(Server server) {
        return server.turno.counters().count("turno.claims.lost");
    }

    @Test
    void what_workers_outside_finished_is_removed_by_the_server_that_they_take_from() {
        first.finish("php", first.take("php", 10).get(0), DONE);
        time.forward(Duration.ofDays(8));

        second.turno.inbox("orders").prune();
        assertThat(orders().find("order-1")).isPresent();

        first.turno.inbox("orders").prune();
        assertThat(orders().find("order-1")).isEmpty();
    }

    @Test
    void a_renewed_claim_lasts_longer_also_through_another_server() {
        Taken<Message> taken = first.take("php", 10).get(0);
        for (int i = 0; i < 5; i++) {
            forward(MAX_RUN.minusSeconds(10), second);
            assertThat(second.renew("php", taken)).isEqualTo(Outcome.kept("order-1"));
        }

        assertThat(second.take("python", 10)).isEmpty();
        assertThat(second.finish("php", taken, DONE).kept()).isTrue();
    }

    @Test
    void a_fence_that_is_anothers_writes_nothing() {
        Taken<Message> taken = first.take("php", 10).get(0);

        Outcome foreign = first.finish("python", taken, DONE);

        assertThat(foreign.kept()).isFalse();
        assertThat(foreign.because()).contains("python");
        assertThat(first.renew("python", taken).kept()).isFalse();
        assertThat(state()).isEqualTo(InboxState.DOING);
        Presented guessed = new Presented("order-1", taken.claim().fence() + 1, Optional.of(DONE));
        assertThat(first.workers
                        .finish("orders", named("php"), List.of(guessed))
                        .get(0)
                        .kept())
                .isFalse();
        Presented unknown = new Presented("order-77", 1, Optional.of(DONE));
        assertThat(first.workers
                        .finish("orders", named("php"), List.of(unknown))
                        .get(0)
                        .kept())
                .isFalse();
        assertThat(first.finish("php", taken, DONE).kept()).isTrue();
    }

    @Tag("security")
    @Test
    void another_token_cannot_finish_or_renew_under_the_same_name() {
        Taken<Message> taken = first.take("php", 10).get(0);
        WorkerName stranger = new WorkerName("stranger", "php");
        List<Presented> guessed = List.of(presented(taken, DONE));

        assertThat(first.workers.finish("orders", stranger, guessed).get(0).kept())
                .isFalse();
        assertThat(first.workers.renew("orders", stranger, guessed).get(0).kept())
                .isFalse();

        assertThat(first.finish("php", taken, DONE).kept()).isTrue();
    }

    @Test
    void a_token_has_not_more_workers_than_may_be_until_some_were_not_heard_of_for_long() {
        for (int i = 0; i < Guests.MOST_OF_A_TOKEN; i++) {
            first.take("worker-" + i, 1);
        }
        int holders = second.turno.holders().size();

        assertThatThrownBy(() -> first.take("one-more", 1)).isInstanceOf(TooManyException.class);
        assertThatThrownBy(() -> first.take("and/another", 1)).isInstanceOf(IllegalArgumentException.class);

        assertThat(second.turno.holders()).hasSize(holders);
        assertThat(first.take("worker-7", 1)).isEmpty();
        assertThat(first.workers
                        .take("orders", new WorkerName("other", "one-more"), 1, Duration.ZERO)
                        .join())
                .isEmpty();
        forward(Duration.ofMinutes(6), first, second);
        assertThat(first.take("one-more", 1)).hasSize(1);
    }

    @Test
    void what_no_database_can_store_in_an_error_does_not_harm_the_others_beside_it() {
        orders().put("order-2", "{}");
        List<Taken<Message>> taken = first.take("php", 10);

        List<Outcome> outcomes = first.workers.finish(
                "orders",
                named("php"),
                List.of(
                        presented(taken.get(0), Result.reject("zero \0 and half \uD83D")),
                        presented(taken.get(1), DONE)));

        assertThat(outcomes).allMatch(Outcome::kept);
        assertThat(orders().counts().dead()).isEqualTo(1);
        assertThat(orders().counts().done()).isEqualTo(1);
    }

    @Test
    void the_same_message_twice_at_once_is_refused_and_nothing_written() {
        Taken<Message> taken = first.take("php", 10).get(0);
        List<Presented> twice = List.of(presented(taken, DONE), presented(taken, Result.reject("no")));

        assertThatThrownBy(() -> first.workers.finish("orders", named("php"), twice))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(state()).isEqualTo(InboxState.DOING);
    }

    @Test
    void those_who_wait_are_sent_home_when_the_server_stops_and_served_when_it_starts_again() throws Exception {
        first.finish("php", first.take("php", 1).get(0), DONE);
        var waiting = first.workers.take("orders", named("php"), 5, Duration.ofSeconds(60));

        first.workers.stop();

        assertThat(waiting.get(30, TimeUnit.SECONDS)).isEmpty();
        assertThat(first.workers.take("orders", named("php"), 5, Duration.ofSeconds(60)))
                .isCompletedWithValue(List.of());
        first.workers.start();
        var again = first.workers.take("orders", named("php"), 5, Duration.ofSeconds(60));
        orders().put("order-2", "{}");
        assertThat(again.get(30, TimeUnit.SECONDS)).hasSize(1);
    }

    @Test
    void what_a_handler_in_a_server_has_cannot_be_finished_from_outside() {
        Taken<Message> inside = orders().take(second.turno.holder(), 1).get(0);

        assertThat(first.finish("php", inside, DONE).kept()).isFalse();
        assertThat(first.finish("second", inside, DONE).kept()).isFalse();
        assertThat(state()).isEqualTo(InboxState.DOING);
    }

    @Test
    void the_same_finish_once_more_is_kept() {
        Taken<Message> taken = first.take("php", 10).get(0);

        assertThat(first.finish("php", taken, Result.retryIn(Duration.ofSeconds(5), "later"))
                        .kept())
                .isTrue();
        assertThat(second.finish("php", taken, Result.retryIn(Duration.ofSeconds(5), "later"))
                        .kept())
                .isTrue();
        assertThat(second.finish("php", taken, DONE).kept())
                .as("but not another one")
                .isFalse();
        forward(Duration.ofSeconds(10), second);
        Taken<Message> again = first.take("php", 10).get(0);
        assertThat(first.finish("php", again, Result.reject("hopeless")).kept()).isTrue();
        assertThat(second.finish("php", again, Result.reject("hopeless")).kept())
                .isTrue();
        assertThat(state()).isEqualTo(InboxState.DEAD);
        assertThat(orders().find("order-1").orElseThrow().error()).contains("hopeless");
    }

    @Test
    void a_retry_waits_for_its_backoff_and_the_last_attempt_is_the_last() {
        for (int attempt = 1; attempt <= 3; attempt++) {
            Taken<Message> taken = first.take("php", 10).get(0);
            assertThat(taken.attempt()).isEqualTo(attempt);
            assertThat(first.finish("php", taken, Result.retry("no luck")).kept())
                    .isTrue();
            assertThat(first.take("php", 10)).isEmpty();
            forward(Duration.ofSeconds(10), first, second);
        }

        assertThat(state()).isEqualTo(InboxState.DEAD);
    }

    @Test
    void a_message_that_kills_its_workers_is_not_handed_out_for_ever() {
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(first.take("php", 10)).hasSize(1);
            forward(CLAIM.plusSeconds(1), first, second);
        }

        assertThat(first.take("php", 10)).isEmpty();
        assertThat(state()).isEqualTo(InboxState.DEAD);
        assertThat(first.turno.counters().all())
                .as("as those who watch are told")
                .containsEntry("turno.taken", 4L)
                .containsEntry("turno.dead", 1L)
                .containsEntry("turno.done", 0L);
    }

    @Test
    void many_are_finished_at_once_and_each_is_answered_in_order() {
        for (int i = 2; i <= 50; i++) {
            orders().put("order-" + i, "{}");
        }
        List<Taken<Message>> taken = first.take("php", 100);
        List<Presented> all =
                new ArrayList<>(taken.stream().map(one -> presented(one, DONE)).toList());
        all.add(7, new Presented("nowhere", 1, Optional.of(DONE)));

        List<Outcome> outcomes = second.workers.finish("orders", named("php"), all);

        assertThat(outcomes)
                .extracting(Outcome::id)
                .containsExactlyElementsOf(all.stream().map(Presented::id).toList());
        assertThat(outcomes)
                .filteredOn(outcome -> !outcome.kept())
                .extracting(Outcome::id)
                .containsExactly("nowhere");
        assertThat(orders().counts().done()).isEqualTo(50);
    }

    @Test
    void who_waits_gets_what_comes() throws Exception {
        first.finish("php", first.take("php", 1).get(0), DONE);
        CompletableFuture<List<Taken<Message>>> waiting =
                first.workers.take("orders", named("php"), 5, Duration.ofSeconds(60));
        CompletableFuture<List<Taken<Message>>> next =
                first.workers.take("orders", named("python"), 5, Duration.ofSeconds(60));
        assertThat(waiting).isNotDone();

        orders().put("order-2", "{}");

        assertThat(waiting.get(30, TimeUnit.SECONDS))
                .extracting(one -> one.row().id())
                .containsExactly("order-2");
        assertThat(next).isNotDone();
        orders().put("order-3", "{}");
        assertThat(next.get(30, TimeUnit.SECONDS))
                .extracting(one -> one.row().id())
                .containsExactly("order-3");
    }

    @Test
    void who_waited_in_vain_is_told_so_in_time() throws Exception {
        first.finish("php", first.take("php", 1).get(0), DONE);
        long start = System.nanoTime();

        assertThat(first.workers
                        .take("orders", named("php"), 5, Duration.ofMillis(500))
                        .get(30, TimeUnit.SECONDS))
                .isEmpty();

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(450), Duration.ofSeconds(10));
    }

    @Test
    void who_went_away_while_waiting_gets_nothing() {
        first.finish("php", first.take("php", 1).get(0), DONE);
        CompletableFuture<List<Taken<Message>>> gone =
                first.workers.take("orders", named("php"), 5, Duration.ofSeconds(60));

        gone.cancel(false);
        orders().put("order-2", "{}");

        await().pollDelay(Duration.ofMillis(500))
                .until(() -> orders().find("order-2").orElseThrow().state() == InboxState.PENDING);
    }

    @Test
    void a_result_whose_ordering_key_is_locked_is_open_and_stays_the_workers_until_it_is_written() throws SQLException {
        Inbox orders = first.turno.inbox("orders");
        orders.put(NewMessage.of("ana-1", "{}").inOrderOf("ana").withPriority(9));
        Taken<Message> taken = first.take("ana", 1).get(0);
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            orders.put(connection, NewMessage.of("ana-2", "{}").inOrderOf("ana").withPriority(9));

            for (int i = 0; i < 2; i++) {
                forward(CLAIM.minusSeconds(10), first, second);
                Outcome outcome = first.finish("ana", taken, DONE);
                assertThat(outcome.open()).isTrue();
                assertThat(outcome.kept()).isFalse();
                assertThat(outcome.because()).contains("present the same result again");
            }
            assertThat(second.take("bea", 1).get(0).row().id()).isEqualTo("order-1");
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(first.finish("ana", taken, DONE)).isEqualTo(Outcome.kept("ana-1"));
        assertThat(second.take("bea", 1).get(0).row().id()).isEqualTo("ana-2");
    }

    @Test
    void beside_an_open_result_the_others_are_told_what_became_of_them() throws SQLException {
        Inbox fleeting = first.turno.inbox("fleeting", InboxOptions.of(o -> o.keepNone()));
        fleeting.put("free-1", "{}");
        fleeting.put(NewMessage.of("ana-1", "{}").inOrderOf("ana"));
        List<Presented> presented = new ArrayList<>();
        first.workers
                .take("fleeting", named("php"), 2, Duration.ZERO)
                .join()
                .forEach(taken -> presented.add(presented(taken, DONE)));
        presented.add(new Presented("ghost", 1, Optional.of(DONE)));
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            fleeting.put(connection, NewMessage.of("ana-2", "{}").inOrderOf("ana"));

            List<Outcome> outcomes = first.workers.finish("fleeting", named("php"), presented);

            assertThat(outcomes).extracting(Outcome::id).containsExactly("free-1", "ana-1", "ghost");
            assertThat(outcomes).extracting(Outcome::kept).containsExactly(true, false, false);
            assertThat(outcomes).extracting(Outcome::open).containsExactly(false, true, false);
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(first.workers.finish("fleeting", named("php"), presented.subList(1, 2)))
                .containsExactly(Outcome.kept("ana-1"));
    }

    @Test
    void a_used_up_message_whose_ordering_key_is_locked_is_parked_soon_and_keeps_no_other_from_being_taken()
            throws SQLException {
        Inbox orders = first.turno.inbox("orders");
        orders.put(NewMessage.of("ana-1", "{}").inOrderOf("ana").withPriority(9));
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(first.take("php", 1).get(0).row().id()).isEqualTo("ana-1");
            forward(CLAIM.plusSeconds(1), first, second);
        }
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            orders.put(connection, NewMessage.of("ana-2", "{}").inOrderOf("ana").withPriority(9));

            assertThat(first.take("php", 1)).isEmpty();
            assertThat(first.take("php", 1).get(0).row().id()).isEqualTo("order-1");
            connection.commit();
            connection.setAutoCommit(true);
        }
        time.forward(Duration.ofSeconds(1));

        assertThat(first.take("php", 1)).isEmpty();
        assertThat(orders.find("ana-1").orElseThrow().state()).isEqualTo(InboxState.DEAD);
        assertThat(first.turno.counters().all()).containsEntry("turno.dead", 1L).containsEntry("turno.again", 0L);
        assertThat(first.take("php", 1).get(0).row().id()).isEqualTo("ana-2");
    }

    @Test
    void unusable_wishes_are_refused() {
        ExternalWorkers workers = first.workers;
        assertThatThrownBy(() -> workers.take("orders", named("php"), 0, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> workers.take("orders", named("php"), 101, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> workers.take("orders", named(""), 1, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> workers.take("orders", named("php"), 1, Duration.ofHours(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> workers.finish("orders", named("php"), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
