package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.TurnoOptions;
import dev.turno.claim.Claim;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Result;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.holder.Holder;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.Message;
import dev.turno.inbox.MessageRefusedException;
import dev.turno.inbox.NewMessage;
import dev.turno.inbox.Page;
import dev.turno.inbox.PutOutcome;
import dev.turno.inbox.StoredMessage;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import dev.turno.testkit.node.SettableTime;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import dev.turno.worker.Backoff;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
class InboxContractTest {

    private static final Duration LONGEST_CLAIM = InboxOptions.defaults().work().longestClaim();

    private final FreshDatabase database;
    private final Cluster cluster;
    private final SettableTime time;
    private final Node nodeA;
    private final Node nodeB;
    private final Inbox inbox;

    InboxContractTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.stepwise(database);
        this.time = cluster.time();
        this.nodeA = cluster.node("node-a");
        this.nodeB = cluster.node("node-b");
        this.inbox = nodeA.inbox("orders");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    // ---- put

    @Test
    void a_message_is_stored_once_by_its_id() {
        assertThat(inbox.put("order-1", "{}")).isEqualTo(new PutOutcome.Stored());

        assertThat(inbox.put("order-1", "{}")).isEqualTo(new PutOutcome.Duplicate(InboxState.PENDING));
        assertThat(nodeB.inbox("orders").put("order-1", "{}")).isEqualTo(new PutOutcome.Duplicate(InboxState.PENDING));
        assertThat(nodeA.take("orders", 10)).hasSize(1);
    }

    @Test
    void the_same_id_with_another_body_is_refused_and_the_first_stays() {
        inbox.put("order-1", "first");

        assertThatThrownBy(() -> inbox.put("order-1", "second"))
                .isInstanceOf(MessageRefusedException.class)
                .hasMessageContaining("order-1")
                .hasMessageContaining("another body");

        assertThat(nodeA.takeOne("orders").row().body()).isEqualTo("first");
    }

    @Test
    void a_done_message_is_still_recognised_as_a_duplicate() {
        inbox.put("order-1", "{}");
        nodeA.done("orders", nodeA.takeOne("orders"));

        assertThat(inbox.put("order-1", "{}")).isEqualTo(new PutOutcome.Duplicate(InboxState.DONE));
        assertThat(nodeB.take("orders", 1)).isEmpty();
    }

    @Test
    void ids_that_differ_only_in_case_or_trailing_space_are_different_messages() {
        inbox.put("a", "1");

        assertThat(inbox.put("A", "2")).isEqualTo(new PutOutcome.Stored());
        assertThat(inbox.put("a ", "3")).isEqualTo(new PutOutcome.Stored());
    }

    @Test
    void texts_of_all_alphabets_come_back_as_they_were() {
        String body = "{\"ñandú\": \"日本語 😀 \\\" \\\\ \n\t ' ; -- \u0001\"}";
        inbox.put("ид-😀", body);
        inbox.putAll(List.of(NewMessage.of("lote-😀", body)));

        List<Taken<Message>> taken = nodeA.take("orders", 10);

        assertThat(taken).extracting(one -> one.row().body()).containsExactly(body, body);
        assertThat(taken).extracting(one -> one.row().id()).containsExactly("ид-😀", "lote-😀");
    }

    @Test
    void a_batch_tells_the_fate_of_each_message() {
        inbox.put("known", "{}");

        List<PutOutcome> outcomes = inbox.putAll(List.of(
                NewMessage.of("new", "{}"),
                NewMessage.of("known", "{}"),
                NewMessage.of("known", "other"),
                NewMessage.of("new", "{}"),
                NewMessage.of("new", "other")));

        assertThat(outcomes.get(0)).isEqualTo(new PutOutcome.Stored());
        assertThat(outcomes.get(1)).isEqualTo(new PutOutcome.Duplicate(InboxState.PENDING));
        assertThat(outcomes.get(2)).isInstanceOf(PutOutcome.Refused.class);
        assertThat(outcomes.get(3)).isEqualTo(new PutOutcome.Duplicate(InboxState.PENDING));
        assertThat(outcomes.get(4)).isInstanceOf(PutOutcome.Refused.class);
    }

    @Test
    void a_batch_larger_than_a_statement_is_stored_whole_and_in_order() {
        List<NewMessage> messages = IntStream.range(0, 2_500)
                .mapToObj(i -> NewMessage.of("m-" + i, "body " + i))
                .toList();

        List<PutOutcome> outcomes = inbox.putAll(messages);

        assertThat(outcomes).hasSize(2_500).containsOnly(new PutOutcome.Stored());
        assertThat(nodeA.take("orders", 2_500))
                .extracting(one -> one.row().id())
                .containsExactlyElementsOf(messages.stream().map(NewMessage::id).toList());
    }

    @Test
    void a_put_in_the_callers_transaction_is_there_only_after_its_commit() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            inbox.put(connection, NewMessage.of("order-1", "{}"));
            assertThat(nodeB.take("orders", 1)).isEmpty();
            connection.rollback();
            assertThat(nodeB.take("orders", 1)).isEmpty();

