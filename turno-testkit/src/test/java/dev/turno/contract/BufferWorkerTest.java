package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.TurnoOptions;
import dev.turno.buffer.Added;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.BufferOptions;
import dev.turno.buffer.BufferState;
import dev.turno.buffer.Buffers;
import dev.turno.buffer.Burst;
import dev.turno.buffer.DeadBurst;
import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import dev.turno.worker.Backoff;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Buffers with the engine's threads, on the databases' own time. */
@OnEveryDatabase
class BufferWorkerTest {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Backoff QUICK = Backoff.exponential(Duration.ofMillis(20), Duration.ofMillis(100));

    private final FreshDatabase database;
    private final Cluster cluster;
    private final Queue<String> handled = new ConcurrentLinkedQueue<>();

    BufferWorkerTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.running(database);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Node node(String name) {
        return cluster.node(name, options());
    }

    private static TurnoOptions options() {
        return TurnoOptions.defaults().withLease(LEASE).withDrain(Duration.ofSeconds(2));
    }

    private static BufferOptions quietFor(int millis) {
        return BufferOptions.of(
                o -> o.quiet(Duration.ofMillis(millis)).backoff(QUICK).maxAttempts(3));
    }

    private Result record(Burst burst, Turn turn) {
        handled.add(burst.text());
        return Result.done();
    }

