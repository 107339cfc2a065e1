package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.BufferOptions;
import dev.turno.buffer.Buffers;
import dev.turno.claim.Result;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.NewMessage;
import dev.turno.lock.LockOutcome;
import dev.turno.lock.LockTerms;
import dev.turno.run.Job;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.task.NewTask;
import dev.turno.task.TaskOptions;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.PgBouncer;
import dev.turno.testkit.database.RestartableServer;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.worker.FinishMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Two nodes behind PgBouncer in transaction mode, with fewer sessions than connections and a new one for each transaction. The
 * contract as a whole runs through it with {@code -Dturno.test.databases=pgbouncer}.
 */
@OnDatabase(TestDatabase.POSTGRESQL)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PgBouncerTest {

    private static final int SESSIONS = 4;
    private static final int CONNECTIONS = 10;
    private static final int MANY = 100;
    private static final int FEW = 20;
    private static final Duration QUIET = Duration.ofMillis(100);

    private final List<AutoCloseable> toClose = new ArrayList<>();
    private RestartableServer server;

    @BeforeAll
    void start() {
        PgBouncer.assumeInstalled();
        server = TestDatabase.POSTGRESQL.newServer();
        toClose.add(server);
    }

    @AfterAll
    void close() throws Exception {
        for (AutoCloseable each : toClose) {
            each.close();
        }
    }

    @Test
    void every_feature_works_through_it() throws Exception {
        try (PgBouncer bouncer = PgBouncer.before(server, SESSIONS)) {
            workThrough(bouncer);
        }
    }

    @Test
    void every_feature_works_with_prepared_statements_that_it_looks_after() throws Exception {
        assumeTrue(PgBouncer.canPrepare(), "PgBouncer 1.21 or newer is needed for prepared statements");
        try (PgBouncer bouncer = PgBouncer.preparing(server, SESSIONS)) {
            workThrough(bouncer);
        }
    }

    @Test
    void nobody_listens_through_it_and_no_connection_is_kept_for_that() throws Exception {
        try (PgBouncer bouncer = PgBouncer.before(server, SESSIONS);
                FreshDatabase database = bouncer.fresh();
                HikariDataSource pool = database.newPool(database.url(), CONNECTIONS);
                Turno behind = start(pool, "behind");
                HikariDataSource straight = database.newPool(database.urlThrough(server.port()), CONNECTIONS);
                Turno before = start(straight, "straight")) {
            Set<String> handled = ConcurrentHashMap.newKeySet();
            behind.handle("orders", (message, turn) -> {
                handled.add(message.id());
                return Result.done();
            });

            // It puts straight and wakes whoever listens; the one behind finds them by polling.
            for (int n = 0; n < FEW; n++) {
                before.inbox("orders").put("m" + n, "{}");
            }
            Stage.until(() -> handled.size() == FEW);
            Stage.until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
            assertThat(bouncer.complaints()).isEmpty();
            // The one that is connected straight listens.
            Stage.until(() -> count(
                            database,
                            "select count(*) from pg_stat_activity where datname = current_database()"
                                    + " and query = 'listen turno'")
                    == 1);
        }
    }

    @Test
    void who_lets_the_driver_prepare_statements_is_told_what_to_do() {
        try (PgBouncer bouncer = PgBouncer.before(server, 1);
                FreshDatabase database = server.fresh();
                HikariDataSource one = database.newPool(database.urlThrough(bouncer.port()), 1);
                HikariDataSource other = database.newPool(database.urlThrough(bouncer.port()), 1);
                Turno a = Turno.open(one, TurnoOptions.defaults().withSchema(migratedOn(database)));
                Turno b = Turno.open(other, TurnoOptions.defaults().withSchema(SchemaMode.NONE))) {
            List<Inbox> inboxes = List.of(a.inbox("orders"), b.inbox("orders"));

            // Both connections call their first prepared statement the same, in one session.
            assertThatThrownBy(() -> {
                        for (int n = 0; n < FEW; n++) {
                            String id = "m" + n;
                            inboxes.forEach(inbox -> inbox.put(id, "{}"));
                        }
                    })
                    .hasMessageContaining("add prepareThreshold=0 to the JDBC URL");
        }
    }

    private void workThrough(PgBouncer bouncer) throws Exception {
        try (FreshDatabase database = bouncer.fresh();
                HikariDataSource poolA = database.newPool(database.url(), CONNECTIONS);
                HikariDataSource poolB = database.newPool(database.url(), CONNECTIONS);
                Turno a = start(poolA, "a");
                Turno b = start(poolB, "b")) {
            execute(database, "create table effect (what varchar(100) primary key)", "create table counter (n int)");
            execute(database, "insert into counter values (0)");
            Queue<String> bursts = new ConcurrentLinkedQueue<>();
            List<Turno> nodes = List.of(a, b);
            for (int i = 0; i < nodes.size(); i++) {
                handle(nodes.get(i), i == 0 ? poolA : poolB, bursts);
            }

            produce(database, a);
            List<Thread> counters =
                    nodes.stream().map(node -> counting(node, database)).toList();
            for (Thread counter : counters) {
                counter.join();
            }
            long run = a.runs().submit(RunRequest.of("copy")).orThrow();

            Stage.until(() -> a.inbox("batched").counts().done() == 2 * MANY);
            Stage.until(() -> a.inbox("written").counts().done() == FEW);
            Stage.until(() -> bursts.size() == FEW);
            Stage.until(() -> count(database, "select count(*) from effect where what like 'task%'") == FEW);
            Stage.until(() -> b.runs().find(run).orElseThrow().state() == RunState.DONE);
            assertThat(count(database, "select count(*) from effect where what like 'written%'"))
                    .isEqualTo(FEW);
            assertThat(count(database, "select count(*) from effect where what like 'item%'"))
                    .isEqualTo(MANY);
            assertThat(count(database, "select n from counter")).isEqualTo(2 * FEW);
            assertThat(bouncer.complaints()).isEmpty();
            assertThat(count(database, "select count(*) from pg_stat_activity where datname = current_database()"))
                    .isLessThanOrEqualTo(SESSIONS);
        }
    }

    private static void handle(Turno node, HikariDataSource pool, Queue<String> bursts) {
        node.handle(node.inbox("batched", InboxOptions.of(o -> o.concurrency(6))), (message, turn) -> Result.done());
        Inbox written = node.inbox("written", InboxOptions.of(o -> o.finish(FinishMode.IN_TRANSACTION)));
        node.handle(written, (message, turn) -> {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                write(connection, "written " + message.id());
                turn.finishIn(connection);
                connection.commit();
            }
            return Result.done();
        });
        Buffers talks = node.buffers("talks", BufferOptions.of(o -> o.quiet(QUIET)));
        node.handle(talks, (burst, turn) -> {
            burst.messages().forEach(message -> bursts.add(message.body()));
            return Result.done();
        });
        node.handleTasks("report", TaskOptions.defaults(), (task, turn) -> {
            try (Connection connection = pool.getConnection()) {
                write(connection, "task " + task.id());
            }
            return Result.done();
        });
        Runs runs = node.runs();
        runs.add(Job.of(
                "copy",
                Source.iterator(run -> IntStream.range(0, MANY).boxed().iterator()),
                Step.batch("insert into effect values (?)", (insert, item) -> insert.setString(1, "item " + item)),
                choices -> choices.pageSize(MANY / 5)));
        node.work(runs);
    }

    private static void produce(FreshDatabase database, Turno node) throws SQLException {
        Inbox batched = node.inbox("batched");
        batched.putAll(IntStream.range(0, MANY)
                .mapToObj(n -> NewMessage.of("all" + n, "{}"))
                .toList());
        for (int n = 0; n < MANY; n++) {
            batched.put(NewMessage.of("key" + n, "{}").inOrderOf("k" + n % 5).withPriority(n % 10));
        }
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            for (int n = 0; n < FEW; n++) {
                node.inbox("written").put(connection, NewMessage.of("w" + n, "{}"));
                node.buffers("talks").add(connection, "key" + n % 3, List.of(BufferMessage.of("b" + n, "hello")));
                node.tasks().schedule(connection, NewTask.in("report", "{}", Duration.ofMillis(10L * n)));
            }
            connection.commit();
        }
    }

    /** Reads, waits and writes: two at once would count one too few. */
    private static Thread counting(Turno node, FreshDatabase database) {
        LockTerms patient = LockTerms.of(terms -> terms.waitUpTo(Duration.ofSeconds(30)));
        Thread thread = new Thread(() -> {
            for (int n = 0; n < FEW; n++) {
                LockOutcome<Integer> outcome = holding(node, database, patient);
                if (!(outcome instanceof LockOutcome.Ran<Integer>)) {
                    throw new IllegalStateException(outcome.toString());
                }
            }
        });
        thread.start();
        return thread;
    }

    private static LockOutcome<Integer> holding(Turno node, FreshDatabase database, LockTerms terms) {
        try {
            return node.locks().whileHolding("counter", terms, lease -> {
                int found = count(database, "select n from counter");
                execute(database, "update counter set n = " + (found + 1));
                return found;
            });
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static Turno start(HikariDataSource pool, String node) {
        return Turno.start(pool, TurnoOptions.defaults().withNode(node));
    }

    /** Makes the tables on a straight way. */
    private static SchemaMode migratedOn(FreshDatabase database) {
        Turno.open(database.dataSource(), TurnoOptions.defaults()).close();
        return SchemaMode.NONE;
    }

    private static void write(Connection connection, String what) throws SQLException {
        try (var insert = connection.prepareStatement("insert into effect values (?)")) {
            insert.setString(1, what);
            insert.executeUpdate();
        }
    }

    private static void execute(FreshDatabase database, String... statements) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private static int count(FreshDatabase database, String query) throws SQLException {
        return Rows.number(database.dataSource(), query);
    }
}
