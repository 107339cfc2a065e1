package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turno.TurnoOptions;
import dev.turno.claim.ClaimLostException;
import dev.turno.claim.Result;
import dev.turno.claim.Taken;
import dev.turno.claim.Turn;
import dev.turno.claim.Verdict;
import dev.turno.inbox.Codec;
import dev.turno.inbox.Counts;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxHandler;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.Message;
import dev.turno.inbox.NewMessage;
import dev.turno.inbox.StoredMessage;
import dev.turno.proof.Repeated;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import dev.turno.watch.WorkEvent;
import dev.turno.worker.Backoff;
import dev.turno.worker.FinishMode;
import dev.turno.worker.Worker;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The engine with its threads, on the databases' own time. */
@OnEveryDatabase
class WorkerContractTest {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofSeconds(60);

    /** A loop that has been idle for three seconds sleeps for three. */
    private static final Duration BEFORE_THE_POLL = Duration.ofMillis(1_500);

    private static final Backoff QUICK = Backoff.exponential(Duration.ofMillis(20), Duration.ofMillis(100));

    private final FreshDatabase database;
    private final Cluster cluster;
    private final Queue<String> handled = new ConcurrentLinkedQueue<>();

    WorkerContractTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.running(database);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Node node(String name) {
        return cluster.node(name, TurnoOptions.defaults().withLease(LEASE).withDrain(Duration.ofSeconds(2)));
    }

    private Result record(Message message, Turn turn) {
        handled.add(message.id());
        return Result.done();
    }

