package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turno.TurnoOptions;
import dev.turno.claim.Result;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.NewMessage;
import dev.turno.inbox.PutOutcome;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import dev.turno.worker.Worker;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A message put in a process whose worker has nothing to do is that worker's from the beginning; in all other cases it waits for its turn. */
@OnDatabase(TestDatabase.POSTGRESQL)
class PutTakenTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String TAKEN = "DOING";
    private static final String WAITING = "PENDING";

    private final FreshDatabase database;
    private final Cluster cluster;
    private final Node a;
    private final Queue<String> handled = new ConcurrentLinkedQueue<>();
    private final CountDownLatch goOn = new CountDownLatch(1);

    PutTakenTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.running(database);
        this.a = node("a");
    }

    private Node node(String name) {
        return cluster.node(
                name, TurnoOptions.defaults().withLease(Duration.ofSeconds(2)).withDrain(Duration.ofSeconds(1)));
    }

    /** The states in which messages came into the table. */
    @BeforeEach
    void watch() throws SQLException {
        execute("""
                create table born (message_id varchar(200), state varchar(9));
                create function watch() returns trigger language plpgsql as
                  'begin insert into born values (new.message_id, new.state); return new; end';
                create trigger watch after insert on turno_inbox for each row execute function watch()""");
    }

    @AfterEach
    void close() {
        goOn.countDown();
        cluster.close();
    }

    private Worker<?> work(Node node, Inbox inbox) {
        return node.turno().handle(inbox, (message, turn) -> {
            handled.add(message.id());
            if (message.body().equals("wait")) {
                goOn.await();
            }
            return Result.done();
        });
    }

    /** A worker is known to be idle once it has looked and found nothing more. */
    private Inbox idle(InboxOptions options) throws SQLException {
        return idle(a, options);
    }

    private Inbox idle(Node node, InboxOptions options) throws SQLException {
        Inbox inbox = node.inbox("orders", options);
        work(node, inbox);
        for (int i = 0; !TAKEN.equals(born("probe-" + (i - 1))); i++) {
            assertThat(i).as("probes of which none was taken at once").isLessThan(1_000);
            inbox.put("probe-" + i, "");
            String id = "probe-" + i;
            await().atMost(SOON).until(() -> handled.contains(id));
        }
        await().atMost(SOON).until(() -> inbox.counts().doing() == 0);
        handled.clear();
        return inbox;
    }

    @Test
    void a_worker_with_nothing_to_do_has_it_at_once() throws SQLException {
        Inbox inbox = idle(InboxOptions.defaults());

        assertThat(inbox.put("m", "{}")).isEqualTo(new PutOutcome.Stored());

        await().atMost(SOON).until(() -> inbox.find("m").orElseThrow().state() == InboxState.DONE);
        assertThat(born("m")).isEqualTo(TAKEN);
        assertThat(inbox.find("m").orElseThrow().attempt()).isEqualTo(1);
        assertThat(inbox.put("m", "{}")).isEqualTo(new PutOutcome.Duplicate(InboxState.DONE));
        assertThat(handled).containsExactly("m");
    }

    @Test
    void what_has_to_wait_waits() throws SQLException {
        Inbox inbox = idle(InboxOptions.defaults());

        inbox.put(NewMessage.of("later", "{}").after(Duration.ofMillis(1)));
        inbox.put(NewMessage.of("in-line", "{}").inOrderOf("key"));
        await().atMost(SOON).until(() -> handled.size() == 2);
        inbox.pause();
        inbox.put("paused", "{}");

        assertThat(List.of(born("later"), born("in-line"), born("paused"))).containsOnly(WAITING);
        assertThat(inbox.find("paused").orElseThrow().state()).isEqualTo(InboxState.PENDING);
        inbox.resume();
        await().atMost(SOON).until(() -> handled.contains("paused"));
    }

    @Test
    void an_inbox_with_a_limit_hands_out_its_slots_as_always() throws SQLException {
        Inbox inbox = idle(InboxOptions.defaults());
        execute("update turno_inbox_setting set concurrency = 1");

        inbox.put("m", "{}");

        assertThat(born("m")).isEqualTo(WAITING);
    }

    @Test
    void a_worker_without_a_free_thread_gets_nothing() throws SQLException {
        Inbox inbox = idle(InboxOptions.of(o -> o.threads(1)));

        inbox.put("first", "wait");
        inbox.put("second", "{}");

        assertThat(born("first")).isEqualTo(TAKEN);
        assertThat(born("second")).isEqualTo(WAITING);
        goOn.countDown();
        await().atMost(SOON).until(() -> handled.contains("second"));
    }

    @Test
    void a_holder_that_was_declared_dead_gets_nothing() throws SQLException {
        Inbox inbox = idle(InboxOptions.defaults());
        execute("update turno_holder set reaped_at = now() where id = "
                + a.turno().holder().value());

        inbox.put("m", "{}");

        assertThat(born("m")).isEqualTo(WAITING);
        await().atMost(SOON).until(() -> handled.contains("m"));
    }

    @Test
    void a_second_handler_that_is_refused_leaves_the_first_as_it_was() throws SQLException {
        Inbox inbox = idle(InboxOptions.defaults());
        assertThatThrownBy(() -> work(a, inbox)).hasMessageContaining("already");

        inbox.put("m", "{}");

        assertThat(born("m")).isEqualTo(TAKEN);
        await().atMost(SOON).until(() -> handled.contains("m"));
    }

    @Test
    void what_is_just_being_born_is_not_given_back_as_unknown() throws Exception {
        TrickySource way = new TrickySource(database.dataSource());
        Node tricky = cluster.nodeOn(way.source(), "tricky", TurnoOptions.defaults());
        Inbox inbox = idle(tricky, InboxOptions.defaults());
        TrickySource.Halt halt = way.haltAfter("returning id, put_at");
        Thread putting = new Thread(() -> inbox.put("m", "{}"), "putting");
        putting.start();
        halt.awaitSomebody();

        way.loseTheNextAnswerTo("turno_inbox"); // of a take: from now on it is looked for what is unknown
        await().atMost(SOON).until(() -> way.answersLost() == 1);
        await().during(Duration.ofSeconds(3))
                .atMost(SOON)
                .until(() -> inbox.find("m").orElseThrow().state() == InboxState.DOING);
        halt.goOn();
        putting.join();

        await().atMost(SOON).until(() -> inbox.find("m").orElseThrow().state() == InboxState.DONE);
        assertThat(handled).containsExactly("m");
        assertThat(tricky.turno().counters().count("turno.claims.lost")).isZero();
    }

    @Test
    void a_closed_worker_gets_nothing() throws SQLException {
        Inbox inbox = a.inbox("orders");
        Worker<?> worker = work(a, inbox);
        inbox.put("first", "{}");
        await().atMost(SOON).until(() -> inbox.counts().done() == 1);
        worker.close();

        inbox.put("m", "{}");

        assertThat(born("m")).isEqualTo(WAITING);
        work(a, inbox);
        await().atMost(SOON).until(() -> handled.contains("m"));
    }

    @Test
    void what_a_dead_process_had_from_the_beginning_is_taken_over() throws SQLException {
        Inbox inbox = idle(InboxOptions.defaults());
        inbox.put("m", "wait");
        await().atMost(SOON).until(() -> handled.contains("m"));
        assertThat(born("m")).isEqualTo(TAKEN);

        cluster.kill(a);
        goOn.countDown();
        Node b = node("b");
        work(b, b.inbox("orders"));

        await().atMost(SOON)
                .until(() -> b.inbox("orders").find("m").orElseThrow().state() == InboxState.DONE);
        assertThat(handled).containsExactly("m", "m");
        assertThat(b.inbox("orders").find("m").orElseThrow().attempt()).isEqualTo(2);
    }

    @Test
    void many_who_put_at_once_have_each_message_handled_once() throws Exception {
        Inbox inbox = idle(InboxOptions.of(o -> o.threads(4)));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<PutOutcome>> all = IntStream.range(0, 800)
                    .<Callable<PutOutcome>>mapToObj(i -> () -> inbox.put("m" + i % 400, "{}"))
                    .toList();
            int stored = 0;
            for (Future<PutOutcome> one : threads.invokeAll(all)) {
                stored += one.get() instanceof PutOutcome.Stored ? 1 : 0;
            }
            assertThat(stored).isEqualTo(400);
        } finally {
            threads.shutdown();
        }

        await().atMost(SOON)
                .until(() -> inbox.counts().pending() + inbox.counts().doing() == 0);
        assertThat(handled).hasSize(400).doesNotHaveDuplicates();
    }

    private String born(String id) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                PreparedStatement select = connection.prepareStatement("select state from born where message_id = ?")) {
            select.setString(1, id);
            try (ResultSet result = select.executeQuery()) {
                return result.next() ? result.getString(1) : "";
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