            inbox.put(connection, NewMessage.of("order-1", "{}"));
            connection.commit();
            connection.setAutoCommit(true);
        }

        assertThat(nodeB.take("orders", 1)).hasSize(1);
    }

    @Test
    void a_duplicate_in_the_callers_transaction_leaves_that_transaction_usable() throws SQLException {
        inbox.put("order-1", "{}");
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);

            assertThat(inbox.put(connection, NewMessage.of("order-1", "{}"))).isInstanceOf(PutOutcome.Duplicate.class);
            inbox.put(connection, NewMessage.of("order-2", "{}"));

            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(nodeA.take("orders", 10)).hasSize(2);
    }

    @Test
    void a_trace_travels_with_its_message_and_does_not_tell_two_puts_apart() {
        NewMessage plain = NewMessage.of("plain", "{}");
        NewMessage traced = NewMessage.of("traced", "{}").withTrace("traceparent: 00-1-2-01");
        inbox.put(plain);
        inbox.put(traced);
        inbox.putAll(List.of(NewMessage.of("in a batch", "{}").withTrace("traceparent: 00-3-4-01")));

        assertThat(inbox.put(traced.withTrace("another"))).isInstanceOf(PutOutcome.Duplicate.class);
        assertThat(nodeA.take("orders", 10))
                .extracting(
                        taken -> taken.row().id() + " " + taken.row().trace().orElse("none"))
                .containsExactlyInAnyOrder(
                        "plain none", "traced traceparent: 00-1-2-01", "in a batch traceparent: 00-3-4-01");
    }

    @Test
    void unusable_input_is_refused_before_anything_is_stored() {
        assertThatThrownBy(() -> inbox.put("", "{}"))
                .hasMessageContaining("message id")
                .hasMessageContaining("1 to 200");
        assertThatThrownBy(() -> inbox.put("x".repeat(201), "{}")).hasMessageContaining("201");
        assertThatThrownBy(() -> inbox.put("a", "x".repeat(262_145))).hasMessageContaining("max-body");
        assertThatThrownBy(() -> inbox.put("a", "nul \0 inside")).hasMessageContaining("NUL");
        assertThatThrownBy(() -> inbox.put("a", "half \uD800 a pair")).hasMessageContaining("surrogate");
        assertThatThrownBy(() -> inbox.put("\uDC00", "{}")).hasMessageContaining("surrogate");
        assertThatThrownBy(() -> NewMessage.of("a", "{}").at(Instant.MAX)).hasMessageContaining("9000");
        assertThatThrownBy(() -> Result.retryIn(Duration.ofDays(300 * 366), "later"))
                .hasMessageContaining("100 years");
        assertThatThrownBy(() -> Backoff.exponential(Duration.ZERO, Duration.ofSeconds(Long.MAX_VALUE)))
                .hasMessageContaining("a year");
        assertThatThrownBy(() -> NewMessage.of("a", "{}").withPriority(10)).hasMessageContaining("0 to 9");
        assertThatThrownBy(() -> NewMessage.of("a", "{}").after(Duration.ofSeconds(-1)))
                .hasMessageContaining("delay");
        assertThatThrownBy(() -> NewMessage.of("a", "{}").inOrderOf("k".repeat(201)))
                .hasMessageContaining("ordering key");
        assertThatThrownBy(() ->
                        inbox.putAll(List.of(NewMessage.of("good", "{}"), NewMessage.of("b", "x".repeat(262_145)))))
                .hasMessageContaining("Nothing was stored");
        assertThatThrownBy(() -> nodeA.inbox("x".repeat(101))).hasMessageContaining("name of an inbox");

        assertThat(inbox.counts().pending()).isZero();
    }

    @Test
    void a_batch_of_long_bodies_is_stored_however_little_the_server_takes_at_once() {
        Inbox wide = nodeA.inbox("wide", InboxOptions.of(o -> o.maxBody(InboxOptions.LONGEST_BODY)));
        List<NewMessage> messages = IntStream.range(0, 40)
                .mapToObj(i -> NewMessage.of("m" + i, "x".repeat(InboxOptions.LONGEST_BODY)))
                .toList();

        assertThat(wide.putAll(messages)).hasSize(40).containsOnly(new PutOutcome.Stored());
        assertThat(wide.putAll(messages)).hasSize(40).containsOnly(new PutOutcome.Duplicate(InboxState.PENDING));
    }

    @Test
    void batches_of_the_same_ids_at_once_are_stored_once() throws Exception {
        List<NewMessage> messages = IntStream.range(0, 200)
                .mapToObj(i -> NewMessage.of("m" + i, "{}"))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<List<PutOutcome>>> batches = Collections.nCopies(8, () -> inbox.putAll(messages));
            int stored = 0;
            for (Future<List<PutOutcome>> batch : threads.invokeAll(batches)) {
                stored += (int) batch.get().stream()
                        .filter(PutOutcome.Stored.class::isInstance)
                        .count();
            }
            assertThat(stored).isEqualTo(200);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void the_longest_id_key_and_body_fit() {
        Inbox wide = nodeA.inbox("wide", InboxOptions.of(o -> o.maxBody(InboxOptions.LONGEST_BODY)));
        String id = "😀".repeat(100);
        String body = "ñ".repeat(InboxOptions.LONGEST_BODY);

        wide.put(NewMessage.of(id, body).inOrderOf("k".repeat(200)));

        Message message = nodeA.takeOne("wide").row();
        assertThat(message.id()).isEqualTo(id);
        assertThat(message.body()).isEqualTo(body);
        assertThat(message.orderingKey()).contains("k".repeat(200));
    }

    // ---- take

    @Test
    void a_message_is_taken_by_one_holder_only() {
        inbox.put("order-1", "{}");

        assertThat(nodeA.take("orders", 10)).hasSize(1);
        assertThat(nodeB.take("orders", 10)).isEmpty();
        assertThat(inbox.find("order-1").orElseThrow().node()).contains("node-a");
    }

    @Test
    void no_more_is_taken_than_asked() {
        inbox.putAll(IntStream.range(0, 10)
                .mapToObj(i -> NewMessage.of("m" + i, "{}"))
                .toList());

        assertThat(nodeA.take("orders", 3)).hasSize(3);
        assertThat(nodeB.take("orders", 100)).hasSize(7);
    }

    @Test
    void a_higher_priority_goes_first_and_a_waiting_one_does_not_block() {
        inbox.put(NewMessage.of("low", "{}").withPriority(0));
        inbox.put(NewMessage.of("usual", "{}"));
        inbox.put(NewMessage.of("high", "{}").withPriority(9));
        inbox.put(NewMessage.of("high later", "{}").withPriority(9).after(Duration.ofMinutes(1)));

        assertThat(nodeA.take("orders", 10)).extracting(one -> one.row().id()).containsExactly("high", "usual", "low");
    }

    @Test
    void a_moment_beyond_all_nanoseconds_is_far_off() {
        inbox.put(NewMessage.of("hardly ever", "{}").at(Instant.parse("2999-12-31T00:00:00Z")));

        assertThat(inbox.rows().untilNextTurn().orElseThrow()).isGreaterThan(Duration.ofDays(300_000));
    }

    @Test
    void a_delayed_message_waits_for_its_moment() {
        inbox.put(NewMessage.of("later", "{}").after(Duration.ofSeconds(30)));
        inbox.put(NewMessage.of("at", "{}").at(time.now().orElseThrow().plusSeconds(60)));
        assertThat(nodeA.take("orders", 10)).isEmpty();
        assertThat(inbox.rows().untilNextTurn()).contains(Duration.ofSeconds(30));

        time.forward(Duration.ofSeconds(30));
        assertThat(nodeA.takeOne("orders").row().id()).isEqualTo("later");

        time.forward(Duration.ofSeconds(30));
        assertThat(nodeA.takeOne("orders").row().id()).isEqualTo("at");
    }

    @Test
    void inboxes_and_namespaces_do_not_see_each_other() {
        Node stranger = cluster.node(
                "stranger",
                dev.turno.TurnoOptions.defaults().withNamespace("other").withLease(Cluster.LEASE));
        inbox.put("order-1", "{}");

        assertThat(nodeA.take("invoices", 10)).isEmpty();
        assertThat(stranger.take("orders", 10)).isEmpty();
        assertThat(stranger.inbox("orders").put("order-1", "different")).isEqualTo(new PutOutcome.Stored());
        assertThat(nodeA.take("orders", 10)).hasSize(1);
    }

    @Test
    void a_paused_inbox_gives_nothing_to_anyone_until_it_is_resumed() {
        inbox.put("order-1", "{}");
        inbox.pause();

        assertThat(inbox.isPaused()).isTrue();
        assertThat(nodeB.take("orders", 1)).isEmpty();

        nodeB.inbox("orders").resume();
        assertThat(nodeB.take("orders", 1)).hasSize(1);
    }

    // ---- finish

    @Test
    void a_holder_that_lost_its_message_cannot_finish_it() {
        inbox.put("order-1", "{}");
        Taken<Message> slow = nodeA.takeOne("orders");

        time.forward(LONGEST_CLAIM.plusMillis(1));
        Taken<Message> quick = nodeB.takeOne("orders");

        assertThat(nodeA.done("orders", slow)).isInstanceOf(Finish.Lost.class);
        assertThat(nodeA.again("orders", slow, Duration.ZERO, "late")).isInstanceOf(Finish.Lost.class);
        assertThat(nodeA.dead("orders", slow, "late")).isInstanceOf(Finish.Lost.class);
        assertThat(nodeB.done("orders", quick)).isEqualTo(new Finish.Kept());
        assertThat(quick.claim().fence()).isGreaterThan(slow.claim().fence());
    }

    @Test
    void the_key_is_the_same_at_every_try_and_the_attempt_and_fence_grow() {
        inbox.put("order-1", "{}");
        Taken<Message> first = nodeA.takeOne("orders");
        nodeA.again("orders", first, Duration.ZERO, "boom");
        Taken<Message> second = nodeB.takeOne("orders");

        assertThat(second.key()).isEqualTo(first.key());
        assertThat(second.attempt()).isEqualTo(first.attempt() + 1).isEqualTo(2);
        assertThat(second.claim().fence()).isGreaterThan(first.claim().fence());
    }

    @Test
    void a_claim_that_lapsed_but_that_nobody_took_over_can_still_be_finished() {
        inbox.put("order-1", "{}");
        Taken<Message> taken = nodeA.takeOne("orders");

        time.forward(LONGEST_CLAIM.multipliedBy(2));

        assertThat(nodeA.done("orders", taken)).isEqualTo(new Finish.Kept());
    }

    @Test
    void repeating_ones_own_finish_is_kept_because_its_answer_may_have_been_lost() {
        inbox.putAll(List.of(NewMessage.of("done", "{}"), NewMessage.of("dead", "{}"), NewMessage.of("again", "{}")));
        List<Taken<Message>> taken = nodeA.take("orders", 3);

        for (int i = 0; i < 2; i++) {
            assertThat(nodeA.done("orders", taken.get(0))).isEqualTo(new Finish.Kept());
            assertThat(nodeA.dead("orders", taken.get(1), "no")).isEqualTo(new Finish.Kept());
            assertThat(nodeA.again("orders", taken.get(2), Duration.ofSeconds(9), "boom"))
                    .isEqualTo(new Finish.Kept());
        }
        assertThat(nodeA.dead("orders", taken.get(2), "no")).isInstanceOf(Finish.Lost.class);
    }

    @Test
    void a_batch_with_lost_claims_keeps_the_others() {
        inbox.putAll(IntStream.range(0, 20)
                .mapToObj(i -> NewMessage.of("m" + i, "{}"))
                .toList());
        List<Taken<Message>> taken = nodeA.take("orders", 20);
        time.forward(LONGEST_CLAIM.plusMillis(1));
        List<Taken<Message>> over = nodeB.take("orders", 5);
        List<Long> lostIds = over.stream().map(one -> one.claim().id()).toList();

        List<Finish> finishes = nodeA.inbox("orders")
                .rows()
                .finish(
                        nodeA.turno().holder(),
                        taken.stream().map(one -> new Verdict.Done(one.claim())).toList());

        for (int i = 0; i < 20; i++) {
            boolean lost = lostIds.contains(taken.get(i).claim().id());
            assertThat(finishes.get(i)).isInstanceOf(lost ? Finish.Lost.class : Finish.Kept.class);
        }
        assertThat(inbox.counts().done()).isEqualTo(15);
        assertThat(inbox.counts().doing()).isEqualTo(5);
    }

    @Test
    void a_retry_comes_back_after_its_wait_with_the_error_shown() {
        inbox.put("order-1", "{}");
        nodeA.again("orders", nodeA.takeOne("orders"), Duration.ofSeconds(10), "the gateway said no");

        assertThat(nodeB.take("orders", 1)).isEmpty();
        assertThat(inbox.find("order-1").orElseThrow().error()).contains("the gateway said no");

        time.forward(Duration.ofSeconds(10));
        assertThat(nodeB.take("orders", 1)).hasSize(1);
    }

    @Test
    void without_retention_a_finished_message_is_gone_and_its_id_is_free_again() {
        Inbox quick = nodeA.inbox("quick", InboxOptions.of(InboxOptions.Builder::keepNone));
        quick.put("a", "1");
        Taken<Message> taken = nodeA.takeOne("quick");
        assertThat(quick.put("a", "1")).isEqualTo(new PutOutcome.Duplicate(InboxState.DOING));

        assertThat(nodeA.done("quick", taken)).isEqualTo(new Finish.Kept());

        assertThat(quick.find("a")).isEmpty();
        assertThat(nodeA.done("quick", taken)).isEqualTo(new Finish.Unknown());
        assertThat(quick.put("a", "2")).isEqualTo(new PutOutcome.Stored());
        assertThat(nodeA.takeOne("quick").key()).isNotEqualTo(taken.key());
    }

    @Test
    void a_claim_that_never_was_is_not_finished() {
        inbox.put("order-1", "{}");
        Taken<Message> taken = nodeA.takeOne("orders");
        long id = taken.claim().id();

        assertThat(nodeA.finish("orders", new Verdict.Done(new Claim(id, 99)))).isInstanceOf(Finish.Lost.class);
        assertThat(nodeA.finish("orders", new Verdict.Done(new Claim(id + 1_000, 1))))
                .isEqualTo(new Finish.Unknown());
        assertThat(inbox.find("order-1").orElseThrow().state()).isEqualTo(InboxState.DOING);
    }

    // ---- finish in the handler's transaction

    @Test
    void effects_and_finish_in_one_transaction_happen_together() throws SQLException {
        inbox.put("order-1", "{}");
        Taken<Message> taken = nodeA.takeOne("orders");
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(inbox.rows().finishIn(connection, nodeA.turno().holder(), taken.claim()))
                    .isEqualTo(new Finish.Kept());
            connection.rollback();
            assertThat(inbox.find("order-1").orElseThrow().state()).isEqualTo(InboxState.DOING);

            inbox.rows().finishIn(connection, nodeA.turno().holder(), taken.claim());
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(inbox.find("order-1").orElseThrow().state()).isEqualTo(InboxState.DONE);
    }

    @Test
    void settling_tells_whether_the_handlers_transaction_committed() throws SQLException {
        inbox.putAll(List.of(
                NewMessage.of("committed", "{}"), NewMessage.of("rolled back", "{}"), NewMessage.of("open", "{}")));
        List<Taken<Message>> taken = nodeA.take("orders", 3);
        List<Verdict> settle = new ArrayList<>();
        taken.forEach(one -> settle.add(new Verdict.Settle(one.claim(), Duration.ofSeconds(5), "rolled back")));
        try (Connection committed = database.dataSource().getConnection();
                Connection open = database.dataSource().getConnection()) {
            inbox.rows()
                    .finishIn(committed, nodeA.turno().holder(), taken.get(0).claim());
            open.setAutoCommit(false);
            inbox.rows().finishIn(open, nodeA.turno().holder(), taken.get(2).claim());

            List<Finish> finishes = inbox.rows().finish(nodeA.turno().holder(), settle);

            assertThat(finishes).containsExactly(new Finish.Kept(), new Finish.Undone(), new Finish.Open());
            open.rollback();
            open.setAutoCommit(true);
        }
        assertThat(inbox.find("rolled back").orElseThrow().state()).isEqualTo(InboxState.PENDING);
    }

    // ---- give back, liveness

    @Test
    void what_is_given_back_can_be_taken_at_once_and_costs_no_attempt() {
        inbox.put("order-1", "{}");
        Taken<Message> taken = nodeA.takeOne("orders");

        assertThat(inbox.rows().giveBack(nodeA.turno().holder(), List.of(taken.claim())))
                .isEqualTo(1);

        Taken<Message> again = nodeB.takeOne("orders");
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(again.claim().fence()).isGreaterThan(taken.claim().fence());
        assertThat(nodeA.done("orders", taken)).isInstanceOf(Finish.Lost.class);
    }

    @Test
    void rows_whose_taking_was_not_answered_are_given_back_but_known_ones_are_not() {
        inbox.putAll(List.of(NewMessage.of("known", "{}"), NewMessage.of("answer lost", "{}")));
        List<Taken<Message>> taken = nodeA.take("orders", 2);
        HolderId holder = nodeA.turno().holder();

        assertThat(inbox.rows().giveBackUnknown(holder, List.of(taken.get(0).claim())))
                .isEqualTo(1);
        assertThat(inbox.rows().giveBackUnknown(holder, List.of(taken.get(0).claim())))
                .isZero();

        assertThat(nodeB.takeOne("orders").row().id()).isEqualTo("answer lost");
        assertThat(nodeA.done("orders", taken.get(0))).isEqualTo(new Finish.Kept());
    }

    @Test
    void an_older_claim_to_a_row_does_not_hide_that_its_newest_taking_was_not_answered() {
        inbox.put("order-1", "{}");
        Taken<Message> old = nodeA.takeOne("orders");
        time.forward(LONGEST_CLAIM.multipliedBy(2));
        nodeA.beat();
        Taken<Message> unanswered = nodeA.takeOne("orders");

        assertThat(inbox.rows().giveBackUnknown(nodeA.turno().holder(), List.of(old.claim())))
                .isEqualTo(1);

        assertThat(nodeA.done("orders", unanswered)).isInstanceOf(Finish.Lost.class);
    }

    @Test
    void what_a_dead_holder_had_can_be_taken_over_and_its_late_finish_is_lost() {
        inbox.put("order-1", "{}");
        cluster.live(Cluster.LEASE, nodeA, nodeB);
        Taken<Message> taken = nodeA.takeOne("orders");
        HolderId dead = nodeA.turno().holder();

        cluster.live(Cluster.LEASE.plusSeconds(1), nodeB);

        Taken<Message> over = nodeB.takeOne("orders");
        assertThat(over.attempt()).isEqualTo(2);
        assertThat(inbox.rows()
                        .finish(dead, List.of(new Verdict.Done(taken.claim())))
                        .get(0))
                .isInstanceOf(Finish.Lost.class);
        assertThat(nodeB.turno().counters().count("turno.holders.reaped")).isEqualTo(1);
    }

    @Test
    void a_holder_that_was_declared_dead_takes_nothing_until_it_has_a_new_id() {
        inbox.put("order-1", "{}");
        cluster.live(Cluster.LEASE, nodeA, nodeB);
        HolderId before = nodeA.turno().holder();
        cluster.live(Cluster.LEASE.plusSeconds(1), nodeB);

        assertThat(nodeA.take("orders", 1)).isEmpty();

        nodeA.beat();
        assertThat(nodeA.turno().holder()).isNotEqualTo(before);
        assertThat(nodeA.turno().counters().count("turno.holder.declared.dead")).isEqualTo(1);
        assertThat(nodeA.take("orders", 1)).hasSize(1);
    }

    @Test
    void a_take_that_was_in_flight_when_its_holder_was_declared_dead_can_be_taken_over() {
        inbox.put("order-1", "{}");
        Taken<Message> taken = nodeA.takeOne("orders");
        cluster.live(Cluster.LEASE.multipliedBy(3), nodeB);
        assertThat(nodeB.take("orders", 1)).hasSize(1);
        // As if the statement had reached the database before the declaration and committed after it.
        update("update turno_inbox set holder = " + nodeA.turno().holder().value() + ", fence = 9");

        assertThat(nodeB.take("orders", 1)).hasSize(1);
        assertThat(nodeA.done("orders", taken)).isInstanceOf(Finish.Lost.class);
    }

    @Test
    void what_a_dead_holder_had_is_freed_before_its_name_is_forgotten() {
        inbox.put("order-1", "{}");
        nodeA.takeOne("orders");

        cluster.live(Duration.ofMinutes(12), nodeB);

        assertThat(nodeB.turno().holders()).extracting(Holder::node).containsExactly("node-b");
        StoredMessage freed = inbox.find("order-1").orElseThrow();
        assertThat(freed.state()).isEqualTo(InboxState.PENDING);
        assertThat(freed.node()).isEmpty();
        assertThat(nodeB.takeOne("orders").attempt()).isEqualTo(2);
    }

    @Test
    void who_is_slow_to_forget_the_dead_goes_on_giving_signs_of_life() throws Exception {
        TrickySource way = new TrickySource(database.dataSource());
        Node slow = cluster.nodeOn(way.source(), "slow", TurnoOptions.defaults().withLease(Cluster.LEASE));
        cluster.live(Duration.ofMinutes(10), slow); // the others are dead for almost as long
        TrickySource.Halt halt = way.haltBefore("delete from turno_holder");
        CompletableFuture<Void> forgetting =
                CompletableFuture.runAsync(() -> cluster.live(Duration.ofMinutes(3), slow));
        halt.awaitSomebody();
        Instant before = leaseOf("slow");

        time.forward(Cluster.LEASE.dividedBy(3));
        try {
            CompletableFuture.runAsync(slow::beat).get(20, TimeUnit.SECONDS);
            assertThat(leaseOf("slow")).isAfter(before);
        } finally {
            halt.goOn();
        }
        forgetting.get(60, TimeUnit.SECONDS);
        assertThat(slow.turno().holders()).extracting(Holder::node).containsExactly("slow");
    }

    private Instant leaseOf(String node) {
        return nodeB.turno().holders().stream()
                .filter(holder -> holder.node().equals(node))
                .findFirst()
                .orElseThrow()
                .leaseUntil();
    }

    @Test
    void a_holder_that_lapsed_unnoticed_loses_nothing() {
        inbox.put("order-1", "{}");
        Taken<Message> taken = nodeA.takeOne("orders");

        time.forward(Cluster.LEASE.multipliedBy(4));
        nodeA.beat();

        assertThat(nodeA.turno().counters().count("turno.holder.declared.dead")).isZero();
        assertThat(nodeA.done("orders", taken)).isEqualTo(new Finish.Kept());
    }

    @Test
    void after_an_outage_nobody_is_declared_dead_until_a_whole_lease_was_renewed() {
        inbox.put("order-1", "{}");
        cluster.live(Cluster.LEASE, nodeA, nodeB);
        Taken<Message> taken = nodeA.takeOne("orders");
        time.forward(Duration.ofMinutes(1)); // the database is away: nobody can renew

        nodeB.beat();
        nodeA.beat();

        assertThat(nodeB.turno().counters().count("turno.holders.reaped")).isZero();
        assertThat(nodeA.done("orders", taken)).isEqualTo(new Finish.Kept());
        cluster.live(Cluster.LEASE.multipliedBy(3), nodeB);
        assertThat(nodeB.turno().counters().count("turno.holders.reaped")).isEqualTo(1);
    }

    @Test
    void the_connections_of_a_pool_come_and_go() {
        inbox.put("before", "{}");

        // Also those that made the tables.
        ((HikariDataSource) database.dataSource()).getHikariPoolMXBean().softEvictConnections();

        assertThat(inbox.put("after", "{}")).isEqualTo(new PutOutcome.Stored());
        assertThat(nodeB.take("orders", 10)).hasSize(2);
    }

    @Test
    void whoever_gives_signs_of_life_is_not_declared_dead() {
        HolderId a = nodeA.turno().holder();
        HolderId b = nodeB.turno().holder();

        cluster.live(Cluster.LEASE.multipliedBy(4), nodeA, nodeB);

        assertThat(nodeA.turno().holder()).isEqualTo(a);
        assertThat(nodeB.turno().holder()).isEqualTo(b);
        assertThat(nodeA.turno().holders()).allMatch(holder -> holder.reapedAt().isEmpty());
    }

    @Test
    void whoever_renews_between_being_found_lapsed_and_being_declared_dead_lives_on() {
        // Both lapse; when the first is declared dead, the other one renews at the last moment.
        Watcher lastMoment = event -> {
            if (event instanceof WorkEvent.Reaped reaped) {
                (reaped.node().equals("node-a") ? nodeB : nodeA).beat();
            }
        };
        Node observer = cluster.node(
                "observer", TurnoOptions.defaults().withLease(Cluster.LEASE).withWatcher(lastMoment));

        cluster.live(Cluster.LEASE.plusSeconds(1), observer);

        assertThat(observer.turno().counters().count("turno.holders.reaped")).isEqualTo(1);
    }

    @Test
    void a_node_that_signs_off_is_not_waited_for() {
        inbox.put("order-1", "{}");
        nodeA.takeOne("orders");
        nodeA.turno().close();

        cluster.live(Duration.ofSeconds(2), nodeB);

        assertThat(nodeB.take("orders", 1)).hasSize(1);
    }

    // ---- ordering keys

    @Test
    void messages_of_one_key_run_one_after_the_other_in_the_order_of_their_puts() {
        inbox.put(NewMessage.of("a1", "{}").inOrderOf("a"));
        inbox.put(NewMessage.of("a2", "{}").inOrderOf("a").withPriority(9));
        inbox.putAll(List.of(
                NewMessage.of("a3", "{}").inOrderOf("a"),
                NewMessage.of("b1", "{}").inOrderOf("b"),
                NewMessage.of("free", "{}")));

        List<Taken<Message>> first = nodeA.take("orders", 10);
        assertThat(first).extracting(one -> one.row().id()).containsExactlyInAnyOrder("a1", "b1", "free");
        assertThat(nodeB.take("orders", 10)).isEmpty();

        Taken<Message> a1 = first.stream()
                .filter(one -> one.row().id().equals("a1"))
                .findFirst()
                .orElseThrow();
        assertThat(nodeA.done("orders", a1)).isEqualTo(new Finish.Kept());
        Taken<Message> a2 = nodeB.takeOne("orders");
        assertThat(a2.row().id()).isEqualTo("a2");
        assertThat(nodeA.take("orders", 10)).isEmpty();
        assertThat(nodeB.done("orders", a2)).isEqualTo(new Finish.Kept());
        assertThat(nodeA.takeOne("orders").row().id()).isEqualTo("a3");
    }

    @Test
    void a_retry_blocks_its_key_and_a_dead_message_frees_it() {
        inbox.putAll(List.of(
                NewMessage.of("a1", "{}").inOrderOf("a"),
                NewMessage.of("a2", "{}").inOrderOf("a")));
        nodeA.again("orders", nodeA.takeOne("orders"), Duration.ofSeconds(10), "boom");
        assertThat(nodeA.take("orders", 10)).isEmpty();

        time.forward(Duration.ofSeconds(10));
        Taken<Message> a1 = nodeA.takeOne("orders");
        assertThat(a1.row().id()).isEqualTo("a1");
        assertThat(nodeA.dead("orders", a1, "hopeless")).isEqualTo(new Finish.Kept());

        assertThat(nodeA.takeOne("orders").row().id()).isEqualTo("a2");
    }

    @Test
    void by_choice_a_dead_message_blocks_its_key_until_it_is_revived_or_cancelled() {
        InboxOptions blocking = InboxOptions.of(o -> o.deadBlocksItsKey(true));
        Inbox strict = nodeA.inbox("strict", blocking);
        strict.putAll(List.of(
                NewMessage.of("a1", "{}").inOrderOf("a"),
                NewMessage.of("a2", "{}").inOrderOf("a")));
        nodeA.dead("strict", nodeA.takeOne("strict"), "hopeless");
        assertThat(nodeA.take("strict", 10)).isEmpty();

        strict.revive("a1");
        Taken<Message> a1 = nodeA.takeOne("strict");
        assertThat(a1.row().id()).isEqualTo("a1");
        nodeA.dead("strict", a1, "hopeless still");
        assertThat(strict.cancel("a1")).isTrue();

        assertThat(nodeA.takeOne("strict").row().id()).isEqualTo("a2");
    }

    @Test
    void cancelling_the_head_of_a_key_gives_the_turn_to_the_next() {
        inbox.putAll(List.of(
                NewMessage.of("a1", "{}").inOrderOf("a").after(Duration.ofHours(1)),
                NewMessage.of("a2", "{}").inOrderOf("a")));
        assertThat(nodeA.take("orders", 10)).isEmpty();

        assertThat(inbox.cancel("a1")).isTrue();

        assertThat(nodeA.takeOne("orders").row().id()).isEqualTo("a2");
    }

    @Test
    void a_revived_message_waits_for_the_one_of_its_key_that_is_under_way() {
        inbox.putAll(List.of(
                NewMessage.of("a1", "{}").inOrderOf("a"),
                NewMessage.of("a2", "{}").inOrderOf("a")));
        nodeA.dead("orders", nodeA.takeOne("orders"), "hopeless");
        Taken<Message> a2 = nodeA.takeOne("orders");

        inbox.revive("a1");
        assertThat(nodeB.take("orders", 10)).isEmpty();

        nodeA.done("orders", a2);
        assertThat(nodeB.takeOne("orders").row().id()).isEqualTo("a1");
    }

    @Test
    void a_duplicate_put_does_not_disturb_its_key() {
        inbox.put(NewMessage.of("a1", "{}").inOrderOf("a"));
        assertThat(inbox.put(NewMessage.of("a1", "{}").inOrderOf("a"))).isInstanceOf(PutOutcome.Duplicate.class);
        inbox.put(NewMessage.of("a2", "{}").inOrderOf("a"));

        nodeA.done("orders", nodeA.takeOne("orders"));

        assertThat(nodeA.takeOne("orders").row().id()).isEqualTo("a2");
    }

    @Test
    void finishing_in_the_handlers_transaction_moves_the_key_on_with_its_commit() throws SQLException {
        inbox.putAll(List.of(
                NewMessage.of("a1", "{}").inOrderOf("a"),
                NewMessage.of("a2", "{}").inOrderOf("a")));
        Taken<Message> a1 = nodeA.takeOne("orders");
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(inbox.rows().finishIn(connection, nodeA.turno().holder(), a1.claim()))
                    .isEqualTo(new Finish.Kept());
            assertThat(nodeB.take("orders", 1)).isEmpty();
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(nodeB.takeOne("orders").row().id()).isEqualTo("a2");
    }

    @Test
    void who_lost_a_message_in_order_while_he_waited_for_its_key_cannot_commit_though_the_row_is_gone()
            throws Exception {
        // There the first look keeps the row locked, so nobody can take it over.
        assumeThat(database.kind()).isNotEqualTo(TestDatabase.MARIADB);
        Inbox quick = nodeA.inbox("quick", InboxOptions.of(InboxOptions.Builder::keepNone));
        nodeB.inbox("quick", InboxOptions.of(InboxOptions.Builder::keepNone));
        quick.put(NewMessage.of("a1", "{}").inOrderOf("a"));
        Taken<Message> late = nodeA.takeOne("quick");
        TrickySource way = new TrickySource(database.dataSource());
        TrickySource.Halt beforeTheKey = way.haltBefore("select id from turno_lane where id = ? for update");
        try (Connection connection = way.source().getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            CompletableFuture<Finish> finish = CompletableFuture.supplyAsync(() -> finishIn(quick, connection, late));
            try {
                beforeTheKey.awaitSomebody();
                time.forward(LONGEST_CLAIM.plusMillis(1));
                nodeB.done("quick", nodeB.takeOne("quick"));
            } finally {
                beforeTheKey.goOn();
            }

            assertThat(finish.get(60, TimeUnit.SECONDS)).isNotInstanceOf(Finish.Kept.class);
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private Finish finishIn(Inbox of, Connection connection, Taken<Message> taken) {
        try {
            return of.rows().finishIn(connection, nodeA.turno().holder(), taken.claim());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_handlers_transaction_that_read_early_gives_the_turn_to_what_was_put_since() throws SQLException {
        inbox.put(NewMessage.of("a1", "{}").inOrderOf("a"));
        Taken<Message> a1 = nodeA.takeOne("orders");
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            read(connection); // a repeatable snapshot begins here
            inbox.put(NewMessage.of("a2", "{}").inOrderOf("a"));
            inbox.rows().finishIn(connection, nodeA.turno().holder(), a1.claim());
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(nodeB.takeOne("orders").row().id()).isEqualTo("a2");
    }

    @Test
    void a_put_in_a_transaction_that_read_early_does_not_wait_for_what_was_done_since() throws SQLException {
        inbox.put(NewMessage.of("a1", "{}").inOrderOf("a"));
        Taken<Message> a1 = nodeA.takeOne("orders");
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            read(connection);
            nodeA.done("orders", a1);
            inbox.put(connection, NewMessage.of("a2", "{}").inOrderOf("a"));
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(nodeB.takeOne("orders").row().id()).isEqualTo("a2");
    }

    @Test
    void what_was_done_and_removed_since_the_callers_transaction_read_can_be_put_again_and_has_its_turn()
            throws SQLException {
        Inbox quick = nodeA.inbox("quick", InboxOptions.of(InboxOptions.Builder::keepNone));
        NewMessage a1 = NewMessage.of("a1", "{}").inOrderOf("a");
        NewMessage b1 = NewMessage.of("b1", "{}").inOrderOf("b");
        quick.putAll(List.of(a1, b1));
        List<Taken<Message>> before = nodeA.take("quick", 2);
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            read(connection);
            before.forEach(one -> nodeA.done("quick", one));
            assertThat(quick.put(connection, a1)).isEqualTo(new PutOutcome.Stored());
            assertThat(quick.putAll(connection, List.of(b1))).containsExactly(new PutOutcome.Stored());
            connection.commit();
            connection.setAutoCommit(true);
        }

        assertThat(nodeA.take("quick", 2)).extracting(one -> one.row().id()).containsExactlyInAnyOrder("a1", "b1");
    }

    @Test
    void a_key_that_somebody_puts_to_in_an_open_transaction_does_not_keep_the_verdicts_on_others_waiting()
            throws Exception {
        inbox.putAll(List.of(
                NewMessage.of("a1", "{}").inOrderOf("a"),
                NewMessage.of("b1", "{}").inOrderOf("b"),
                NewMessage.of("c1", "{}").inOrderOf("c")));
        List<Taken<Message>> taken = nodeA.take("orders", 3);
        List<Verdict.Done> verdicts =
                taken.stream().map(one -> new Verdict.Done(one.claim())).toList();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            inbox.put(connection, NewMessage.of("b2", "{}").inOrderOf("b"));

            List<Finish> finishes = CompletableFuture.supplyAsync(
                            () -> inbox.rows().finish(nodeA.turno().holder(), verdicts))
                    .get(5, TimeUnit.SECONDS);

            assertThat(finishes).containsExactly(new Finish.Kept(), new Finish.Open(), new Finish.Kept());
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(inbox.rows().finish(nodeA.turno().holder(), verdicts)).containsOnly(new Finish.Kept());
        assertThat(nodeB.takeOne("orders").row().id()).isEqualTo("b2");
    }

    @Test
    void a_key_that_is_locked_for_a_moment_is_waited_for_in_line_with_those_who_put() throws Exception {
        inbox.put(NewMessage.of("a1", "{}").inOrderOf("a"));
        Taken<Message> a1 = nodeA.takeOne("orders");
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            inbox.put(connection, NewMessage.of("a2", "{}").inOrderOf("a"));
            CompletableFuture<Void> commit = committed(connection);

            assertThat(nodeA.done("orders", a1)).isEqualTo(new Finish.Kept());
            commit.get();
            connection.setAutoCommit(true);
        }
        assertThat(nodeB.takeOne("orders").row().id()).isEqualTo("a2");
    }

    @Test
    void verdicts_on_locked_keys_are_not_waited_for_one_by_one() throws Exception {
        List<NewMessage> messages = IntStream.range(0, 24)
                .mapToObj(i -> NewMessage.of("m" + i, "{}").inOrderOf("key " + i))
                .toList();
        inbox.putAll(messages);
        List<Verdict.Done> verdicts = nodeA.take("orders", 24).stream()
                .map(one -> new Verdict.Done(one.claim()))
                .toList();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            inbox.putAll(
                    connection,
                    IntStream.range(0, 24)
                            .mapToObj(i -> NewMessage.of("later " + i, "{}").inOrderOf("key " + i))
                            .toList());

            List<Finish> finishes = CompletableFuture.supplyAsync(
                            () -> inbox.rows().finish(nodeA.turno().holder(), verdicts))
                    .get(4, TimeUnit.SECONDS); // one by one it takes six seconds

            assertThat(finishes).hasSize(24).containsOnly(new Finish.Open());
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThat(inbox.rows().finish(nodeA.turno().holder(), verdicts)).containsOnly(new Finish.Kept());
    }

    @Test
    void a_key_that_stays_locked_does_not_keep_others_from_being_waited_for_in_line() throws Exception {
        inbox.putAll(List.of(
                NewMessage.of("a1", "{}").inOrderOf("a"),
                NewMessage.of("b1", "{}").inOrderOf("b")));
        List<Verdict.Done> verdicts = nodeA.take("orders", 2).stream()
                .map(one -> new Verdict.Done(one.claim()))
                .toList();
        try (Connection ofA = database.dataSource().getConnection();
                Connection ofB = database.dataSource().getConnection()) {
            ofA.setAutoCommit(false);
            ofB.setAutoCommit(false);
            inbox.put(ofA, NewMessage.of("a2", "{}").inOrderOf("a"));
            inbox.put(ofB, NewMessage.of("b2", "{}").inOrderOf("b"));
            HolderId holder = nodeA.turno().holder();
            assertThat(inbox.rows().finish(holder, verdicts)).containsOnly(new Finish.Open());
            time.forward(Duration.ofMillis(100));

            CompletableFuture<Void> commit = committed(ofB);
            assertThat(inbox.rows().finish(holder, verdicts)).containsExactly(new Finish.Open(), new Finish.Kept());
            commit.get();
            ofA.rollback();
            ofA.setAutoCommit(true);
            ofB.setAutoCommit(true);
        }
    }

    @Test
    void the_more_keys_stay_locked_the_less_often_each_of_them_is_waited_for() throws Exception {
        TrickySource way = new TrickySource(database.dataSource());
        Node node =
                cluster.nodeOn(way.source(), "node-c", TurnoOptions.defaults().withLease(Cluster.LEASE));
        Inbox orders = node.inbox("orders");
        inbox.putAll(IntStream.range(0, 4)
                .mapToObj(i -> NewMessage.of("m" + i, "{}").inOrderOf("key " + i))
                .toList());
        List<Verdict.Done> verdicts = node.take("orders", 4).stream()
                .map(one -> new Verdict.Done(one.claim()))
                .toList();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            inbox.putAll(
                    connection,
                    IntStream.range(0, 4)
                            .mapToObj(i -> NewMessage.of("later " + i, "{}").inOrderOf("key " + i))
                            .toList());

            for (int i = 0; i < 80; i++) {
                assertThat(orders.rows().finish(node.turno().holder(), verdicts))
                        .containsOnly(new Finish.Open());
                time.forward(Duration.ofMillis(100));
            }

            // Each once at first, then together once in two seconds; sixteen if each rested for two seconds.
            assertThat(way.asked("turno_lane where id = ? for update")).isBetween(4, 8);
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    @Test
    void a_verdict_on_a_message_that_somebody_has_locked_is_open_also_if_its_key_was_waited_for() throws Exception {
        assumeThat(database.kind()).isNotEqualTo(TestDatabase.MARIADB); // where the wait for a row has no limit of ours
        inbox.put(NewMessage.of("a1", "{}").inOrderOf("a"));
        Taken<Message> a1 = nodeA.takeOne("orders");
        try (Connection ofKey = database.dataSource().getConnection();
                Connection ofMessage = database.dataSource().getConnection()) {
            ofKey.setAutoCommit(false);
            ofMessage.setAutoCommit(false);
            inbox.put(ofKey, NewMessage.of("a2", "{}").inOrderOf("a"));
            try (Statement statement = ofMessage.createStatement()) {
                statement.executeQuery("select id from turno_inbox where message_id = 'a1' for update");
            }
            CompletableFuture<Void> commit = committed(ofKey);

            assertThat(nodeA.done("orders", a1)).isEqualTo(new Finish.Open());
            commit.get();
            ofMessage.rollback();
            ofKey.setAutoCommit(true);
            ofMessage.setAutoCommit(true);
        }
        assertThat(nodeA.done("orders", a1)).isEqualTo(new Finish.Kept());
        assertThat(nodeB.takeOne("orders").row().id()).isEqualTo("a2");
    }

    /** In a moment; much later, and whoever waits for a locked key for a quarter of a second would have given up. */
    private static CompletableFuture<Void> committed(Connection connection) {
        return CompletableFuture.runAsync(() -> {
            try {
                Thread.sleep(50);
                connection.commit();
            } catch (SQLException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void whoever_revives_several_keys_locks_them_in_the_order_of_those_who_put_to_them() throws Exception {
        inbox.put(NewMessage.of("b1", "{}").inOrderOf("b")); // the first lane has the last name
        inbox.put(NewMessage.of("a1", "{}").inOrderOf("a"));
        nodeA.take("orders", 2).forEach(one -> nodeA.dead("orders", one, "hopeless"));
        TrickySource way = new TrickySource(database.dataSource());
        Inbox revived = cluster.nodeOn(
                        way.source(), "node-c", TurnoOptions.defaults().withLease(Cluster.LEASE))
                .inbox("orders");
        TrickySource.Halt withOneKey = way.haltAfter("select id from turno_lane where id = ? for update");
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            inbox.put(connection, NewMessage.of("a2", "{}").inOrderOf("a"));
            CompletableFuture<Integer> revival =
                    CompletableFuture.supplyAsync(() -> revived.reviveAll(Optional.empty()));
            Thread.sleep(300); // it has a key, or waits for one
            CompletableFuture<Void> put = CompletableFuture.runAsync(() -> put(connection, "b2", "b"));
            Thread.sleep(300);
            withOneKey.goOn();

            put.get(60, TimeUnit.SECONDS);
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(revival.get(60, TimeUnit.SECONDS)).isEqualTo(2);
        } finally {
            withOneKey.goOn();
        }
    }

    private void put(Connection connection, String id, String orderingKey) {
        try {
            inbox.put(connection, NewMessage.of(id, "{}").inOrderOf(orderingKey));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_renewal_passes_over_what_somebody_has_locked() throws Exception {
        inbox.put("a", "{}");
        inbox.put("b", "{}");
        List<Claim> claims = nodeA.take("orders", 2).stream().map(Taken::claim).toList();
        try (Connection other = database.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeQuery(
                    "select id from turno_inbox where id = " + claims.get(0).id() + " for update");

            assertThat(CompletableFuture.supplyAsync(
                                    () -> inbox.renew(nodeA.turno().holder(), claims))
                            .get(3, TimeUnit.SECONDS))
                    .isEqualTo(1);
            other.rollback();
            other.setAutoCommit(true);
        }
        assertThat(inbox.renew(nodeA.turno().holder(), claims)).isEqualTo(2);
    }

    @Test
    void a_key_that_was_removed_since_it_was_used_here_begins_anew() {
        inbox.put(NewMessage.of("k1", "{}").inOrderOf("k"));
        inbox.done(nodeA.turno().holder(), nodeA.take("orders", 1).get(0).claim());
        time.forward(Duration.ofDays(8));
        assertThat(inbox.prune()).isFalse();
        assertThat(inbox.put("k1", "{}")).isEqualTo(new PutOutcome.Stored()); // nothing refers to the key any more

        inbox.put(NewMessage.of("k2", "{}").inOrderOf("k"));
        inbox.put(NewMessage.of("k3", "{}").inOrderOf("k"));

        assertThat(nodeB.take("orders", 10)).extracting(one -> one.row().id()).containsExactlyInAnyOrder("k1", "k2");
    }

    @Test
    void a_key_that_was_removed_though_it_was_used_here_lately_begins_anew() {
        Inbox shortly = nodeA.inbox("orders", InboxOptions.of(o -> o.keep(Duration.ofMinutes(5))));
        for (String id : List.of("k1", "k2")) { // used again after a while, so that its row is known for certain
            time.forward(Duration.ofMinutes(2));
            shortly.put(NewMessage.of(id, "{}").inOrderOf("k"));
            shortly.done(nodeA.turno().holder(), nodeA.take("orders", 1).get(0).claim());
        }
        time.forward(Duration.ofMinutes(6));
        assertThat(shortly.prune()).isFalse();

        shortly.put(NewMessage.of("k3", "{}").inOrderOf("k"));
        shortly.put(NewMessage.of("k4", "{}").inOrderOf("k"));

        assertThat(nodeB.take("orders", 10)).extracting(one -> one.row().id()).containsExactly("k3");
    }

    @Test
    void a_key_whose_first_put_was_rolled_back_begins_anew() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            inbox.put(connection, NewMessage.of("k1", "{}").inOrderOf("k"));
            connection.rollback();

            inbox.put(connection, NewMessage.of("k2", "{}").inOrderOf("k"));
            inbox.put(connection, NewMessage.of("k3", "{}").inOrderOf("k"));
            connection.commit();
            connection.setAutoCommit(true);
        }

        assertThat(nodeB.take("orders", 10)).extracting(one -> one.row().id()).containsExactly("k2");
    }

    @Test
    void an_open_put_to_a_key_that_nobody_uses_keeps_nobody_else_waiting() throws Exception {
        inbox.put("free", "{}");
        inbox.put(NewMessage.of("k1", "{}").inOrderOf("k"));
        List<Verdict.Done> verdicts = nodeA.take("orders", 2).stream()
                .map(one -> new Verdict.Done(one.claim()))
                .toList();
        try (Connection open = database.dataSource().getConnection();
                Connection other = database.dataSource().getConnection()) {
            open.setAutoCommit(false);
            inbox.put(open, NewMessage.of("m1", "{}").inOrderOf("m"));
            CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
                assertThat(inbox.rows().finish(nodeA.turno().holder(), verdicts))
                        .containsOnly(new Finish.Kept());
                inbox.put("free too", "{}");
                inbox.put(NewMessage.of("k2", "{}").inOrderOf("k"));
                putAndCommit(other, "l1", "l");
                putAndCommit(other, "n1", "n");
                putAndCommit(other, "k3", "k");
            });

            others.get(5, TimeUnit.SECONDS);
            open.commit();
            open.setAutoCommit(true);
        }
        assertThat(nodeB.take("orders", 10))
                .extracting(one -> one.row().id())
                .containsExactlyInAnyOrder("free too", "k2", "l1", "n1", "m1");
    }

    private void putAndCommit(Connection connection, String id, String orderingKey) {
        try {
            connection.setAutoCommit(false);
            put(connection, id, orderingKey);
            connection.commit();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void transactions_that_use_new_keys_at_once_do_not_end_each_other() throws Exception {
        putAtOnce(40, (round, i) -> "r" + round + "-" + i);

        assertThat(inbox.counts().pending()).isEqualTo(4 * 40);
    }

    @Test
    void transactions_that_use_one_new_key_at_once_do_not_end_each_other() throws Exception {
        putAtOnce(40, (round, i) -> "r" + round);

        assertThat(inbox.counts().pending()).isEqualTo(4 * 40);
    }

    /** In four transactions of callers at a time. */
    private void putAtOnce(int rounds, BiFunction<Integer, Integer, String> key) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (Connection a = database.dataSource().getConnection();
                Connection b = database.dataSource().getConnection();
                Connection c = database.dataSource().getConnection();
                Connection d = database.dataSource().getConnection()) {
            List<Connection> connections = List.of(a, b, c, d);
            for (int round = 0; round < rounds; round++) {
                List<Callable<Object>> puts = new ArrayList<>();
                for (int i = 0; i < connections.size(); i++) {
                    String id = round + "-" + i;
                    String orderingKey = key.apply(round, i);
                    Connection connection = connections.get(i);
                    puts.add(Executors.callable(() -> putAndCommit(connection, id, orderingKey)));
                }
                for (Future<Object> put : threads.invokeAll(puts)) {
                    put.get();
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void who_rolls_back_the_first_put_to_a_key_and_puts_again_keeps_nobody_waiting() throws Exception {
        rollBackAndPutAgainAfter(Duration.ZERO);
    }

    @Test
    void nor_does_who_puts_again_minutes_later() throws Exception {
        rollBackAndPutAgainAfter(Duration.ofMinutes(2));
    }

    private void rollBackAndPutAgainAfter(Duration wait) throws SQLException {
        try (Connection first = database.dataSource().getConnection();
                Connection second = database.dataSource().getConnection()) {
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            inbox.put(first, NewMessage.of("a1", "{}").inOrderOf("a"));
            inbox.put(second, NewMessage.of("b1", "{}").inOrderOf("b"));
            first.rollback();
            second.rollback();
            time.forward(wait);

            inbox.put(first, NewMessage.of("a1", "{}").inOrderOf("a"));
            inbox.put(second, NewMessage.of("b1", "{}").inOrderOf("b"));
            inbox.put(NewMessage.of("c1", "{}").inOrderOf("c"));

            first.commit();
            second.commit();
            first.setAutoCommit(true);
            second.setAutoCommit(true);
        }
        assertThat(nodeB.take("orders", 10)).hasSize(3);
    }

    @Test
    void a_key_that_is_known_here_for_long_keeps_its_order() throws Exception {
        inbox.put(NewMessage.of("k1", "{}").inOrderOf("k"));
        time.forward(Duration.ofMinutes(2));
        inbox.put(NewMessage.of("k2", "{}").inOrderOf("k"));
        nodeB.inbox("orders").put(NewMessage.of("k3", "{}").inOrderOf("k"));

        for (String id : List.of("k1", "k2", "k3")) {
            List<Taken<Message>> taken = nodeB.take("orders", 10);
            assertThat(taken).extracting(one -> one.row().id()).containsExactly(id);
            nodeB.inbox("orders").done(nodeB.turno().holder(), taken.get(0).claim());
        }
    }

    @Test
    void a_message_in_order_is_refused_on_a_connection_without_a_transaction() throws SQLException {
        NewMessage inOrder = NewMessage.of("a1", "{}").inOrderOf("a");
        try (Connection connection = database.dataSource().getConnection()) {
            assertThatThrownBy(() -> inbox.put(connection, inOrder))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'a1'")
                    .hasMessageContaining("setAutoCommit(false)");
            assertThatThrownBy(() -> inbox.putAll(connection, List.of(NewMessage.of("free", "{}"), inOrder)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'a1'");
            assertThat(inbox.counts().pending()).isZero();

            assertThat(inbox.put(connection, NewMessage.of("free", "{}"))).isEqualTo(new PutOutcome.Stored());
        }
    }

    private static void read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select count(*) from turno_inbox")) {
            assertThat(result.next()).isTrue();
        }
    }

    // ---- slots

    @Test
    void a_limit_holds_in_the_whole_cluster() {
        InboxOptions three = InboxOptions.of(o -> o.concurrency(3));
        Inbox limited = nodeA.inbox("limited", three);
        nodeB.inbox("limited", three);
        limited.putAll(IntStream.range(0, 10)
                .mapToObj(i -> NewMessage.of("m" + i, "{}"))
                .toList());

        List<Taken<Message>> a = nodeA.take("limited", 2);
        List<Taken<Message>> b = nodeB.take("limited", 10);
        assertThat(a).hasSize(2);
        assertThat(b).hasSize(1);
        assertThat(nodeA.take("limited", 10)).isEmpty();

        nodeA.done("limited", a.get(0));
        nodeA.again("limited", a.get(1), Duration.ofMinutes(1), "boom");
        assertThat(nodeB.take("limited", 10)).hasSize(2);
        assertThat(nodeA.take("limited", 10)).isEmpty();
    }

    @Test
    void a_limit_binds_those_that_know_nothing_of_it() {
        Inbox limited = nodeA.inbox("limited", InboxOptions.of(o -> o.concurrency(3)));
        limited.putAll(IntStream.range(0, 10)
                .mapToObj(i -> NewMessage.of("m" + i, "{}"))
                .toList());

        assertThat(nodeB.take("limited", 10)).hasSize(3);
        assertThat(nodeA.take("limited", 10)).isEmpty();
    }

    @Test
    void a_limit_can_be_lowered_and_raised_while_messages_are_under_way() {
        Inbox limited = nodeA.inbox("limited", InboxOptions.of(o -> o.concurrency(3)));
        limited.putAll(IntStream.range(0, 10)
                .mapToObj(i -> NewMessage.of("m" + i, "{}"))
                .toList());
        List<Taken<Message>> taken = nodeA.take("limited", 10);

        nodeB.inbox("limited", InboxOptions.of(o -> o.concurrency(1)));
        for (Taken<Message> one : taken) {
            assertThat(nodeA.take("limited", 10)).isEmpty();
            nodeA.done("limited", one);
        }
        assertThat(nodeA.take("limited", 10)).hasSize(1);

        nodeB.inbox("limited", InboxOptions.of(o -> o.concurrency(3)));
        assertThat(nodeA.take("limited", 10)).hasSize(2);
        assertThat(nodeB.take("limited", 10)).isEmpty();
    }

    @Test
    void a_limit_can_be_lifted_and_set_again_and_holds_for_those_who_never_heard_of_it() {
        Inbox limited = nodeA.inbox("limited", InboxOptions.of(o -> o.concurrency(1)));
        limited.putAll(IntStream.range(0, 10)
                .mapToObj(i -> NewMessage.of("m" + i, "{}"))
                .toList());
        Taken<Message> first = nodeA.takeOne("limited");
        assertThat(nodeA.take("limited", 2)).isEmpty();

        nodeB.inbox("limited").limit(Optional.empty());
        assertThat(limited.concurrency()).isEmpty();
        List<Taken<Message>> unlimited = nodeA.take("limited", 2);
        assertThat(unlimited).hasSize(2);
        unlimited.forEach(one -> nodeA.done("limited", one));

        nodeB.inbox("limited").limit(Optional.of(2));
        assertThat(limited.concurrency()).contains(2);
        nodeA.done("limited", first);
        assertThat(nodeA.take("limited", 10)).hasSize(2);
        assertThat(nodeB.take("limited", 10)).isEmpty();
    }

    @Test
    void who_opens_an_inbox_without_a_limit_leaves_alone_what_others_said() {
        nodeA.inbox("limited", InboxOptions.of(o -> o.concurrency(3)));

        Inbox opened = nodeB.inbox("limited", InboxOptions.defaults());

        assertThat(opened.concurrency()).contains(3);
    }

    @Test
    void a_limit_that_no_options_could_have_is_refused() {
        assertThatThrownBy(() -> inbox.limit(Optional.of(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("concurrency");
        assertThat(inbox.concurrency()).isEmpty();
    }

    @Test
    void under_a_lowered_limit_a_node_with_little_room_takes_what_is_free_all_the_same() {
        Inbox limited = nodeA.inbox("limited", InboxOptions.of(o -> o.concurrency(6)));
        limited.putAll(IntStream.range(0, 10)
                .mapToObj(i -> NewMessage.of("m" + i, "{}"))
                .toList());
        List<Taken<Message>> taken = nodeA.take("limited", 6);

        nodeB.inbox("limited", InboxOptions.of(o -> o.concurrency(4)));
        taken.subList(0, 2).forEach(one -> nodeA.done("limited", one));
        assertThat(nodeA.take("limited", 1)).isEmpty();

        nodeA.done("limited", taken.get(2));
        assertThat(nodeA.take("limited", 1)).hasSize(1);
        assertThat(nodeB.take("limited", 1)).isEmpty();
    }

    @Test
    void slots_of_lapsed_and_dead_holders_come_back() {
        InboxOptions one = InboxOptions.of(o -> o.concurrency(1));
        Inbox limited = nodeA.inbox("limited", one);
        nodeB.inbox("limited", one);
        limited.putAll(IntStream.range(0, 3)
                .mapToObj(i -> NewMessage.of("m" + i, "{}"))
                .toList());
        cluster.live(Cluster.LEASE, nodeA, nodeB);
        nodeA.takeOne("limited");
        assertThat(nodeB.take("limited", 1)).isEmpty();

        cluster.live(Cluster.LEASE.plusSeconds(1), nodeB);
        nodeB.takeOne("limited");
        assertThat(nodeB.take("limited", 1)).isEmpty();

        time.forward(LONGEST_CLAIM.plusMillis(1));
        assertThat(nodeB.take("limited", 1)).hasSize(1);
    }

    // ---- people

    @Test
    void a_message_that_waits_for_a_later_turn_can_be_given_it_now_and_one_behind_another_stays_there() {
        inbox.put(NewMessage.of("later", "{}").after(Duration.ofHours(1)));
        inbox.put(NewMessage.of("a1", "{}").inOrderOf("a").after(Duration.ofHours(1)));
        inbox.put(NewMessage.of("a2", "{}").inOrderOf("a"));
        assertThat(nodeA.take("orders", 10)).isEmpty();

        assertThat(inbox.hasten("later")).isTrue();
        assertThat(inbox.hasten("a2")).isFalse();
        assertThat(inbox.hasten("a1")).isTrue();

        assertThat(nodeA.take("orders", 10)).extracting(one -> one.row().id()).containsExactlyInAnyOrder("later", "a1");
        assertThat(inbox.hasten("later")).as("it is under way").isFalse();
        assertThat(inbox.hasten("nobody")).isFalse();
    }

    @Test
    void a_dead_message_keeps_its_error_and_can_be_revived_with_all_its_attempts() {
        inbox.put("order-1", "{}");
        Taken<Message> taken = nodeA.takeOne("orders");
        nodeA.dead("orders", taken, "java.lang.IllegalStateException: no such account");
        StoredMessage dead = inbox.find("order-1").orElseThrow();
        assertThat(dead.state()).isEqualTo(InboxState.DEAD);
        assertThat(dead.error().orElseThrow()).contains("no such account");
        assertThat(nodeA.take("orders", 1)).isEmpty();

        assertThat(inbox.revive("order-1")).isTrue();
        assertThat(inbox.revive("order-1")).isFalse();

        Taken<Message> again = nodeA.takeOne("orders");
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(again.claim().fence()).isGreaterThan(taken.claim().fence());
    }

    @Test
    void dead_messages_are_revived_by_filter_also_many_and_in_lanes() {
        List<NewMessage> many = new ArrayList<>();
        IntStream.range(0, 1_200).forEach(i -> many.add(NewMessage.of("m" + i, "{}")));
        IntStream.range(0, 3)
                .forEach(i -> many.add(NewMessage.of("lane" + i, "{}").inOrderOf("k" + i)));
        inbox.putAll(many);
        List<Taken<Message>> taken = nodeA.take("orders", 2_000);
        nodeA.inbox("orders")
                .rows()
                .finish(
                        nodeA.turno().holder(),
                        taken.stream()
                                .map(one -> new Verdict.Dead(
                                        one.claim(), one.row().id().endsWith("7") ? "timeout" : "no account"))
                                .toList());

        int timeouts = inbox.reviveAll(Optional.of("timeout"));
        int rest = inbox.reviveAll(Optional.empty());

        assertThat(timeouts).isEqualTo(120);
        assertThat(rest).isEqualTo(1_203 - 120);
        assertThat(nodeA.take("orders", 2_000)).hasSize(1_203);
    }

    @Test
    void a_waiting_message_can_be_cancelled_and_one_under_way_cannot() {
        inbox.putAll(List.of(NewMessage.of("waiting", "{}").after(Duration.ofHours(1)), NewMessage.of("doing", "{}")));
        Taken<Message> doing = nodeA.takeOne("orders");

        assertThat(inbox.cancel("waiting")).isTrue();
        assertThat(inbox.cancel("doing")).isFalse();
        assertThat(inbox.cancel("unknown")).isFalse();

        time.forward(Duration.ofHours(2));
        assertThat(nodeA.done("orders", doing)).isEqualTo(new Finish.Kept());
        assertThat(nodeB.take("orders", 10)).isEmpty();
        assertThat(inbox.find("waiting").orElseThrow().state()).isEqualTo(InboxState.CANCELLED);
    }

    @Test
    void lists_page_by_key_through_every_state() {
        inbox.putAll(IntStream.range(0, 25)
                .mapToObj(i -> NewMessage.of("p" + i, "{}").after(Duration.ofDays(1)))
                .toList());
        inbox.putAll(IntStream.range(0, 60)
                .mapToObj(i -> NewMessage.of("m" + i, "{}"))
                .toList());
        List<Taken<Message>> taken = nodeA.take("orders", 100);
        for (Taken<Message> one : taken.subList(0, 20)) {
            time.forward(Duration.ofMillis(1));
            nodeA.done("orders", one);
        }
        for (Taken<Message> one : taken.subList(20, 40)) {
            nodeA.dead("orders", one, one.row().id().equals("m33") ? "odd" : "usual");
        }

        assertThat(ids(InboxState.PENDING)).hasSize(25).doesNotHaveDuplicates();
        assertThat(ids(InboxState.DOING)).hasSize(20).doesNotHaveDuplicates();
        assertThat(ids(InboxState.DONE)).hasSize(20).doesNotHaveDuplicates().startsWith("m19", "m18");
        assertThat(ids(InboxState.DEAD)).hasSize(20).doesNotHaveDuplicates();
        assertThat(inbox.list(InboxState.DEAD, Optional.of("odd"), Optional.empty(), 10)
                        .items())
                .extracting(StoredMessage::id)
                .containsExactly("m33");
        assertThatThrownBy(() -> inbox.list(InboxState.DEAD, Optional.empty(), Optional.of("x'y"), 10))
                .hasMessageContaining("not a place in this list");
        assertThatThrownBy(() -> inbox.list(InboxState.DEAD, Optional.empty(), Optional.empty(), 0))
                .hasMessageContaining("1 to 1000");
    }

    @Test
    void a_rare_text_is_searched_for_in_parts_of_ten_thousand_rows() {
        for (int part = 0; part < 11; part++) {
            int first = part * 1_000;
            inbox.putAll(IntStream.range(first, first + 1_000)
                    .mapToObj(i -> NewMessage.of("m" + i, "{}"))
                    .toList());
        }
        inbox.put("the-rare-one", "{}");

        Page<StoredMessage> first = inbox.list(InboxState.PENDING, Optional.of("rare"), Optional.empty(), 10);
        Page<StoredMessage> second = inbox.list(InboxState.PENDING, Optional.of("rare"), first.next(), 10);

        assertThat(first.items()).isEmpty();
        assertThat(first.next()).isPresent();
        assertThat(second.items()).extracting(StoredMessage::id).containsExactly("the-rare-one");
        assertThat(second.next()).isEmpty();
    }

    private List<String> ids(InboxState state) {
        List<String> ids = new ArrayList<>();
        Optional<String> after = Optional.empty();
        do {
            Page<StoredMessage> page = inbox.list(state, Optional.empty(), after, 7);
            page.items().forEach(one -> ids.add(one.id()));
            after = page.next();
        } while (after.isPresent());
        return ids;
    }

    @Test
    void counts_show_each_state() {
        inbox.putAll(IntStream.range(0, 10)
                .mapToObj(i -> NewMessage.of("m" + i, "{}"))
                .toList());
        List<Taken<Message>> taken = nodeA.take("orders", 6);
        nodeA.done("orders", taken.get(0));
        nodeA.done("orders", taken.get(1));
        nodeA.dead("orders", taken.get(2), "no");
        inbox.cancel("m9");

        assertThat(inbox.counts()).isEqualTo(new dev.turno.inbox.Counts(3, 3, 2, 1, 1));
    }

    @Test
    void what_has_been_doing_for_too_long_is_listed() {
        inbox.put("slow", "{}");
        nodeA.takeOne("orders");
        time.forward(Duration.ofMillis(2));
        inbox.put("quick", "{}");
        nodeA.takeOne("orders");

        assertThat(inbox.doingFor(Duration.ofMillis(1), Optional.empty(), 10).items())
                .extracting(StoredMessage::id)
                .containsExactly("slow");
    }

    @Test
    void finished_messages_leave_when_their_time_has_come_and_dead_ones_stay() {
        inbox.putAll(List.of(
                NewMessage.of("done", "{}").inOrderOf("k"),
                NewMessage.of("dead", "{}"),
                NewMessage.of("cancelled", "{}").after(Duration.ofDays(1))));
        List<Taken<Message>> taken = nodeA.take("orders", 2);
        taken.forEach(one -> {
            if (one.row().id().equals("done")) {
                nodeA.done("orders", one);
            } else {
                nodeA.dead("orders", one, "no");
            }
        });
        inbox.cancel("cancelled");

        time.forward(Duration.ofDays(7).minusSeconds(1));
        inbox.prune();
        assertThat(inbox.find("done")).isPresent();

        time.forward(Duration.ofSeconds(2));
        inbox.prune();
        assertThat(inbox.find("done")).isEmpty();
        assertThat(inbox.find("cancelled")).isEmpty();
        assertThat(inbox.find("dead")).isPresent();
        assertThat(inbox.put("done", "another body")).isEqualTo(new PutOutcome.Stored());
    }

    @Test
    void what_is_old_is_removed_also_if_keys_that_nobody_uses_cannot_be() {
        TrickySource way = new TrickySource(database.dataSource());
        Node node =
                cluster.nodeOn(way.source(), "node-c", TurnoOptions.defaults().withLease(Cluster.LEASE));
        Inbox orders = node.inbox("orders");
        orders.putAll(IntStream.range(0, 1_500)
                .mapToObj(i -> NewMessage.of("m" + i, "{}"))
                .toList());
        node.take("orders", 1);
        update("update turno_inbox set state = 'DONE', end_state = 'DONE', turn_at = null, finished_at = put_at");
        time.forward(Duration.ofDays(8));
        way.refuseMyNext("turno_lane c");

        assertThat(orders.prune()).isTrue();
        assertThatThrownBy(orders::prune).hasMessageContaining("Unused lanes");

        assertThat(inbox.counts().done()).isZero();
    }

    @Test
    void who_only_puts_and_looks_forgets_nothing_that_those_who_take_still_keep() {
        nodeA.inbox("orders", InboxOptions.of(o -> o.keep(Duration.ofDays(30))));
        Inbox looking = nodeB.inbox("orders");
        looking.put("order-1", "{}");
        nodeA.done("orders", nodeA.takeOne("orders"));

        time.forward(Duration.ofDays(8));
        looking.prune();
        assertThat(looking.find("order-1")).isPresent();

        time.forward(Duration.ofDays(23));
        nodeA.inbox("orders").prune();
        assertThat(looking.find("order-1")).isEmpty();
    }

    private void update(String sql) {
        try (Connection connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