    private static List<NewMessage> messages(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> NewMessage.of("m" + i, "body " + i))
                .toList();
    }

    private static InboxOptions quick() {
        return InboxOptions.of(o -> o.backoff(QUICK).maxAttempts(3));
    }

    @Test
    void two_nodes_share_the_messages_and_each_is_handled_once() {
        Node a = node("a");
        Node b = node("b");
        a.inbox("orders").putAll(messages(1_000));

        a.turno().handle("orders", this::record);
        b.turno().handle("orders", this::record);

        await().atMost(SOON).until(() -> a.inbox("orders").counts().done() == 1_000);
        assertThat(handled).hasSize(1_000).doesNotHaveDuplicates();
    }

    @Test
    void while_a_handler_is_not_ready_nothing_is_taken_and_what_was_taken_goes_back_at_no_attempts_cost() {
        Node a = node("a");
        Inbox inbox = a.inbox("orders", InboxOptions.of(o -> o.threads(1)));
        inbox.putAll(messages(20));
        AtomicBoolean ready = new AtomicBoolean(true);

        a.turno().handle(inbox, new InboxHandler() {
            @Override
            public Result handle(Message message, Turn turn) {
                ready.set(handled.size() >= 10); // goes away with the first one
                return record(message, turn);
            }

            @Override
            public boolean isReady() {
                return ready.get();
            }
        });

        await().atMost(SOON).until(() -> inbox.counts().equals(new Counts(19, 0, 1, 0, 0)));
        assertThat(IntStream.range(1, 20).mapToObj(i -> inbox.find("m" + i).orElseThrow()))
                .allMatch(message -> message.attempt() == 0);
        handled.addAll(List.of("1", "2", "3", "4", "5", "6", "7", "8", "9", "10"));
        ready.set(true);
        await().atMost(SOON).until(() -> inbox.counts().done() == 20);
    }

    @Test
    void a_closed_worker_makes_room_for_another_handler() {
        Node a = node("a");
        Inbox inbox = a.inbox("orders");
        a.turno().handle(inbox, (message, turn) -> Result.reject("the old one")).close();
        a.turno().handle(inbox, this::record);

        inbox.put("m1", "{}");

        await().atMost(SOON).until(() -> inbox.counts().done() == 1);
    }

    @Test
    void every_throwable_is_retried_and_then_parked_with_its_text() {
        Node a = node("a");
        Inbox inbox = a.inbox("orders", quick());
        inbox.put("exception", "{}");
        inbox.put("error", "{}");
        inbox.put("null", "{}");
        Map<String, AtomicInteger> tries = new ConcurrentHashMap<>();

        a.turno().handle(inbox, (message, turn) -> {
            tries.computeIfAbsent(message.id(), id -> new AtomicInteger()).incrementAndGet();
            switch (message.id()) {
                case "exception" -> throw new java.io.IOException("the gateway is down");
                case "error" -> throw new StackOverflowError();
                default -> {
                    return nothing();
                }
            }
        });

        await().atMost(SOON).until(() -> inbox.counts().dead() == 3);
        assertThat(tries.values()).extracting(AtomicInteger::get).containsExactly(3, 3, 3);
        assertThat(error(inbox, "exception"))
                .contains("IOException: the gateway is down")
                .contains("at dev.turno");
        assertThat(error(inbox, "error")).contains("StackOverflowError");
        assertThat(error(inbox, "null")).contains("returned null");
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
        return null;
    }

    private static String error(Inbox inbox, String id) {
        return inbox.find(id).flatMap(StoredMessage::error).orElse("");
    }

    @Test
    void a_handler_decides_when_to_retry_and_when_to_give_up() {
        Node a = node("a");
        Inbox inbox = a.inbox(
                "orders",
                InboxOptions.of(o -> o.backoff(Backoff.exponential(Duration.ofHours(1), Duration.ofHours(1)))));
        inbox.put("retry", "{}");
        inbox.put("reject", "{}");

        a.turno().handle(inbox, (message, turn) -> {
            if (message.id().equals("reject")) {
                return Result.reject("unknown customer");
            }
            return turn.attempt() == 1 ? Result.retryIn(Duration.ofMillis(50), "not yet") : Result.done();
        });

        await().atMost(SOON)
                .until(() -> inbox.counts().done() == 1 && inbox.counts().dead() == 1);
        assertThat(error(inbox, "reject")).isEqualTo("unknown customer");
    }

    @Test
    void a_body_that_cannot_be_read_is_parked_with_the_reason_and_the_loop_goes_on() {
        Node a = node("a");
        Inbox inbox = a.inbox("numbers");
        Codec<Integer> codec = new Codec<>() {
            @Override
            public String write(Integer value) {
                return value.toString();
            }

            @Override
            public Integer read(String body) {
                return Integer.valueOf(body);
            }
        };
        AtomicInteger sum = new AtomicInteger();
        inbox.put("bad", "seven");
        inbox.put("good", "7");

        a.turno().handle(inbox, InboxHandler.of(codec, (number, turn) -> {
            sum.addAndGet(number);
            return Result.done();
        }));

        await().atMost(SOON)
                .until(() -> inbox.counts().done() == 1 && inbox.counts().dead() == 1);
        assertThat(sum).hasValue(7);
        assertThat(error(inbox, "bad")).contains("cannot be read").contains("seven");
    }

    @Test
    void a_handler_that_hangs_is_interrupted_told_and_replaced() {
        Node a = node("a");
        InboxOptions options =
                InboxOptions.of(o -> o.maxRun(Duration.ofMillis(700)).poll(Duration.ofMillis(100)));
        Inbox inbox = a.inbox("orders", options);
        AtomicBoolean told = new AtomicBoolean();
        inbox.put("slow", "{}");

        a.turno().handle(inbox, (message, turn) -> {
            if (turn.attempt() > 1) {
                return Result.done();
            }
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                told.set(turn.isLost());
                await().atMost(SOON)
                        .until(() -> inbox.find("slow").orElseThrow().state() == InboxState.DONE);
            }
            return Result.done();
        });

        await().atMost(SOON).until(() -> a.turno().counters().count("turno.claims.lost") == 1);
        assertThat(told).isTrue();
        assertThat(a.turno().counters().count("turno.overran")).isEqualTo(1);
        assertThat(inbox.find("slow").orElseThrow().attempt()).isEqualTo(2);
    }

    @Test
    void the_claim_is_visible_to_others_and_blocks_nobody_while_the_handler_runs() throws Exception {
        Node a = node("a");
        Node b = node("b");
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        a.inbox("orders").put("one", "{}");
        a.turno().handle("orders", (message, turn) -> {
            running.countDown();
            end.await();
            return Result.done();
        });
        assertThat(running.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

        StoredMessage seen = b.inbox("orders").find("one").orElseThrow();
        assertThat(seen.state()).isEqualTo(InboxState.DOING);
        assertThat(seen.node()).contains("a");
        b.inbox("orders").put("two", "{}");
        long before = System.nanoTime();
        assertThat(b.take("orders", 10)).hasSizeLessThanOrEqualTo(1);
        // Whoever waited for the handler would do so for as long as a lock is waited for: five seconds or more.
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(4));
        end.countDown();
    }

    @Test
    void a_put_is_handled_without_waiting_for_a_poll() throws Exception {
        Node a = node("a");
        Inbox inbox = a.inbox("orders", InboxOptions.of(o -> o.poll(Duration.ofMinutes(1))));
        a.turno().handle(inbox, this::record);

        assertInTime(number -> {
            String id = "m" + number;
            idle(inbox, "before " + id);
            long before = System.nanoTime();
            inbox.put(id, "{}");
            return handledAfter(before, id).compareTo(BEFORE_THE_POLL) < 0;
        });
    }

    @Test
    void a_put_in_the_callers_transaction_is_handled_after_its_commit_without_waiting_for_a_poll() throws Exception {
        Node a = node("a");
        Inbox inbox = a.inbox("orders", InboxOptions.of(o -> o.poll(Duration.ofMinutes(1))));
        a.turno().handle(inbox, this::record);

        assertInTime(number -> {
            String id = "m" + number;
            idle(inbox, "before " + id);
            long before;
            try (Connection connection = database.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                inbox.put(connection, NewMessage.of(id, "{}"));
                before = System.nanoTime();
                connection.commit();
                connection.setAutoCommit(true);
            }
            return handledAfter(before, id).compareTo(BEFORE_THE_POLL) < 0;
        });
    }

    private static void assertInTime(Repeated.Look look) throws Exception {
        assertThat(Repeated.holds(look)).isTrue();
    }

    private Duration handledAfter(long before, String id) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(10)).until(() -> handled.contains(id));
        return Duration.ofNanos(System.nanoTime() - before);
    }

    /** Waits until the loop has gone to sleep for long. */
    private void idle(Inbox inbox, String id) {
        inbox.put(id, "{}");
        await().atMost(SOON).until(() -> handled.contains(id));
        await().pollDelay(Duration.ofSeconds(3))
                .atMost(SOON)
                .until(() -> inbox.counts().doing() == 0);
    }

    @Test
    void a_delayed_message_is_handled_when_its_moment_comes_not_at_the_next_poll() throws Exception {
        Duration delay = Duration.ofMillis(1_500);
        Node a = node("a");
        Inbox inbox = a.inbox("orders", InboxOptions.of(o -> o.poll(Duration.ofSeconds(30))));
        a.turno().handle(inbox, this::record);

        assertInTime(number -> {
            String id = "m" + number;
            long before = System.nanoTime();
            inbox.put(NewMessage.of(id, "{}").after(delay));
            Duration took = handledAfter(before, id);
            assertThat(took).isGreaterThan(delay.minusMillis(100)); // two clocks
            return took.compareTo(delay.plusSeconds(1)) < 0;
        });
    }

    @Test
    void who_takes_nothing_more_gives_back_what_it_has_not_begun() throws InterruptedException {
        int count = 2_000;
        Node a = node("a");
        Inbox inbox = a.inbox("orders", InboxOptions.of(o -> o.threads(2)));
        inbox.putAll(messages(count));
        CountDownLatch standing = new CountDownLatch(2);
        CountDownLatch goOn = new CountDownLatch(1);
        a.turno().handle(inbox, (message, turn) -> {
            if (handled.size() >= 300) { // by then it is quick, and has taken many ahead
                standing.countDown();
                goOn.await();
            }
            return record(message, turn);
        });
        assertThat(standing.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

        a.turno().stopTaking();
        Node b = node("b");
        b.turno().handle(b.inbox("orders", InboxOptions.defaults()), this::record);

        await().atMost(SOON).until(() -> handled.size() == count - 2);
        goOn.countDown();
        await().atMost(SOON).until(() -> inbox.counts().done() == count);
        assertThat(handled).hasSize(count).doesNotHaveDuplicates();
    }

    @Test
    void what_could_not_be_given_back_at_the_end_of_taking_is_given_back_when_the_database_is_there_again()
            throws InterruptedException {
        int count = 2_000;
        var way = new TrickySource(database.dataSource());
        Queue<String> troubled = new ConcurrentLinkedQueue<>();
        Node a = cluster.nodeOn(way.source(), "a", TurnoOptions.defaults().withWatcher(event -> {
            if (event instanceof WorkEvent.Trouble trouble) {
                troubled.add(trouble.who());
            }
        }));
        Inbox inbox = a.inbox("orders", InboxOptions.of(o -> o.threads(2)));
        inbox.putAll(messages(count));
        CountDownLatch standing = new CountDownLatch(2);
        CountDownLatch goOn = new CountDownLatch(1);
        a.turno().handle(inbox, (message, turn) -> {
            if (handled.size() >= 300) {
                standing.countDown();
                goOn.await();
            }
            return record(message, turn);
        });
        assertThat(standing.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        await().atMost(SOON).until(() -> inbox.counts().done() == handled.size()); // nothing of its is under way
        await().atMost(SOON).until(() -> inbox.counts().doing() > 2); // and there is something that has not begun

        way.cut();
        a.turno().stopTaking();
        await().atMost(SOON).until(() -> troubled.contains("inbox orders"));
        way.mend();
        Node b = node("b");
        b.turno().handle(b.inbox("orders", InboxOptions.defaults()), this::record);

        await().atMost(SOON).until(() -> handled.size() == count - 2);
        goOn.countDown();
        await().atMost(SOON).until(() -> inbox.counts().done() == count);
        assertThat(handled).hasSize(count).doesNotHaveDuplicates();
    }

    @Test
    void the_effect_and_the_finish_commit_together_and_a_rolled_back_one_is_retried() throws SQLException {
        execute("create table effect (id varchar(50))");
        Node a = node("a");
        Inbox inbox = a.inbox("orders", InboxOptions.of(o -> o.backoff(QUICK).finish(FinishMode.IN_TRANSACTION)));
        inbox.putAll(messages(20));

        a.turno().handle(inbox, (message, turn) -> {
            try (Connection connection = database.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement()) {
                    statement.execute("insert into effect values ('" + message.id() + "')");
                }
                turn.finishIn(connection);
                if (turn.attempt() == 1) {
                    connection.rollback();
                } else {
                    connection.commit();
                }
                connection.setAutoCommit(true);
            }
            return Result.done();
        });

        await().atMost(SOON).until(() -> inbox.counts().done() == 20);
        assertThat(effects()).hasSize(20).doesNotHaveDuplicates();
        assertThat(inbox.find("m3").orElseThrow().attempt()).isEqualTo(2);
    }

    @Test
    void whoever_comes_late_cannot_commit_an_effect_either_when_the_row_is_gone() throws SQLException {
        execute("create table effect (id varchar(50))");
        Node a = node("a");
        Inbox inbox = a.inbox("orders", InboxOptions.of(o -> o.keepNone().finish(FinishMode.IN_TRANSACTION)));
        inbox.put("one", "{}");
        Queue<String> said = new ConcurrentLinkedQueue<>();

        a.turno().handle(inbox, (message, turn) -> {
            execute("delete from turno_inbox"); // as another holder's finish does that took it over
            try (Connection connection = database.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement()) {
                    statement.execute("insert into effect values ('late')");
                }
                turn.finishIn(connection);
                connection.commit();
            } catch (ClaimLostException e) {
                said.add(String.valueOf(e.getMessage()));
            }
            return Result.done();
        });

        await().atMost(SOON).until(() -> !said.isEmpty());
        assertThat(said.peek()).contains("lost its claim").contains("Roll this transaction back");
        assertThat(effects()).isEmpty();
    }

    @Test
    void the_effect_and_the_finish_commit_in_one_go_if_what_is_done_is_kept() throws SQLException {
        commitInOneGo(true);
    }

    @Test
    void the_effect_and_the_finish_commit_in_one_go_if_nothing_is_kept() throws SQLException {
        commitInOneGo(false);
    }

    private void commitInOneGo(boolean keep) throws SQLException {
        execute("create table effect (id varchar(50))");
        Node a = node("a");
        Inbox inbox = a.inbox("orders", inTransaction(keep));
        List<NewMessage> messages = new ArrayList<>(messages(20));
        messages.add(NewMessage.of("first of two", "{}").inOrderOf("customer"));
        messages.add(NewMessage.of("second of two", "{}").inOrderOf("customer"));
        inbox.putAll(messages);

        a.turno().handle(inbox, (message, turn) -> {
            try (Connection connection = connectionWithEffect(message.id())) {
                turn.commit(connection);
                assertThatThrownBy(() -> turn.commit(connection)).hasMessageContaining("already");
                connection.setAutoCommit(true);
            }
            return Result.retry("It is committed, whatever the handler says.");
        });

        await().atMost(SOON)
                .until(() -> inbox.counts().pending() + inbox.counts().doing() == 0);
        assertThat(inbox.counts().done()).isEqualTo(keep ? 22 : 0);
        assertThat(effects()).hasSize(22).doesNotHaveDuplicates();
    }

    @Test
    void whoever_comes_late_does_not_commit_in_one_go_if_what_is_done_is_kept() throws SQLException {
        commitLate(true);
    }

    @Test
    void whoever_comes_late_does_not_commit_in_one_go_if_nothing_is_kept() throws SQLException {
        commitLate(false);
    }

    private void commitLate(boolean keep) throws SQLException {
        execute("create table effect (id varchar(50))");
        Node a = node("a");
        Inbox inbox = a.inbox("orders", inTransaction(keep));
        inbox.put("one", "{}");
        Queue<String> said = new ConcurrentLinkedQueue<>();

        a.turno().handle(inbox, (message, turn) -> {
            if (said.isEmpty()) {
                execute("update turno_inbox set fence = fence + 1"); // as another holder does that takes it over
            }
            try (Connection connection = connectionWithEffect("late")) {
                turn.commit(connection);
            } catch (ClaimLostException e) {
                said.add(String.valueOf(e.getMessage()));
            }
            return Result.done();
        });

        await().atMost(SOON).until(() -> !said.isEmpty());
        assertThat(said.peek()).contains("taken over").contains("This transaction was rolled back");
        assertThat(effects()).isEmpty();
        assertThat(inbox.find("one").orElseThrow().state()).isEqualTo(InboxState.DOING);
    }

    private static InboxOptions inTransaction(boolean keep) {
        return InboxOptions.of(choices -> {
            choices.backoff(QUICK).finish(FinishMode.IN_TRANSACTION);
            if (!keep) {
                choices.keepNone();
            }
        });
    }

    private Connection connectionWithEffect(String id) throws SQLException {
        Connection connection = database.dataSource().getConnection();
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("insert into effect values (?)")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
        return connection;
    }

    @Test
    void forgetting_to_finish_in_the_transaction_is_an_error_when_that_was_asked_for() {
        Node a = node("a");
        Inbox inbox = a.inbox(
                "orders", InboxOptions.of(o -> o.backoff(QUICK).maxAttempts(1).finish(FinishMode.IN_TRANSACTION)));
        inbox.put("one", "{}");

        a.turno().handle(inbox, this::record);

        await().atMost(SOON).until(() -> inbox.counts().dead() == 1);
        assertThat(error(inbox, "one")).contains("turn.commit");
    }

    @Test
    void finishing_at_once_is_seen_before_the_thread_goes_on() {
        Node a = node("a");
        Inbox inbox = a.inbox("orders", InboxOptions.of(o -> o.threads(1).finish(FinishMode.AT_ONCE)));
        inbox.putAll(messages(50));
        Queue<String> unfinished = new ConcurrentLinkedQueue<>();
        AtomicReference<@Nullable String> before = new AtomicReference<>();

        a.turno().handle(inbox, (message, turn) -> {
            String last = before.getAndSet(message.id());
            if (last != null && inbox.find(last).orElseThrow().state() != InboxState.DONE) {
                unfinished.add(last);
            }
            return Result.done();
        });

        await().atMost(SOON).until(() -> inbox.counts().done() == 50);
        assertThat(unfinished).isEmpty();
    }

    @Test
    void messages_of_one_key_keep_their_order_under_load_and_never_overlap() {
        Node a = node("a");
        Node b = node("b");
        List<NewMessage> messages = new ArrayList<>();
        IntStream.range(0, 400)
                .forEach(i -> messages.add(
                        NewMessage.of("k" + i % 20 + "-" + i / 20, "{}").inOrderOf("k" + i % 20)));
        a.inbox("orders", quick()).putAll(messages);
        b.inbox("orders", quick());
        Map<String, List<String>> byKey = new ConcurrentHashMap<>();
        Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
        AtomicInteger overlaps = new AtomicInteger();
        InboxHandler handler = (message, turn) -> {
            String key = message.orderingKey().orElseThrow();
            AtomicInteger atOnce = running.computeIfAbsent(key, k -> new AtomicInteger());
            if (atOnce.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            try {
                if (turn.attempt() == 1 && message.id().endsWith("-7")) {
                    throw new IllegalStateException("once");
                }
                byKey.computeIfAbsent(key, k -> Collections.synchronizedList(new ArrayList<>()))
                        .add(message.id());
                return Result.done();
            } finally {
                atOnce.decrementAndGet();
            }
        };

        a.turno().handle("orders", handler);
        b.turno().handle("orders", handler);

        await().atMost(Duration.ofSeconds(40))
                .until(() -> a.inbox("orders").counts().done() == 400);
        assertThat(overlaps).hasValue(0);
        byKey.forEach((key, ids) -> assertThat(ids)
                .containsExactlyElementsOf(
                        IntStream.range(0, 20).mapToObj(i -> key + "-" + i).toList()));
    }

    @Test
    void a_cluster_wide_limit_is_kept_under_load() {
        InboxOptions three = InboxOptions.of(
                o -> o.concurrency(3).poll(Duration.ofMillis(50)).finish(FinishMode.AT_ONCE));
        List<Node> nodes = List.of(node("a"), node("b"), node("c"));
        nodes.forEach(node -> node.inbox("orders", three));
        Inbox inbox = nodes.get(0).inbox("orders");
        inbox.putAll(messages(300));
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        InboxHandler handler = (message, turn) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            TimeUnit.MILLISECONDS.sleep(1);
            running.decrementAndGet();
            return Result.done();
        };

        nodes.forEach(node -> node.turno().handle("orders", handler));

        await().atMost(Duration.ofSeconds(60)).until(() -> inbox.counts().done() == 300);
        assertThat(most.get()).isBetween(2, 3);
    }

    @Test
    void a_limit_that_is_lifted_while_workers_run_holds_them_back_no_more() {
        InboxOptions limited = InboxOptions.of(o -> o.concurrency(1).threads(4).poll(Duration.ofMillis(50)));
        Node a = node("a");
        Node b = node("b");
        Inbox inbox = a.inbox("orders", limited);
        b.inbox("orders", InboxOptions.of(o -> o.threads(4).poll(Duration.ofMillis(50))));
        AtomicInteger running = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        InboxHandler handler = (message, turn) -> {
            running.incrementAndGet();
            end.await();
            return Result.done();
        };
        a.turno().handle("orders", handler);
        b.turno().handle("orders", handler);
        inbox.putAll(messages(8));
        await().atMost(SOON).until(() -> running.get() == 1);

        b.inbox("orders").limit(Optional.empty());

        await().atMost(SOON).until(() -> running.get() > 4); // more than one of them has threads
        end.countDown();
        await().atMost(SOON).until(() -> inbox.counts().done() == 8);
    }

    @Test
    void a_limit_is_never_exceeded_however_many_take_at_once() throws Exception {
        int limit = 10;
        InboxOptions limited = InboxOptions.of(o -> o.concurrency(limit));
        Node a = node("a");
        Inbox inbox = a.inbox("orders", limited);
        inbox.putAll(messages(1_500));
        AtomicInteger holding = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger left = new AtomicInteger(1_500);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ends.add(threads.submit(() -> {
                while (left.get() > 0) {
                    List<Taken<Message>> taken = inbox.take(a.turno().holder(), 3);
                    most.accumulateAndGet(holding.addAndGet(taken.size()), Math::max);
                    TimeUnit.MILLISECONDS.sleep(5);
                    holding.addAndGet(-taken.size());
                    inbox.rows()
                            .finish(
                                    a.turno().holder(),
                                    taken.stream()
                                            .map(one -> new Verdict.Done(one.claim()))
                                            .toList());
                    left.addAndGet(-taken.size());
                }
                return null;
            }));
        }
        for (Future<?> end : ends) {
            end.get(60, TimeUnit.SECONDS);
        }
        threads.shutdown();

        assertThat(inbox.counts().done()).isEqualTo(1_500);
        assertThat(most.get()).isBetween(limit - 3, limit);
    }

    @Test
    void closing_waits_for_what_runs_and_gives_back_what_was_not_started() throws Exception {
        Node a = cluster.node("a", TurnoOptions.defaults().withLease(LEASE).withDrain(SOON));
        Node b = node("b");
        Inbox inbox = a.inbox("orders", InboxOptions.of(o -> o.threads(2)));
        inbox.putAll(messages(2_000));
        CountDownLatch running = new CountDownLatch(500);
        a.turno().handle(inbox, (message, turn) -> {
            running.countDown();
            if (running.getCount() == 0) {
                TimeUnit.MILLISECONDS.sleep(300); // by now many are taken ahead
            }
            return record(message, turn);
        });
        assertThat(running.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

        a.turno().close();

        Inbox seen = b.inbox("orders");
        assertThat(seen.counts().done()).isEqualTo(handled.size());
        assertThat(seen.counts().doing()).isZero();
        for (int i = 0; i < 2_000; i++) {
            StoredMessage message = seen.find("m" + i).orElseThrow();
            assertThat(message.attempt()).as(message.id()).isEqualTo(message.state() == InboxState.DONE ? 1 : 0);
        }
    }

    @Test
    void while_the_way_to_the_database_is_cut_the_loops_try_on_and_then_everything_is_handled() throws Exception {
        var way = new TrickySource(database.dataSource());
        Node a = cluster.nodeOn(
                way.source(), "a", TurnoOptions.defaults().withLease(LEASE).withDrain(LEASE));
        Node b = node("b");
        a.turno().handle("orders", this::record);
        b.inbox("orders").put("before", "{}");
        await().atMost(SOON).until(() -> handled.contains("before"));

        way.cut();
        b.inbox("orders").put("meanwhile", "{}");
        TimeUnit.MILLISECONDS.sleep(1_500);
        await().atMost(SOON).until(() -> !a.turno().isHealthy());
        way.mend();

        await().atMost(SOON).until(() -> b.inbox("orders").counts().done() == 2);
        await().atMost(SOON).until(a.turno()::isHealthy);
        assertThat(handled).containsExactly("before", "meanwhile");
    }

    @Test
    void what_was_taken_without_an_answer_is_given_back_long_before_its_claim_lapses() {
        var way = new TrickySource(database.dataSource());
        Node a = cluster.nodeOn(
                way.source(), "a", TurnoOptions.defaults().withLease(LEASE).withDrain(LEASE));
        node("b").inbox("orders").put("one", "{}");
        way.loseTheNextAnswerTo("turno_inbox");

        a.turno().handle("orders", this::record);

        await().atMost(SOON).until(() -> a.inbox("orders").counts().done() == 1);
        assertThat(way.answersLost()).isEqualTo(1);
        assertThat(handled).containsExactly("one");
        assertThat(a.inbox("orders").find("one").orElseThrow().attempt()).isEqualTo(1);
    }

    @Test
    void a_message_whose_attempts_all_ended_without_a_word_is_parked_and_not_run_again() {
        Node victim = node("victim");
        Node a = node("a");
        Inbox inbox = a.inbox("orders", InboxOptions.of(o -> o.maxAttempts(1)));
        inbox.put("poison", "{}");
        assertThat(victim.take("orders", 1)).hasSize(1);
        victim.turno().close(); // gone with the message in its hands

        a.turno().handle(inbox, this::record);

        await().atMost(SOON).until(() -> inbox.counts().dead() == 1);
        assertThat(handled).isEmpty();
        assertThat(inbox.find("poison").orElseThrow().error()).isPresent();
    }

    @Test
    void what_waits_for_a_thread_for_too_long_is_given_back_and_costs_no_attempt() {
        Node slow = node("slow");
        Node quick = node("quick");
        Inbox inbox = slow.inbox(
                "orders", InboxOptions.of(o -> o.threads(2).maxAttempts(1).maxRun(Duration.ofSeconds(3))));
        inbox.putAll(messages(5_000));
        long slowFrom = System.nanoTime() + Duration.ofSeconds(1).toNanos();
        slow.turno().handle(inbox, (message, turn) -> {
            TimeUnit.MILLISECONDS.sleep(System.nanoTime() < slowFrom ? 1 : 2_000);
            return record(message, turn);
        });
        await().atMost(SOON).until(() -> System.nanoTime() > slowFrom);
        assertThat(inbox.counts().doing()).isGreaterThan(2); // taken ahead: how far depends on the machine

        quick.turno().handle("orders", this::record);

        await().atMost(SOON).until(() -> inbox.counts().done() == 5_000);
        assertThat(handled).hasSize(5_000).doesNotHaveDuplicates();
    }

    @Test
    void an_inbox_has_one_handler_in_a_process_until_its_worker_is_closed() {
        Node a = node("a");
        Worker<?> first = a.turno().handle("orders", this::record);

        assertThatThrownBy(() -> a.turno().handle("orders", this::record))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("more threads");

        first.close();
        a.turno().handle("orders", this::record);
        a.inbox("orders").put("one", "{}");
        await().atMost(SOON).until(() -> handled.contains("one"));
    }

    @Test
    void closing_while_the_database_is_away_says_so_and_does_not_throw() {
        var way = new TrickySource(database.dataSource());
        Node a = cluster.nodeOn(
                way.source(), "a", TurnoOptions.defaults().withLease(LEASE).withDrain(LEASE));
        a.turno().handle("orders", this::record);
        a.turno().locks();
        a.turno().handleTasks("report", (task, turn) -> Result.done());
        way.cut();

        a.turno().close();

        assertThat(a.turno().counters().count("turno.trouble")).isPositive();
    }

    @Test
    void a_closed_turno_handles_nothing_more_and_says_so() {
        Node a = node("a");
        Inbox inbox = a.inbox("orders");
        a.turno().close();

        assertThatThrownBy(() -> a.turno().handle(inbox, this::record)).hasMessageContaining("closed");
    }

    @Test
    void an_exception_that_cannot_even_be_printed_is_a_failure_like_any_other() {
        Node a = node("a");
        Inbox inbox = a.inbox("orders", InboxOptions.of(o -> o.maxAttempts(1)));
        inbox.put("one", "{}");

        a.turno().handle(inbox, (message, turn) -> {
            throw new IllegalStateException("\uD800 half a pair") {
                @Override
                public void printStackTrace(java.io.PrintWriter s) {
                    throw new UnsupportedOperationException();
                }
            };
        });

        await().atMost(SOON).until(() -> inbox.counts().dead() == 1);
        assertThat(inbox.find("one").orElseThrow().error().orElseThrow()).contains("could not be printed");
    }

    @Test
    void a_node_that_was_away_for_too_long_is_told_and_its_results_are_refused() throws Exception {
        Node a = node("a");
        Node b = node("b");
        CountDownLatch running = new CountDownLatch(1);
        AtomicBoolean doubted = new AtomicBoolean();
        AtomicBoolean told = new AtomicBoolean();
        a.inbox("orders").put("one", "{}");
        a.turno().handle("orders", (message, turn) -> {
            running.countDown();
            try {
                for (long end = System.nanoTime() + SOON.toNanos(); System.nanoTime() < end; ) {
                    TimeUnit.MILLISECONDS.sleep(10);
                    doubted.compareAndSet(false, turn.isInDoubt() && !turn.isLost());
                }
            } catch (InterruptedException e) {
                told.set(turn.isLost());
            }
            return Result.done();
        });
        assertThat(running.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

        cluster.pause(a);
        b.turno().handle("orders", this::record);
        await().atMost(SOON).until(() -> handled.contains("one"));
        cluster.resume(a);

        await().atMost(SOON).until(() -> a.turno().counters().count("turno.claims.lost") == 1);
        assertThat(doubted).isTrue();
        assertThat(told).isTrue();
        assertThat(a.turno().counters().count("turno.holder.declared.dead")).isEqualTo(1);
    }

    @Test
    void a_watcher_that_throws_harms_nobody() {
        Node a = cluster.node("a", TurnoOptions.defaults().withLease(LEASE).withWatcher(event -> {
            throw new IllegalStateException("broken watcher");
        }));
        Node b = cluster.node("b", TurnoOptions.defaults().withLease(LEASE).withWatcher(event -> {
            throw new NoSuchMethodError("watcher of another version");
        }));
        a.inbox("orders").putAll(messages(10));
        b.inbox("others").putAll(messages(10));

        a.turno().handle("orders", this::record);
        b.turno().handle("others", this::record);

        await().atMost(SOON).until(() -> a.inbox("orders").counts().done() == 10);
        await().atMost(SOON).until(() -> b.inbox("others").counts().done() == 10);
        assertThat(handled).hasSize(20);
    }

    @Test
    void messages_that_die_again_are_revived_once() throws Exception {
        Node a = node("a");
        Inbox inbox = a.inbox("orders", quick());
        inbox.putAll(messages(3_000));
        a.turno().handle(inbox, (message, turn) -> Result.reject("still broken"));
        await().atMost(SOON).until(() -> inbox.counts().dead() == 3_000);
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> waking = CompletableFuture.runAsync(() -> {
            while (!over.get()) {
                inbox.wake();
                LockSupport.parkNanos(1_000_000);
            }
        });

        int revived = CompletableFuture.supplyAsync(() -> inbox.reviveAll(Optional.empty()))
                .get(SOON.toSeconds(), TimeUnit.SECONDS);

        over.set(true);
        waking.join();
        assertThat(revived).isEqualTo(3_000);
        await().atMost(SOON).until(() -> inbox.counts().dead() == 3_000);
    }

    @Test
    void the_next_in_order_does_not_wait_for_a_poll_when_the_handler_commits() {
        int count = 20;
        Node a = node("a");
        Inbox inbox = a.inbox("orders", InboxOptions.of(o -> o.backoff(QUICK).finish(FinishMode.IN_TRANSACTION)));
        inbox.putAll(IntStream.range(0, count)
                .mapToObj(i -> NewMessage.of("m" + i, "{}").inOrderOf("key"))
                .toList());
        List<Long> begun = Collections.synchronizedList(new ArrayList<>());
        List<Long> committed = Collections.synchronizedList(new ArrayList<>());

        a.turno().handle(inbox, (message, turn) -> {
            begun.add(System.nanoTime());
            try (Connection connection = database.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                turn.finishIn(connection);
                Thread.sleep(30); // whoever looks at once finds nothing yet
                connection.commit();
                connection.setAutoCommit(true);
            }
            committed.add(System.nanoTime());
            return Result.done();
        });

        await().atMost(SOON).until(() -> inbox.counts().done() == count);
        List<Long> between = IntStream.range(1, count)
                .mapToObj(i -> begun.get(i) - committed.get(i - 1))
                .sorted()
                .toList();
        assertThat(Duration.ofNanos(between.get(count / 4))).isLessThan(Duration.ofMillis(30));
    }

    @Test
    void a_put_in_an_open_transaction_keeps_the_next_of_its_key_waiting_and_nobody_else() throws Exception {
        Node a = node("a");
        Inbox inbox = a.inbox("orders", quick());
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch locked = new CountDownLatch(1);
        a.turno().handle(inbox, (message, turn) -> {
            if (message.id().equals("a1")) {
                begun.countDown();
                locked.await();
            }
            return record(message, turn);
        });
        inbox.put(NewMessage.of("a1", "{}").inOrderOf("a"));
        begun.await();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            inbox.put(connection, NewMessage.of("a2", "{}").inOrderOf("a"));
            locked.countDown();
            await().atMost(SOON).until(() -> handled.contains("a1"));

            inbox.put(NewMessage.of("b1", "{}").inOrderOf("b"));
            inbox.put(NewMessage.of("b2", "{}").inOrderOf("b"));
            inbox.put("free", "{}");

            await().atMost(Duration.ofSeconds(5)).until(() -> inbox.counts().done() == 3);
            assertThat(inbox.find("a1").orElseThrow().state()).isEqualTo(InboxState.DOING);
            connection.commit();
            connection.setAutoCommit(true);
        }
        await().atMost(SOON).until(() -> inbox.counts().done() == 5);
        assertThat(handled).containsExactlyInAnyOrder("a1", "b1", "b2", "free", "a2");
    }

    @Test
    void a_message_that_was_handled_is_not_handled_again_while_an_open_put_keeps_its_verdict_waiting()
            throws Exception {
        Duration maxRun = Duration.ofSeconds(1);
        InboxOptions options =
                InboxOptions.of(o -> o.backoff(QUICK).maxAttempts(2).maxRun(maxRun));
        Node a = node("a");
        Node b = node("b");
        Inbox inbox = a.inbox("orders", options);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch locked = new CountDownLatch(1);
        InboxHandler handler = (message, turn) -> {
            begun.countDown();
            locked.await();
            return record(message, turn);
        };
        a.turno().handle(inbox, handler);
        b.turno().handle(b.inbox("orders", options), handler);
        inbox.put(NewMessage.of("a1", "{}").inOrderOf("a"));
        begun.await();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            inbox.put(connection, NewMessage.of("a2", "{}").inOrderOf("a"));
            locked.countDown();
            Thread.sleep(6_000); // a claim lasts for half of that
            assertThat(handled).containsExactly("a1");
            connection.commit();
            connection.setAutoCommit(true);
        }

        await().atMost(SOON).until(() -> inbox.counts().done() == 2);
        assertThat(handled).containsExactly("a1", "a2");
    }

    @Test
    void a_lost_claim_fails_the_handlers_transaction() throws SQLException {
        execute("create table effect (id varchar(50))");
        Node a = node("a");
        Inbox inbox = a.inbox("orders", InboxOptions.of(o -> o.backoff(QUICK).maxRun(Duration.ofMillis(300))));
        Queue<String> said = new ConcurrentLinkedQueue<>();
        CountDownLatch lost = new CountDownLatch(1);
        inbox.put("one", "{}");

        a.turno().handle(inbox, (message, turn) -> {
            if (turn.attempt() > 1) {
                return Result.done();
            }
            awaitIgnoringInterrupts(lost);
            try (Connection connection = database.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement()) {
                    statement.execute("insert into effect values ('late')");
                }
                turn.finishIn(connection);
                connection.commit();
            } catch (ClaimLostException e) {
                said.add(String.valueOf(e.getMessage()));
            }
            return Result.done();
        });

        await().atMost(SOON).until(() -> inbox.find("one").orElseThrow().state() == InboxState.DONE);
        lost.countDown();
        await().atMost(SOON).until(() -> !said.isEmpty());
        assertThat(said.peek())
                .contains("orders/one")
                .contains("lost its claim")
                .contains("Roll this transaction back");
        assertThat(effects()).isEmpty();
    }

    private static void awaitIgnoringInterrupts(CountDownLatch latch) {
        boolean open = false;
        while (!open) {
            try {
                latch.await();
                open = true;
            } catch (InterruptedException e) {
                // the worker's word that the claim is lost: this handler goes on all the same
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> effects() throws SQLException {
        List<String> ids = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select id from effect")) {
            while (result.next()) {
                ids.add(result.getString(1));
            }
        }
        return ids;
    }
}
