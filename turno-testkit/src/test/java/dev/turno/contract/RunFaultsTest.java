package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.run.ItemPolicy;
import dev.turno.run.Job;
import dev.turno.run.Letter;
import dev.turno.run.RunOptions;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.run.StopOutcome;
import dev.turno.run.StoredRun;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.worker.Backoff;
import java.io.InterruptedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whose fault it is when an item breaks off, and what is left of the item. */
@OnEveryDatabase
class RunFaultsTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Backoff QUICK = Backoff.exponential(Duration.ofMillis(20), Duration.ofMillis(50));

    private final FreshDatabase database;
    private final Cluster cluster;
    private final Turno turno;
    private final Runs runs;
    private final CountDownLatch inItem = new CountDownLatch(1);

    RunFaultsTest(FreshDatabase database) throws SQLException {
        this.database = database;
        execute("create table done_item (id bigint)");
        this.cluster = Cluster.running(database);
        this.turno = node("node-a", Duration.ofMinutes(5));
        this.runs = turno.runs();
    }

    private Turno node(String name, Duration maxPage) {
        Turno node = cluster.node(
                        name,
                        TurnoOptions.defaults().withLease(Duration.ofSeconds(5)).withDrain(Duration.ofMillis(200)))
                .turno();
        node.runs(RunOptions.of(
                o -> o.backoff(QUICK).maxAttempts(2).maxPage(maxPage).poll(Duration.ofMillis(200))));
        return node;
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    // ---- interrupts

    @Test
    void an_item_that_wraps_the_interrupt_of_a_process_that_ends_is_not_blamed_and_costs_no_attempt() throws Exception {
        runs.add(job(items(30), ItemPolicy.fail(), (item, attempt) -> {
            if (item == 15) {
                inItem.countDown();
                wait(wrapped());
            }
        }));
        long id = submit(runs);
        turno.work(runs);
        reached(inItem);

        turno.close();

        Turno other = node("node-b", Duration.ofMinutes(5));
        StoredRun left = other.runs().find(id).orElseThrow();
        assertThat(left.state()).as(() -> "%s".formatted(left.error())).isEqualTo(RunState.PENDING);
        assertThat(left.attempt()).isZero();
        assertThat(left.error()).isEmpty();
        other.runs().add(job(items(30), ItemPolicy.fail(), (item, attempt) -> {}));
        other.work(other.runs());
        until(other.runs(), id, RunState.DONE);
        assertThat(done()).containsExactlyElementsOf(items(30));
    }

    @Test
    void a_source_interrupted_by_the_end_of_its_process_costs_no_attempt_either() throws Exception {
        runs.add(Job.of(
                "copy",
                run -> {
                    inItem.countDown();
                    wait(wrapped());
                    throw new IllegalStateException();
                },
                Step.<Long>each((item, page) -> {})));
        long id = submit(runs);
        turno.work(runs);
        reached(inItem);

        turno.close();

        StoredRun left = node("node-b", Duration.ofMinutes(5)).runs().find(id).orElseThrow();
        assertThat(left.state()).isEqualTo(RunState.PENDING);
        assertThat(left.attempt()).isZero();
    }

    @Test
    void an_item_interrupted_because_its_page_took_too_long_is_not_passed_over_but_the_run_is_tried_again()
            throws Exception {
        Turno slow = node("node-b", Duration.ofSeconds(1));
        AtomicInteger tries = new AtomicInteger();
        slow.runs().add(job(items(30), ItemPolicy.skipUpTo(100), (item, fence) -> {
            if (item == 12) {
                throw new IllegalStateException("bad"); // so that each item of the page is tried by itself
            }
            if (item == 20 && tries.incrementAndGet() == 1) { // the last of its page
                wait(wrapped());
            }
        }));
        long id = submit(slow.runs());

        slow.work(slow.runs());
        StoredRun run = until(slow.runs(), id, RunState.DONE);

        assertThat(done()).hasSize(29).contains(20L).doesNotContain(12L);
        assertThat(run.progress().skipped()).isEqualTo(1);
    }

    @Test
    void a_page_that_takes_too_long_every_time_ends_the_run_after_its_attempts_and_says_what_to_do() throws Exception {
        Turno slow = node("node-b", Duration.ofSeconds(1));
        AtomicInteger tries = new AtomicInteger();
        slow.runs().add(job(items(30), ItemPolicy.skipUpTo(100), (item, fence) -> {
            if (item == 15) {
                tries.incrementAndGet();
                wait(wrapped());
            }
        }));
        long id = submit(slow.runs());

        slow.work(slow.runs());
        StoredRun run = until(slow.runs(), id, RunState.DEAD);

        assertThat(tries).hasValue(3); // the first one had stored a page, two more are allowed
        assertThat(run.error().orElseThrow()).contains("max-page").contains("my own words");
        assertThat(run.cursor()).contains("10");
        assertThat(done()).containsExactlyElementsOf(items(10));
    }

    @Test
    void an_item_interrupted_by_somebody_else_is_not_blamed_either() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        runs.add(job(items(30), ItemPolicy.skipUpTo(100), (item, fence) -> {
            if (item == 15 && tries.incrementAndGet() == 1) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("my own words");
            }
        }));
        long id = submit(runs);

        turno.work(runs);
        StoredRun run = until(runs, id, RunState.DONE);

        assertThat(run.progress().skipped()).isZero();
        assertThat(run.fence()).isEqualTo(2);
        assertThat(done()).containsExactlyElementsOf(items(30));
    }

    @Test
    void a_timeout_that_bears_the_name_of_an_interrupt_is_the_items_failure() throws Exception {
        runs.add(job(items(30), ItemPolicy.skipUpTo(100), (item, fence) -> {
            if (item == 15) {
                throw new InterruptedIOException("timeout"); // as HTTP clients say it
            }
        }));
        long id = submit(runs);

        turno.work(runs);
        StoredRun run = until(runs, id, RunState.DONE);

        assertThat(run.progress().skipped()).isEqualTo(1);
        assertThat(done()).hasSize(29).doesNotContain(15L);
    }

    // ---- stops

    @Test
    void a_long_item_learns_that_another_process_wishes_a_stop_and_is_not_blamed_for_what_it_throws() throws Exception {
        runs.add(Job.of(
                "copy",
                Source.iterator(run -> items(30).iterator()),
                Step.<Long>each((item, page) -> {
                    insert(page.connection(), item);
                    if (item == 15) {
                        inItem.countDown();
                        while (!page.run().isStopWished()) {
                            Thread.sleep(10);
                        }
                        throw new IllegalStateException("my own words");
                    }
                }),
                j -> j.pageSize(10)));
        long id = submit(runs);
        turno.work(runs);
        reached(inItem);
        Turno other = node("node-b", Duration.ofMinutes(5));

        long asked = System.nanoTime();
        assertThat(other.runs().stop(id)).isEqualTo(StopOutcome.STOPPING);
        StoredRun run = until(runs, id, RunState.STOPPED);

        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(6)); // on a busy machine
        assertThat(run.cursor()).contains("10");
        assertThat(done()).containsExactlyElementsOf(items(10));
    }

    @Test
    void all_runs_of_a_process_together_ask_once_in_half_a_second_whether_one_of_them_shall_stop() throws Exception {
        var counting = new TrickySource(database.newPool(database.url(), 20));
        Turno node = cluster.nodeOn(counting.source(), "node-b", TurnoOptions.defaults())
                .turno();
        node.runs(RunOptions.of(o -> o.perNode(8).perCluster(8)));
        CountDownLatch all = new CountDownLatch(8);
        CountDownLatch goOn = new CountDownLatch(1);
        node.runs().add(Job.of("copy", Source.iterator(run -> items(1).iterator()), Step.<Long>each((item, page) -> {
            all.countDown();
            goOn.await();
        })));
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ids.add(node.runs().submit(RunRequest.of("copy").on("N" + i)).orThrow());
        }
        node.work(node.runs());
        reached(all);

        int before = counting.asked("stop_at is not null");
        Thread.sleep(2_000);
        int asked = counting.asked("stop_at is not null") - before;
        goOn.countDown();

        assertThat(asked).isBetween(1, 5);
        ids.forEach(id -> until(node.runs(), id, RunState.DONE));
    }

    // ---- keys of parked items

    @Test
    void a_parked_item_is_found_again_by_its_key_however_long_up_to_the_limit() throws Exception {
        List<String> revived = new CopyOnWriteArrayList<>();
        AtomicInteger bad = new AtomicInteger(1);
        String longKey = "é".repeat(3_999) + "1";
        runs.add(Job.of(
                "copy",
                Source.iterator(run -> List.of("a", longKey, "b").iterator()),
                Step.<String>each((item, page) -> {
                    if (item.equals(longKey) && bad.get() == 1) {
                        throw new IllegalStateException("bad");
                    }
                    revived.add(item);
                }),
                j -> j.onFailure(ItemPolicy.parkUpTo(10))
                        .reload(key -> key.equals(longKey) ? Optional.of(key) : Optional.empty())));
        long id = submit(runs);
        turno.work(runs);
        until(runs, id, RunState.DONE);
        assertThat(runs.parkedItems(id, Optional.empty(), 10))
                .extracting(Letter::itemKey)
                .containsExactly(longKey);
        revived.clear();

        bad.set(0);
        until(runs, runs.revive(id).orThrow(), RunState.DONE);

        assertThat(revived).containsExactly(longKey);
        assertThat(runs.parkedItems(id, Optional.empty(), 10)).isEmpty();
    }

    @Test
    void an_item_whose_key_cannot_be_kept_is_not_parked_but_fails_the_run_and_says_why() throws Exception {
        for (String key : List.of("k".repeat(4_001), "a\0b", "half \uD83D")) {
            String job = "copy-" + key.length();
            runs.add(Job.of(
                    job,
                    Source.iterator(run -> List.of(key).iterator()),
                    Step.<String>each((item, page) -> {
                        throw new IllegalStateException("bad");
                    }),
                    j -> j.onFailure(ItemPolicy.parkUpTo(10))));
        }
        turno.work(runs);
        Map<String, String> reasons = Map.of(
                "copy-4001", "4001 characters, of at most 4000",
                "copy-3", "a NUL character at position 1",
                "copy-6", "half of a surrogate pair at position 5");
        for (String job : reasons.keySet()) {
            long id = runs.submit(RunRequest.of(job)).orThrow();

            StoredRun run = until(runs, id, RunState.DEAD);

            assertThat(run.error().orElseThrow()).contains("cannot be parked").contains(reasons.get(job));
            assertThat(runs.parkedItems(id, Optional.empty(), 10)).isEmpty();
        }
    }

    // ---- help

    @FunctionalInterface
    private interface Act {
        void on(long item, long fence) throws Exception;
    }

    private static Job<Long> job(List<Long> items, ItemPolicy policy, Act act) {
        return Job.of(
                "copy",
                Source.iterator(run -> items.iterator()),
                Step.each((item, page) -> {
                    insert(page.connection(), item);
                    act.on(item, page.run().fence());
                }),
                j -> j.pageSize(10).onFailure(policy));
    }

    @FunctionalInterface
    private interface Rethrow {
        void on(InterruptedException e) throws Exception;
    }

    private static Rethrow wrapped() {
        return e -> {
            throw new IllegalStateException("my own words", new RuntimeException(e));
        };
    }

    private static void wait(Rethrow rethrow) throws Exception {
        try {
            Thread.sleep(SOON.toMillis());
        } catch (InterruptedException e) {
            rethrow.on(e);
        }
    }

    private static long submit(Runs runs) {
        return runs.submit(RunRequest.of("copy")).orThrow();
    }

    private static void reached(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private static StoredRun until(Runs runs, long id, RunState state) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(runs.find(id).orElseThrow())
                        .extracting(StoredRun::state)
                        .isEqualTo(state));
        return runs.find(id).orElseThrow();
    }

    private static List<Long> items(int count) {
        return LongStream.rangeClosed(1, count).boxed().toList();
    }

    private List<Long> done() throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select id from done_item order by id")) {
            while (row.next()) {
                ids.add(row.getLong(1));
            }
        }
        return ids;
    }

    private static void insert(Connection connection, long id) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into done_item (id) values (?)")) {
            insert.setLong(1, id);
            insert.executeUpdate();
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
