package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.run.ItemPolicy;
import dev.turno.run.Job;
import dev.turno.run.Letter;
import dev.turno.run.LogLine;
import dev.turno.run.Page;
import dev.turno.run.RetryLaterException;
import dev.turno.run.RunOptions;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.run.Runs;
import dev.turno.run.RunsMXBean;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.run.StopOutcome;
import dev.turno.run.StoredRun;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.worker.Backoff;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.management.JMX;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The page loop: what is stored, in whatever way a run ends. */
@OnEveryDatabase
class RunPagesTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Backoff QUICK = Backoff.exponential(Duration.ofMillis(20), Duration.ofMillis(50));
    private static final String INSERT = "insert into done_item (id) values (?)";

    private final FreshDatabase database;
    private final Cluster cluster;
    private final Turno turno;
    private final Runs runs;

    RunPagesTest(FreshDatabase database) throws SQLException {
        this.database = database;
        execute("create table item (id bigint primary key)", "create table done_item (id bigint)");
        this.cluster = Cluster.running(database);
        this.turno = node("node-a");
        this.runs = turno.runs();
    }

    private Turno node(String name) {
        Turno node = cluster.node(
                        name,
                        TurnoOptions.defaults().withLease(Duration.ofSeconds(2)).withDrain(Duration.ofSeconds(3)))
                .turno();
        node.runs(RunOptions.of(o -> o.backoff(QUICK).maxAttempts(3).poll(Duration.ofMillis(200))));
        return node;
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    // ---- the ordinary way

    @Test
    void all_items_are_handled_once_page_by_page_and_the_progress_is_told() throws SQLException {
        items(1_234);
        add(Step.each((item, page) -> insert(page.connection(), item)), j -> {}, rows().withTotal(run -> 1_234L));

        StoredRun run = finished(RunRequest.of("copy").on("N1"), RunState.DONE);

        assertThat(done()).containsExactlyElementsOf(range(1, 1_234));
        assertThat(run.progress().completed()).isEqualTo(1_234);
        assertThat(run.progress().rate()).contains(1.0);
        assertThat(run.cursor()).contains("1234");
        assertThat(run.attempt()).isZero();
        assertThat(runs.lastDone("copy", "N1").orElseThrow().id()).isEqualTo(run.id());
        assertThat(runs.log(run.id(), Optional.empty(), 10))
                .extracting(LogLine::text)
                .anySatisfy(line -> assertThat(line).contains("Begins on node-a"));
    }

    @Test
    void a_whole_page_and_a_batch_write_the_same_as_item_by_item() throws SQLException {
        items(250);
        add("whole", Step.whole((items, page) -> insertAll(page.connection(), items)), j -> {}, rows());
        add("batch", Step.batch(INSERT, (statement, item) -> statement.setLong(1, item)), j -> {}, rows());

        finished(RunRequest.of("whole"), RunState.DONE);
        assertThat(done()).containsExactlyElementsOf(range(1, 250));
        execute("delete from done_item");
        finished(RunRequest.of("batch"), RunState.DONE);
        assertThat(done()).containsExactlyElementsOf(range(1, 250));
    }

    @Test
    void hooks_surround_the_run_and_each_page_in_its_transaction() throws SQLException {
        items(20);
        List<String> said = new CopyOnWriteArrayList<>();
        add(
                Step.each((item, page) -> insert(page.connection(), item)),
                j -> j.pageSize(10)
                        .beforeRun(run -> said.add("before run " + run.isIncremental()))
                        .beforePage(page ->
                                said.add("before page " + page.run().cursor().orElse("-")))
                        .afterPage(page -> insert(page.connection(), -1L))
                        .afterPage(page -> said.add("after page"))
                        .afterRun(run -> said.add("after run " + run.cursor().orElse("-"))),
                rows());

        finished(RunRequest.of("copy").incrementally(), RunState.DONE);

        assertThat(said)
                .containsExactly(
                        "before run true",
                        "before page -",
                        "after page",
                        "before page 10",
                        "after page",
                        "after run 20");
        assertThat(done()).hasSize(22);
    }

    @Test
    void iterators_paginators_and_tokens_are_sources_too_and_resume_where_they_were() throws SQLException {
        List<Long> all = range(1, 95);
        add("iterator", failingOnceAt(45, "iterator"), j -> j.pageSize(10), Source.iterator(run -> all.iterator()));
        add(
                "placed",
                failingOnceAt(45, "placed"),
                j -> j.pageSize(10),
                Source.iterator(
                        run -> all.subList(run.cursor().map(Integer::parseInt).orElse(0), all.size())
                                .iterator(),
                        item -> Long.toString(item)));
        add(
                "paginator",
                failingOnceAt(45, "paginator"),
                j -> j.pageSize(10),
                Source.paginator(
                        (number, size) -> all.subList(Math.min(95, number * size), Math.min(95, (number + 1) * size))));
        for (String job : List.of("iterator", "placed", "paginator")) {
            execute("delete from done_item");
            StoredRun dead = finished(RunRequest.of(job), RunState.DEAD);
            assertThat(done()).as(job).containsExactlyElementsOf(range(1, 40));

            runs.resume(dead.id()).orThrow();
            until(dead.id(), RunState.DONE);
            assertThat(done()).as(job).containsExactlyElementsOf(all);
        }
    }

    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    private Step<Long> failingOnceAt(long bad, String name) {
        return Step.each((item, page) -> {
            if (item == bad && failed.add(name)) {
                throw new IllegalStateException("once");
            }
            insert(page.connection(), item);
        });
    }

    @Test
    void a_source_read_ahead_gives_the_same_and_what_it_throws_parks_the_run() throws Exception {
        items(500);
        AtomicInteger fetched = new AtomicInteger();
        add(
                Step.each((item, page) -> insert(page.connection(), item)),
                j -> {},
                Source.<Long>paged((cursor, size) -> {
                            if (fetched.incrementAndGet() == 3) {
                                throw new RetryLaterException(Duration.ofMillis(200), "busy");
                            }
                            long from = cursor.map(Long::parseLong).orElse(0L);
                            List<Long> items = range(from + 1, Math.min(500, from + size));
                            return items.isEmpty()
                                    ? Optional.empty()
                                    : Optional.of(new Page<>(items, Long.toString(from + items.size())));
                        })
                        .ahead());

        long id = submit(RunRequest.of("copy"));
        await().atMost(SOON).until(() -> turno.counters().count("turno.runs.parked") == 1);
        until(id, RunState.DONE);

        assertThat(done()).containsExactlyElementsOf(range(1, 500));
    }

    @Test
    void a_paginator_goes_on_where_it_was_although_the_size_of_the_pages_was_changed() throws SQLException {
        List<Long> all = range(1, 95);
        Source<Long> source = Source.paginator(
                (number, size) -> all.subList(Math.min(95, number * size), Math.min(95, (number + 1) * size)));
        add(failingOnceAt(45, "paginator"), j -> j.pageSize(10), source);
        StoredRun dead = finished(RunRequest.of("copy"), RunState.DEAD);
        turno.drain();

        Turno other = node("node-b");
        other.runs().add(Job.of("copy", source, failingOnceAt(45, "paginator"), j -> j.pageSize(30)));
        other.work(other.runs());
        other.runs().resume(dead.id()).orThrow();
        until(dead.id(), RunState.DONE);

        assertThat(done()).containsExactlyElementsOf(all);
    }

    @Test
    void runs_are_worked_once_in_a_process_and_a_second_wish_changes_nothing() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch goOn = new CountDownLatch(1);
        runs.add(Job.of("hold", Source.iterator(run -> List.of(1).iterator()), Step.each((item, page) -> {
            begun.incrementAndGet();
            goOn.await();
        })));
        runs.add(Job.of("brief", Source.iterator(run -> List.of(1).iterator()), Step.each((item, page) -> {})));
        turno.work(runs);

        assertThatThrownBy(() -> turno.work(runs)).hasMessageContaining("already");

        runs.limitPerNode(1);
        until(submitOnly(RunRequest.of("brief")), RunState.DONE); // now no take with the old limit is under way
        for (int i = 0; i < 3; i++) {
            submitOnly(RunRequest.of("hold").on("N" + i));
        }
        await().atMost(SOON).until(() -> begun.get() == 1);
        await().during(Duration.ofMillis(500)).atMost(SOON).until(() -> begun.get() == 1);
        goOn.countDown();
        await().atMost(SOON).until(() -> runs.counts().done() == 4);
    }

    // ---- stop and resume

    @Test
    void stopped_in_the_middle_of_page_37_nothing_of_it_is_stored_and_resumed_it_ends_as_if_undisturbed()
            throws Exception {
        items(5_000);
        CountDownLatch inPage37 = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        List<String> afterRun = new CopyOnWriteArrayList<>();
        add(
                Step.each((item, page) -> {
                    insert(page.connection(), item);
                    if (item == 3_650) {
                        inPage37.countDown();
                        goOn.await();
                    }
                }),
                j -> j.afterRun(run -> afterRun.add("after")),
                rows());
        long id = submit(RunRequest.of("copy").on("N1"));
        reached(inPage37);

        assertThat(runs.stop(id)).isEqualTo(StopOutcome.STOPPING);
        goOn.countDown();
        StoredRun stopped = until(id, RunState.STOPPED);

        assertThat(done()).containsExactlyElementsOf(range(1, 3_600));
        assertThat(stopped.cursor()).contains("3600");
        assertThat(afterRun).isEmpty();
        assertThat(runs.lastDone("copy", "N1")).isEmpty();

        runs.resume(id).orThrow();
        until(id, RunState.DONE);
        assertThat(done()).containsExactlyElementsOf(range(1, 5_000));
        assertThat(afterRun).containsExactly("after");
    }

    @Test
    void a_stop_asked_for_in_another_process_is_learnt_within_a_second_or_so() throws Exception {
        items(20_000);
        add(
                Step.each((item, page) -> {
                    Thread.sleep(5);
                    insert(page.connection(), item);
                }),
                j -> {},
                rows());
        Turno other = node("node-b");
        long id = submit(RunRequest.of("copy"));
        until(id, RunState.DOING);

        long asked = System.nanoTime();
        assertThat(other.runs().stop(id)).isEqualTo(StopOutcome.STOPPING);
        until(id, RunState.STOPPED);

        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(6)); // on a busy machine
        assertThat(done().size() % 100).isZero();
    }

    @Test
    void a_process_that_ends_in_order_hands_its_run_over_and_another_goes_on() throws Exception {
        items(3_000);
        add(slowly(), j -> {}, rows());
        long id = submit(RunRequest.of("copy"));
        await().atMost(SOON).until(() -> !done().isEmpty());
        Turno other = node("node-b");
        other.runs().add(Job.of("copy", rows(), slowly()));

        turno.close();
        other.work(other.runs());

        await().atMost(SOON).until(() -> other.runs().find(id).orElseThrow().state() == RunState.DONE);
        assertThat(done()).containsExactlyElementsOf(range(1, 3_000));
        // A take that was under way when the first process ended may have had it for a moment.
        assertThat(other.runs().find(id).orElseThrow().fence()).isBetween(2L, 3L);
    }

    private static Step<Long> slowly() {
        return Step.each((item, page) -> {
            if (item % 10 == 0) {
                Thread.sleep(2);
            }
            insert(page.connection(), item);
        });
    }

    // ---- items that fail

    @Test
    void a_failed_item_fails_the_run_and_names_itself_and_mended_the_run_goes_on() throws SQLException {
        items(500);
        AtomicInteger bad = new AtomicInteger(333);
        add(
                Step.each((item, page) -> {
                    insert(page.connection(), item);
                    if (item == bad.get()) {
                        throw new IllegalStateException("bad record");
                    }
                }),
                j -> j.key(item -> "rec-" + item),
                rows());

        StoredRun dead = finished(RunRequest.of("copy").on("N1").then("copy"), RunState.DEAD);

        assertThat(dead.error().orElseThrow())
                .contains("rec-333")
                .contains("bad record")
                .contains("300");
        assertThat(done()).containsExactlyElementsOf(range(1, 300));
        assertThat(runs.ofSubject("N1", Optional.empty(), 10)).hasSize(1); // the chain waits
        bad.set(-1);
        runs.resume(dead.id()).orThrow();
        await().atMost(SOON).until(() -> runs.counts().done() == 2);
        assertThat(done()).hasSize(1_000);
    }

    @Test
    void failed_items_are_skipped_up_to_a_limit() throws SQLException {
        items(500);
        add("few", failingAt(7, 150, 151), j -> j.onFailure(ItemPolicy.skipUpTo(3)), rows());
        add("many", failingAt(7, 150, 151), j -> j.onFailure(ItemPolicy.skipUpTo(2)), rows());

        StoredRun few = finished(RunRequest.of("few"), RunState.DONE);
        assertThat(few.progress().skipped()).isEqualTo(3);
        assertThat(few.progress().completed()).isEqualTo(497);
        assertThat(done()).hasSize(497).doesNotContain(7L, 150L, 151L);

        StoredRun many = finished(RunRequest.of("many"), RunState.DEAD);
        assertThat(many.error().orElseThrow()).contains("limit of 2");
    }

    @Test
    void an_item_is_not_blamed_when_the_database_asks_for_a_repetition() throws SQLException {
        items(100);
        AtomicInteger deadlocks = new AtomicInteger(3);
        AtomicInteger sixty = new AtomicInteger();
        add(
                Step.each((item, page) -> {
                    insert(page.connection(), item);
                    if (item == 50) {
                        throw new IllegalStateException("bad");
                    }
                    if (item == 60 && sixty.incrementAndGet() > 0 && deadlocks.getAndDecrement() > 0) {
                        throw new SQLException(
                                "deadlock", "40001", database.kind() == TestDatabase.MARIADB ? 1213 : 40001);
                    }
                }),
                j -> j.onFailure(ItemPolicy.skipUpTo(5)),
                rows());

        StoredRun run = finished(RunRequest.of("copy"), RunState.DONE);

        assertThat(sixty).hasValue(4);
        assertThat(run.progress().skipped()).isEqualTo(1);
        assertThat(done()).hasSize(99).doesNotContain(50L);
    }

    @Test
    void an_item_that_is_there_already_is_a_failed_item() throws SQLException {
        items(100);
        execute("create table once_item (id bigint primary key)", "insert into once_item (id) values (50)");
        add(
                Step.batch("insert into once_item (id) values (?)", (statement, item) -> statement.setLong(1, item)),
                j -> j.onFailure(ItemPolicy.skipUpTo(1)),
                rows());

        StoredRun run = finished(RunRequest.of("copy"), RunState.DONE);

        assertThat(run.progress().skipped()).isEqualTo(1);
        assertThat(run.progress().completed()).isEqualTo(99);
    }

    @Test
    void failed_items_of_a_set_based_step_are_found_one_by_one() throws SQLException {
        items(300);
        add(
                Step.whole((items, page) -> {
                    insertAll(page.connection(), items);
                    if (items.contains(123L)) {
                        execute(page.connection(), "insert into no_such_table values (1)");
                    }
                }),
                j -> j.onFailure(ItemPolicy.skipUpTo(1)),
                rows());

        finished(RunRequest.of("copy"), RunState.DONE);

        assertThat(done()).hasSize(299).doesNotContain(123L);
    }

    @Test
    void failed_items_are_parked_with_key_and_error_and_revived_later() throws SQLException {
        items(500);
        AtomicInteger bad = new AtomicInteger(1);
        add(
                Step.each((item, page) -> {
                    if ((bad.get() == 1 && item % 100 == 50) || (bad.get() == 2 && item == 50)) {
                        execute(page.connection(), "insert into no_such_table values (" + item + ")");
                    }
                    insert(page.connection(), item);
                }),
                j -> j.onFailure(ItemPolicy.parkUpTo(100))
                        .key(item -> "rec-" + item)
                        .reload(key -> Optional.of(Long.parseLong(key.substring(4)))),
                rows());
        StoredRun run = finished(RunRequest.of("copy").on("N1"), RunState.DONE);

        assertThat(run.progress().parked()).isEqualTo(5);
        List<Letter> letters = runs.parkedItems(run.id(), Optional.empty(), 10);
        assertThat(letters)
                .extracting(Letter::itemKey)
                .containsExactly("rec-50", "rec-150", "rec-250", "rec-350", "rec-450");
        assertThat(letters.get(0).error().toLowerCase(Locale.ROOT)).contains("no_such_table");

        bad.set(2);
        long revival = runs.revive(run.id()).orThrow();
        until(revival, RunState.DONE);
        assertThat(runs.parkedItems(run.id(), Optional.empty(), 10)).isEmpty();
        assertThat(runs.parkedItems(revival, Optional.empty(), 10))
                .extracting(Letter::itemKey)
                .containsExactly("rec-50");
        assertThat(runs.lastDone("copy", "N1").orElseThrow().id()).isEqualTo(run.id());

        bad.set(3);
        until(runs.revive(revival).orThrow(), RunState.DONE);
        assertThat(done()).containsExactlyElementsOf(range(1, 500));
    }

    @Test
    void a_failed_item_is_tried_again_with_backoff_and_the_others_are_stored_once() throws SQLException {
        items(200);
        AtomicInteger tries = new AtomicInteger();
        add(
                Step.each((item, page) -> {
                    insert(page.connection(), item);
                    if (item == 150 && tries.incrementAndGet() <= 3) {
                        throw new IllegalStateException("not yet");
                    }
                }),
                j -> j.onFailure(ItemPolicy.fail().retrying(3, QUICK)),
                rows());

        finished(RunRequest.of("copy"), RunState.DONE);

        assertThat(tries).hasValue(4);
        assertThat(done()).containsExactlyElementsOf(range(1, 200));
    }

    @Test
    void a_step_outside_of_the_database_stores_each_page_and_does_not_repeat_what_it_did_when_an_item_fails()
            throws SQLException {
        items(30);
        List<Long> sent = new CopyOnWriteArrayList<>();
        AtomicInteger failures = new AtomicInteger();
        add(
                Step.outside(Step.each((item, page) -> {
                    if (item == 15 && failures.incrementAndGet() <= 2) {
                        throw new IllegalStateException("timeout");
                    }
                    sent.add(item);
                })),
                j -> j.pageSize(10).onFailure(ItemPolicy.fail().retrying(2, QUICK)),
                rows());

        StoredRun run = finished(RunRequest.of("copy"), RunState.DONE);

        assertThat(sent).containsExactlyElementsOf(range(1, 30));
        assertThat(run.cursor()).contains("30");
        assertThat(run.progress().completed()).isEqualTo(30);
    }

    @Test
    void a_source_that_breaks_is_tried_again_from_the_last_stored_page_and_then_the_run_is_dead() throws SQLException {
        items(300);
        AtomicInteger opened = new AtomicInteger();
        Source<Long> good = rows();
        add(Step.each((item, page) -> insert(page.connection(), item)), j -> {}, run -> {
            if (opened.incrementAndGet() <= 2) {
                throw new IllegalStateException("the server is away");
            }
            return good.open(run);
        });
        finished(RunRequest.of("copy"), RunState.DONE);
        assertThat(opened).hasValue(3);

        opened.set(-1_000);
        StoredRun dead = finished(RunRequest.of("copy"), RunState.DEAD);
        assertThat(dead.error().orElseThrow()).contains("the server is away");
        assertThat(done()).containsExactlyElementsOf(range(1, 300));
    }

    @Test
    void a_key_of_text_is_followed_page_by_page_in_the_databases_own_order() throws SQLException {
        items(250);
        execute("create table named (name varchar(40) primary key, id bigint)");
        execute("insert into named (name, id) select concat('item ', id), id from item");
        add(
                Step.each((item, page) -> insert(page.connection(), item)),
                j -> {},
                Source.queryByText(
                        database.dataSource(),
                        "select name, id from named where name > ? order by name limit ?",
                        "name",
                        row -> row.getLong("id")));

        StoredRun run = finished(RunRequest.of("copy"), RunState.DONE);

        assertThat(done()).containsExactlyElementsOf(range(1, 250));
        assertThat(run.cursor()).contains("item 99");
    }

    @Test
    void a_query_in_the_wrong_order_is_refused_instead_of_passing_over_items() throws SQLException {
        items(300);
        add(
                Step.each((item, page) -> insert(page.connection(), item)),
                j -> {},
                Source.query(
                        database.dataSource(),
                        "select id from item where id > ? order by id desc limit ?",
                        "id",
                        row -> row.getLong("id")));

        StoredRun dead = finished(RunRequest.of("copy"), RunState.DEAD);

        assertThat(dead.error().orElseThrow()).contains("order by id");
        assertThat(done()).isEmpty();
    }

    @Test
    void a_query_that_gives_the_last_item_again_is_refused_instead_of_doing_it_twice() throws SQLException {
        items(300);
        add(
                Step.each((item, page) -> insert(page.connection(), item)),
                j -> {},
                Source.query(
                        database.dataSource(),
                        "select id from item where id >= ? order by id limit ?",
                        "id",
                        row -> row.getLong("id")));

        StoredRun dead = finished(RunRequest.of("copy"), RunState.DEAD);

        assertThat(dead.error().orElseThrow()).contains("where id > ?");
        assertThat(done()).containsExactlyElementsOf(range(1, 100));
    }

    @Test
    void a_run_that_stores_pages_on_the_way_does_not_run_out_of_attempts() throws SQLException {
        items(300);
        AtomicInteger opened = new AtomicInteger();
        Source<Long> good = rows();
        add(
                Step.each((item, page) -> {
                    if (item == 250 && opened.get() == 3) {
                        throw new SQLException("The connection broke.", "08006");
                    }
                    insert(page.connection(), item);
                }),
                j -> {},
                run -> {
                    if (opened.incrementAndGet() < 3) { // three attempts are allowed
                        throw new IllegalStateException("the server is away");
                    }
                    return good.open(run);
                });

        StoredRun run = finished(RunRequest.of("copy"), RunState.DONE);

        assertThat(run.fence()).isEqualTo(4);
        assertThat(done()).containsExactlyElementsOf(range(1, 300));
    }

    // ---- waiting for something outside, limits, claims

    @Test
    void each_page_has_its_full_time_and_waiting_for_the_next_try_of_an_item_costs_none_of_it() throws Exception {
        items(3);
        Turno slow = cluster.node("node-b", TurnoOptions.defaults().withLease(Duration.ofSeconds(5)))
                .turno();
        AtomicInteger tries = new AtomicInteger();
        slow.runs(RunOptions.of(o -> o.maxPage(Duration.ofSeconds(2))))
                .add(Job.of(
                        "copy",
                        rows(),
                        Step.each((item, page) -> {
                            insert(page.connection(), item);
                            if (item < 3) {
                                Thread.sleep(1_100); // twice that is more than one page may take
                            } else if (tries.incrementAndGet() <= 2) {
                                throw new IllegalStateException("not yet");
                            }
                        }),
                        j -> j.pageSize(1)
                                .onFailure(ItemPolicy.fail()
                                        .retrying(
                                                2,
                                                new Backoff(
                                                        Duration.ofMillis(2_500), 1, Duration.ofMillis(2_500), 0)))));
        long id = slow.runs().submit(RunRequest.of("copy")).orThrow();

        slow.work(slow.runs());
        until(id, RunState.DONE);

        assertThat(done()).containsExactly(1L, 2L, 3L);
        assertThat(runs.find(id).orElseThrow().fence()).isEqualTo(1);
    }

    @Test
    void a_run_that_was_asked_to_stop_is_not_parked() throws Exception {
        items(100);
        CountDownLatch inPage = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        add(
                Step.each((item, page) -> {
                    inPage.countDown();
                    goOn.await();
                    throw new RetryLaterException(Duration.ofHours(1), "503");
                }),
                j -> {},
                rows());
        long id = submit(RunRequest.of("copy"));
        reached(inPage);

        runs.stop(id);
        goOn.countDown();

        until(id, RunState.STOPPED);
        assertThat(turno.counters().count("turno.runs.parked")).isZero();
    }

    @Test
    void a_page_takes_one_connection_however_long_it_lasts() throws Exception {
        items(3);
        var counting = new TrickySource(database.newPool(database.url(), 10));
        Turno node = cluster.nodeOn(counting.source(), "node-b", TurnoOptions.defaults())
                .turno();
        List<Integer> taken = new CopyOnWriteArrayList<>();
        node.runs().add(Job.of("copy", rows(), Step.each((item, page) -> {
            taken.add(counting.takenByMe());
            Thread.sleep(600); // it is asked every half second whether the run shall stop
        })));
        long id = node.runs().submit(RunRequest.of("copy")).orThrow();

        node.work(node.runs());
        until(id, RunState.DONE);

        assertThat(taken).hasSize(3).containsOnly(taken.get(0));
    }

    @Test
    void a_page_after_whose_commit_something_fails_is_not_done_again() throws Exception {
        items(200);
        var unlucky = new TrickySource(database.newPool(database.url(), 10));
        Turno node = cluster.nodeOn(unlucky.source(), "node-b", TurnoOptions.defaults())
                .turno();
        AtomicInteger armed = new AtomicInteger();
        node.runs(RunOptions.of(o -> o.backoff(QUICK)))
                .add(Job.of(
                        "copy",
                        rows(),
                        Step.each((item, page) -> {
                            insert(page.connection(), item);
                            if (item == 150 && armed.incrementAndGet() == 1) {
                                unlucky.failAfterMyNextCommit();
                            }
                        }),
                        j -> j.onFailure(ItemPolicy.fail().retrying(3, QUICK))));
        long id = node.runs().submit(RunRequest.of("copy")).orThrow();

        node.work(node.runs());
        until(id, RunState.DONE);

        assertThat(done()).containsExactlyElementsOf(range(1, 200));
    }

    @Test
    void a_run_that_has_to_wait_is_parked_without_a_slot_and_goes_on_after_its_last_stored_page() throws Exception {
        items(300);
        runs.limitPerCluster(1);
        AtomicInteger busy = new AtomicInteger(1);
        add(
                Step.each((item, page) -> {
                    insert(page.connection(), item);
                    if (item == 250 && busy.getAndDecrement() == 1) {
                        throw new RetryLaterException(Duration.ofSeconds(3), "503, Retry-After: 3");
                    }
                }),
                j -> {},
                rows());
        runs.add(Job.of("quick", Source.iterator(run -> List.of(1).iterator()), Step.each((item, page) -> {})));
        long waiting = submit(RunRequest.of("copy").on("N1"));
        long behind = submit(RunRequest.of("quick").on("N1"));
        StoredRun parked = until(waiting, RunState.PARKED);
        assertThat(parked.error()).contains("503, Retry-After: 3");
        assertThat(done()).containsExactlyElementsOf(range(1, 200));

        until(submit(RunRequest.of("quick").on("N2")), RunState.DONE); // the slot is free
        assertThat(runs.find(behind).orElseThrow().state()).isEqualTo(RunState.PENDING);
        assertThat(runs.find(waiting).orElseThrow().state()).isEqualTo(RunState.PARKED);
        until(waiting, RunState.DONE);
        until(behind, RunState.DONE);
        assertThat(done()).containsExactlyElementsOf(range(1, 300));
    }

    @Test
    void a_run_may_be_parked_more_often_than_it_may_fail() throws Exception {
        items(10);
        AtomicInteger busy = new AtomicInteger(7); // three attempts are allowed
        add(
                Step.each((item, page) -> {
                    insert(page.connection(), item);
                    if (busy.getAndDecrement() > 0) {
                        throw new RetryLaterException(Duration.ofMillis(10), "503");
                    }
                }),
                j -> {},
                rows());

        finished(RunRequest.of("copy").on("N1"), RunState.DONE);

        assertThat(done()).containsExactlyElementsOf(range(1, 10));
        assertThat(turno.counters().count("turno.runs.parked")).isEqualTo(7);
    }

    @Test
    void a_run_that_is_parked_or_stopped_on_its_way_is_counted_as_done_once_when_it_is() throws Exception {
        items(10);
        AtomicInteger tries = new AtomicInteger();
        add(
                Step.each((item, page) -> {
                    insert(page.connection(), item);
                    int number = tries.incrementAndGet();
                    if (number < 4) {
                        throw new RetryLaterException(Duration.ofMillis(10), "503");
                    } else if (number == 4) {
                        runs.stop(page.run().id());
                        throw new RetryLaterException(Duration.ofMillis(10), "503");
                    }
                }),
                j -> {},
                rows());
        long id = submit(RunRequest.of("copy").on("N1"));
        until(id, RunState.STOPPED);
        runs.resume(id).orThrow();
        until(id, RunState.DONE);

        await().atMost(SOON).until(() -> turno.counters().count("turno.taken") == 5);
        await().atMost(SOON).until(() -> turno.counters().count("turno.done") > 0);
        assertThat(turno.counters().count("turno.done")).isEqualTo(1);
        assertThat(turno.counters().count("turno.again")).isZero();
    }

    @Test
    void a_page_whose_run_was_taken_over_meanwhile_is_not_stored() throws Exception {
        items(200);
        CountDownLatch inPage = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        add(
                Step.each((item, page) -> {
                    insert(page.connection(), item);
                    if (item == 150 && page.run().fence() == 1) {
                        inPage.countDown();
                        goOn.await();
                    }
                }),
                j -> {},
                rows());
        long id = submit(RunRequest.of("copy"));
        reached(inPage);
        // As if another process had taken it over and finished it already.
        execute("update turno_run set fence = fence + 1, state = 'STOPPED', end_state = 'STOPPED', turn_at = null"
                + " where id = " + id);

        goOn.countDown();

        await().atMost(SOON).until(() -> turno.counters().count("turno.claims.lost") == 1);
        assertThat(done()).containsExactlyElementsOf(range(1, 100));
        assertThat(runs.find(id).orElseThrow().cursor()).contains("100");
    }

    @Test
    void a_page_whose_commit_was_not_answered_is_not_done_again_by_the_same_holder() throws Exception {
        items(200);
        var unlucky = new TrickySource(database.newPool(database.url(), 10));
        Turno node = cluster.nodeOn(unlucky.source(), "node-b", TurnoOptions.defaults())
                .turno();
        AtomicInteger armed = new AtomicInteger();
        node.runs(RunOptions.of(o -> o.backoff(QUICK)))
                .add(Job.of(
                        "copy",
                        rows(),
                        Step.each((item, page) -> {
                            insert(page.connection(), item);
                            if (item == 150 && armed.incrementAndGet() == 1) {
                                unlucky.loseMyNextCommit();
                            }
                        }),
                        j -> j.onFailure(ItemPolicy.fail().retrying(3, QUICK))));
        long id = node.runs().submit(RunRequest.of("copy")).orThrow();

        node.work(node.runs());
        until(id, RunState.DONE);

        assertThat(done()).containsExactlyElementsOf(range(1, 200));
        assertThat(runs.find(id).orElseThrow().fence()).isEqualTo(2);
    }

    @Test
    void a_node_has_no_more_runs_in_hand_than_it_may_and_jmx_shows_and_changes_that() throws Exception {
        runs.limitPerCluster(10);
        AtomicInteger begun = new AtomicInteger();
        runs.add(Job.of(
                "hold", Source.iterator(run -> IntStream.range(0, 100_000).iterator()), Step.each((item, page) -> {
                    begun.addAndGet(item == 0 ? 1 : 0);
                    Thread.sleep(2);
                })));
        turno.work(runs);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            ids.add(submitOnly(RunRequest.of("hold").on("N" + i)));
        }
        await().atMost(SOON).until(() -> begun.get() == 4);
        RunsMXBean bean = bean();
        await().during(Duration.ofMillis(300)).atMost(SOON).until(() -> begun.get() == 4);

        assertThat(bean.getRunning())
                .hasSize(4)
                .allSatisfy(line -> assertThat(line).contains("hold on N"));
        assertThat(bean.getQueued()).hasSize(2);
        assertThat(bean.getCounts()).containsEntry("DOING", 4).containsEntry("PENDING", 2);
        assertThat(bean.getMaxRunningPerNode()).isEqualTo(4);
        assertThat(bean.getMaxRunningPerCluster()).isEqualTo(10);
        assertThat(bean.getMaxQueued()).isEqualTo(32);
        bean.setMaxRunningPerNode(5);
        await().atMost(SOON).until(() -> begun.get() == 5);
        assertThat(bean.stop(ids.get(0))).isEqualTo("STOPPING");
        await().atMost(SOON).until(() -> runs.find(ids.get(0)).orElseThrow().state() == RunState.STOPPED);
        bean.setMaxQueued(1);
        assertThat(runs.limits().maxQueued()).isEqualTo(1);
        ids.forEach(runs::stop);
    }

    private static RunsMXBean bean() throws Exception {
        var server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = server.queryNames(new ObjectName("dev.turno:type=Runs,*"), null).stream()
                .findFirst()
                .orElseThrow();
        return JMX.newMXBeanProxy(server, name, RunsMXBean.class);
    }

    // ---- help

    private void add(Step<Long> step, Consumer<Job.Builder<Long>> choices, Source<Long> source) {
        add("copy", step, choices, source);
    }

    private void add(String name, Step<Long> step, Consumer<Job.Builder<Long>> choices, Source<Long> source) {
        runs.add(Job.of(name, source, step, choices));
    }

    private Source<Long> rows() {
        return Source.query(
                database.dataSource(),
                "select id from item where id > ? order by id limit ?",
                "id",
                row -> row.getLong("id"));
    }

    private static Step<Long> failingAt(long... bad) {
        return Step.each((item, page) -> {
            insert(page.connection(), item);
            if (LongStream.of(bad).anyMatch(one -> one == item)) {
                throw new IllegalStateException("bad " + item);
            }
        });
    }

    private static void reached(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private boolean works;

    private long submit(RunRequest request) {
        if (!works) {
            works = true;
            turno.work(runs);
        }
        return submitOnly(request);
    }

    private long submitOnly(RunRequest request) {
        return runs.submit(request).orThrow();
    }

    private StoredRun finished(RunRequest request, RunState state) {
        return until(submit(request), state);
    }

    private StoredRun until(long id, RunState state) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(runs.find(id).orElseThrow())
                        .extracting(StoredRun::state)
                        .isEqualTo(state));
        return runs.find(id).orElseThrow();
    }

    private void items(int count) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                PreparedStatement insert = connection.prepareStatement("insert into item (id) values (?)")) {
            for (long id = 1; id <= count; id++) {
                insert.setLong(1, id);
                insert.addBatch();
                if (id % 10_000 == 0) {
                    insert.executeBatch();
                }
            }
            insert.executeBatch();
        }
    }

    private static List<Long> range(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
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
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setLong(1, id);
            insert.executeUpdate();
        }
    }

    private static void insertAll(Connection connection, List<Long> ids) throws SQLException {
        execute(
                connection,
                "insert into done_item (id) select id from item where id in ("
                        + String.join(",", ids.stream().map(String::valueOf).toList()) + ")");
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            for (String sql : statements) {
                execute(connection, sql);
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