    private static void untilIdle(Buffers buffer, String key) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> buffer.find(key).orElseThrow().state() == BufferState.IDLE);
    }

    @Test
    void a_burst_that_ends_while_somebody_adds_to_its_key_is_not_handed_over_again_after_an_orderly_end()
            throws Exception {
        Node first = node("first");
        Buffers buffer = first.turno().buffers("b", quietFor(50));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        first.turno().handle(buffer, (burst, turn) -> {
            begun.countDown();
            goOn.await();
            return record(burst, turn);
        });
        buffer.add("key", "one");
        assertThat(begun.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            buffer.add(connection, "key", List.of(BufferMessage.of("two")));
            CompletableFuture<Void> closing =
                    CompletableFuture.runAsync(() -> first.turno().close());
            Thread.sleep(300); // it stops
            goOn.countDown();
            Thread.sleep(700); // it wants to write that the burst is done
            connection.commit();
            connection.setAutoCommit(true);
            closing.get(SOON.toSeconds(), TimeUnit.SECONDS);
        }

        Node second = node("second");
        second.turno().handle(second.turno().buffers("b", quietFor(50)), this::record);

        await().atMost(SOON).until(() -> handled.contains("two"));
        assertThat(handled).containsExactly("one", "two");
    }

    @Test
    void a_burst_that_ends_while_its_key_is_locked_for_longer_than_it_may_run_is_not_handed_over_again()
            throws Exception {
        Node node = node("a");
        Duration maxRun = Duration.ofSeconds(1);
        Buffers buffer = node.turno()
                .buffers(
                        "b",
                        BufferOptions.of(o -> o.quiet(Duration.ofMillis(50)).maxRun(maxRun)));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        node.turno().handle(buffer, (burst, turn) -> {
            begun.countDown();
            goOn.await();
            return record(burst, turn);
        });
        buffer.add("key", "one");
        assertThat(begun.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            buffer.add(connection, "key", List.of(BufferMessage.of("two")));
            goOn.countDown();
            Thread.sleep(maxRun.toMillis() + 300); // its claim lapses two seconds after that
            connection.rollback();
            connection.setAutoCommit(true);
        }

        untilIdle(buffer, "key");
        assertThat(handled).containsExactly("one");
    }

    @Test
    void bursts_are_handed_over_at_their_time_also_when_another_process_added_them() throws Exception {
        // Longer than a poll: whoever handles finds out in time, without being told.
        BufferOptions options = quietFor(1_200);
        Buffers adding = node("adds").turno().buffers("b", options);
        Node handling = node("handles");
        Map<String, Long> startedAt = new ConcurrentHashMap<>();
        handling.turno().handle(handling.turno().buffers("b", options), (burst, turn) -> {
            startedAt.put(burst.key(), System.currentTimeMillis());
            return Result.done();
        });
        Map<String, Long> dueAt = new HashMap<>();
        for (int i = 0; i < 60; i++) {
            Added added = adding.add("key-" + i, "hola");
            dueAt.put("key-" + i, added.flushAt().orElseThrow().toEpochMilli());
            Thread.sleep(20);
        }
        await().atMost(SOON).until(() -> startedAt.size() == 60);

        List<Long> late = dueAt.entrySet().stream()
                .map(due -> startedAt.getOrDefault(due.getKey(), 0L) - due.getValue())
                .sorted()
                .toList();

        System.out.println(
                "LATENESS " + database.kind() + " median " + late.get(30) + " ms, longest " + late.get(59) + " ms");
        assertThat(late.get(0)).isGreaterThanOrEqualTo(0);
        // The goal is p99 < 250 ms on an idle machine; this one may be busy. A poll would be late by half a second.
        assertThat(late.get(30)).isLessThan(250);
    }

    @Test
    void a_short_quiet_time_and_a_flush_are_not_waited_for_until_the_next_poll() {
        Node node = node("a");
        Buffers buffer = node.turno().buffers("b", quietFor(60));
        node.turno().handle(buffer, this::record);

        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            long before = System.nanoTime();
            buffer.add("key-" + i, "hola " + i);
            int wanted = i + 1;
            await().atMost(SOON).pollInterval(Duration.ofMillis(2)).until(() -> handled.size() == wanted);
            times.add(Duration.ofNanos(System.nanoTime() - before));
        }
        Collections.sort(times);
        assertThat(times.get(times.size() / 2))
                .isLessThan(Duration.ofMillis(600)); // a busy machine may hold up one or two
    }

    @Test
    void a_key_under_constant_fire_is_flushed_all_the_same() throws Exception {
        Node node = node("a");
        Buffers buffer = node.turno()
                .buffers(
                        "b",
                        BufferOptions.of(o -> o.quiet(Duration.ofMillis(500)).maxWait(Duration.ofMillis(500))));
        AtomicInteger messages = new AtomicInteger();
        node.turno().handle(buffer, (burst, turn) -> {
            messages.addAndGet(burst.messages().size());
            handled.add("burst");
            return Result.done();
        });
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger added = new AtomicInteger();
        List<Thread> writers = IntStream.range(0, 8)
                .mapToObj(i -> new Thread(() -> {
                    while (!stop.get()) {
                        buffer.add("hot", "x");
                        added.incrementAndGet();
                    }
                }))
                .toList();
        writers.forEach(Thread::start);
        try {
            await().atMost(SOON).until(() -> handled.size() >= 2);
        } finally {
            stop.set(true);
        }
        for (Thread writer : writers) {
            writer.join();
        }

        await().atMost(SOON).until(() -> messages.get() == added.get());
    }

    @Test
    void a_handler_slower_than_the_lease_keeps_its_burst() {
        BufferOptions options = quietFor(50);
        for (String name : List.of("a", "b")) {
            Node node = node(name);
            node.turno().handle(node.turno().buffers("b", options), (burst, turn) -> {
                handled.add(name);
                Thread.sleep(LEASE.plusSeconds(1).toMillis());
                return Result.done();
            });
        }
        Buffers buffer = node("c").turno().buffers("b", options);

        buffer.add("k", "hola");

        untilIdle(buffer, "k");
        assertThat(handled).hasSize(1);
    }

    @Test
    void a_handler_that_hangs_is_interrupted_at_the_maximum_run_time_and_another_goes_on_under_the_same_key() {
        Node node = node("a");
        Buffers buffer = node.turno()
                .buffers(
                        "b",
                        BufferOptions.of(o -> o.quiet(Duration.ofMillis(50)).maxRun(Duration.ofMillis(500))));
        node.turno().handle(buffer, (burst, turn) -> {
            handled.add(turn.key());
            if (turn.attempt() == 1) {
                Thread.sleep(60_000);
            }
            return Result.done();
        });

        buffer.add("k", "hola");

        untilIdle(buffer, "k");
        assertThat(handled).hasSize(2);
        assertThat(Set.copyOf(handled)).hasSize(1);
    }

    @Test
    void a_burst_that_fails_every_time_is_parked_after_its_attempts_and_can_be_revived() {
        Node node = node("a");
        Buffers buffer = node.turno().buffers("b", quietFor(50));
        AtomicBoolean broken = new AtomicBoolean(true);
        node.turno().handle(buffer, (burst, turn) -> {
            if (broken.get()) {
                throw new IllegalStateException("the gateway is away");
            }
            return record(burst, turn);
        });
        buffer.add("k", "hola");
        await().atMost(SOON).until(() -> buffer.counts().dead() == 1);
        DeadBurst dead = buffer.listDead(Optional.empty(), 1).items().get(0);
        assertThat(dead.attempt()).isEqualTo(3);
        assertThat(dead.error()).contains("the gateway is away");
        assertThat(buffer.find("k").orElseThrow().state()).isEqualTo(BufferState.IDLE);

        broken.set(false);
        buffer.revive(dead.id());

        await().atMost(SOON).until(() -> buffer.counts().dead() == 0);
        assertThat(handled).containsExactly("hola");
    }

    @Test
    void a_burst_older_than_its_expiry_is_parked_with_the_reason_and_not_handed_over() throws Exception {
        Node node = node("a");
        Buffers buffer = node.turno()
                .buffers(
                        "b",
                        BufferOptions.of(o -> o.quiet(Duration.ofMillis(50)).expiry(Duration.ofMillis(700))));
        buffer.add("old", "hola");
        Thread.sleep(900);

        node.turno().handle(buffer, this::record);

        await().atMost(SOON).until(() -> buffer.counts().dead() == 1);
        assertThat(handled).isEmpty();
        DeadBurst dead = buffer.listDead(Optional.empty(), 1).items().get(0);
        assertThat(dead.key()).isEqualTo("old");
        assertThat(dead.error()).startsWith("Expired").contains("PT0.7S");
        await().atMost(SOON).until(() -> {
            buffer.add("young", "hola"); // again, should a busy machine let one grow old
            return !handled.isEmpty();
        });
    }

    @Test
    void a_burst_that_expired_is_handed_over_when_somebody_revives_it() throws Exception {
        Node node = node("a");
        Buffers buffer = node.turno()
                .buffers(
                        "b",
                        BufferOptions.of(o -> o.quiet(Duration.ofMillis(50)).expiry(Duration.ofMillis(200))));
        buffer.add("old", "hola");
        Thread.sleep(400);
        node.turno().handle(buffer, this::record);
        await().atMost(SOON).until(() -> buffer.counts().dead() == 1);
        assertThat(handled).isEmpty();

        assertThat(buffer.reviveAll()).isEqualTo(1);

        await().atMost(SOON).until(() -> handled.size() == 1);
        untilIdle(buffer, "old");
        assertThat(buffer.counts().dead()).isZero();
    }

    @Test
    void in_a_long_transaction_the_quiet_time_counts_from_the_add_and_the_order_is_that_of_the_adds() throws Exception {
        Node node = node("a");
        Buffers buffer = node.turno().buffers("b", quietFor(1_000));
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.executeQuery("select current_timestamp").close(); // it has begun
            }
            Thread.sleep(700);
            buffer.add("k", "uno");
            Instant before = Instant.now();
            Added added = buffer.add(connection, "k", List.of(BufferMessage.of("dos")));
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(added.flushAt().orElseThrow()).isAfter(before.plusMillis(900));
            assertThat(added.in().orElseThrow()).isBetween(Duration.ofMillis(900), Duration.ofSeconds(1));
        }
        node.turno().handle(buffer, this::record);

        await().atMost(SOON).until(() -> handled.size() == 1);
        assertThat(handled).containsExactly("uno\ndos");
    }

    @Test
    void what_was_taken_when_there_was_no_memory_for_it_is_given_back_long_before_its_claim_lapses() {
        TrickySource tricky = new TrickySource(database.newPool(database.url(), 10));
        Node node = cluster.nodeOn(tricky.source(), "a", options());
        Buffers buffer = node.turno().buffers("b", quietFor(50));
        buffer.add("k", "hola");
        tricky.runOutOfMemoryAt("turno_buffer_message");

        node.turno().handle(buffer, this::record);

        untilIdle(buffer, "k");
        assertThat(handled).containsExactly("hola");
        assertThat(node.turno().counters().count("turno.trouble")).isPositive();
    }

    @Test
    void a_database_that_is_away_between_the_gateways_answer_and_the_finish_repeats_nothing() {
        TrickySource tricky = new TrickySource(database.newPool(database.url(), 10));
        Node node = cluster.nodeOn(tricky.source(), "a", options().withLease(Duration.ofSeconds(10)));
        Buffers buffer = node.turno().buffers("b", quietFor(50));
        node.turno().handle(buffer, (burst, turn) -> {
            handled.add(turn.key());
            tricky.cut();
            return Result.done();
        });
        buffer.add("k", "hola");
        await().atMost(SOON).until(() -> node.turno().counters().count("turno.trouble") > 0);

        tricky.mend();

        untilIdle(buffer, "k");
        assertThat(handled).hasSize(1);
    }
}
