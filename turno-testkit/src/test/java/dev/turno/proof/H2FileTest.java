package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.claim.Result;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.NewMessage;
import dev.turno.inbox.PutOutcome;
import dev.turno.lock.LockOutcome;
import dev.turno.lock.LockTerms;
import dev.turno.run.Job;
import dev.turno.run.RunOptions;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.worker.Backoff;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An embedded H2 in a file, whose only process is killed. */
@Tag("processes")
@OnDatabase(TestDatabase.H2)
class H2FileTest {

    /** Many more than are put before the kill, however late that comes. */
    private static final int PUTS = 500_000;

    private static final int ENOUGH = 5_000;

    private static final int MANY = 1_000;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void every_acknowledged_put_is_there_after_the_process_was_killed_in_the_middle() throws SQLException {
        String url = "jdbc:h2:async:" + directory.resolve("kept") + ";WRITE_DELAY=0";

        Set<String> acknowledged = putAndKill(url);
        Set<String> lost = missing(url, acknowledged);

        assertThat(acknowledged).hasSizeBetween(ENOUGH, PUTS - 1);
        assertThat(lost).isEmpty();
        Figures.say("h2-file", TestDatabase.H2, acknowledged.size() + " puts acknowledged before kill -9, lost 0");
    }

    /** That the check above can fail. How many are lost is a matter of luck, so nothing is asserted of that. */
    @Test
    void without_write_delay_zero_acknowledged_puts_may_be_lost() throws SQLException {
        String url = "jdbc:h2:file:" + directory.resolve("lossy");

        Set<String> acknowledged = putAndKill(url);
        Set<String> lost = missing(url, acknowledged);

        assertThat(acknowledged).hasSizeBetween(ENOUGH, PUTS - 1);
        Figures.say(
                "h2-file-default-write-delay",
                TestDatabase.H2,
                acknowledged.size() + " puts acknowledged before kill -9, lost " + lost.size());
    }

    /** Set back by hand what a killed H2 sets back now and then, if several threads have stored at once. */
    @Test
    void numbers_that_a_killed_process_has_used_are_not_used_again_by_the_next() throws SQLException {
        String url = "jdbc:h2:async:" + directory.resolve("numbers") + ";WRITE_DELAY=0";
        try (HikariDataSource pool = Pools.openPatiently(url, "sa", "", 4)) {
            try (Turno killed = Turno.start(pool)) {
                killed.inbox("orders")
                        .putAll(IntStream.range(0, 20)
                                .mapToObj(n -> NewMessage.of("m" + n, "{}"))
                                .toList());
            }
            execute(
                    pool,
                    "alter table turno_inbox alter column id restart with (select max(id) - 10 from turno_inbox)");

            try (Turno next = Turno.start(pool)) {
                assertThat(next.inbox("orders").put("later", "{}")).isEqualTo(new PutOutcome.Stored());
            }
        }
    }

    /** The same in the middle of its life, as behind a server: the line of the log cannot be stored, and the run must not die of it. */
    @Test
    void a_run_does_not_fail_because_a_number_of_its_log_is_used_already() throws SQLException {
        String url = "jdbc:h2:async:" + directory.resolve("log") + ";WRITE_DELAY=0";
        try (HikariDataSource pool = Pools.openPatiently(url, "sa", "", 8);
                Turno turno = Turno.start(pool)) {
            execute(pool, "create table effect (item integer)");
            Runs runs = turno.runs(
                    RunOptions.of(o -> o.backoff(Backoff.exponential(Duration.ofMillis(20), Duration.ofMillis(100)))));
            runs.add(Job.of(
                    "copy",
                    Source.iterator(run -> List.of(1, 2, 3).iterator()),
                    Step.batch("insert into effect values (?)", (insert, item) -> insert.setInt(1, item)),
                    choices -> {}));
            turno.work(runs);
            long first = runs.submit(RunRequest.of("copy")).orThrow();
            Stage.until(() -> runs.find(first).orElseThrow().state() == RunState.DONE);
            execute(pool, "alter table turno_run_log alter column id restart with (select min(id) from turno_run_log)");

            long second = runs.submit(RunRequest.of("copy")).orThrow();

            Stage.until(() -> runs.find(second).orElseThrow().state() == RunState.DONE);
        }
    }

    /**
     * Whoever is interrupted while it waits for others in a commit closes the database for everybody, also with {@code async:}. Seen by a
     * connection that was there before.
     */
    @Test
    void who_overruns_in_the_middle_of_commits_is_not_interrupted_and_closes_nothing() throws SQLException {
        String url = "jdbc:h2:async:" + directory.resolve("busy") + ";WRITE_DELAY=0";
        try (Connection witness = DriverManager.getConnection(url, "sa", "");
                HikariDataSource pool = Pools.openPatiently(url, "sa", "", 32);
                Turno turno = Turno.start(pool)) {
            execute(pool, "create table effect (id bigint generated always as identity primary key, text varchar)");
            Inbox inbox = turno.inbox(
                    "orders",
                    InboxOptions.of(
                            o -> o.threads(16).maxRun(Duration.ofMillis(20)).maxAttempts(1)));
            inbox.putAll(IntStream.range(0, MANY)
                    .mapToObj(n -> NewMessage.of("m" + n, "{}"))
                    .toList());

            turno.handle(inbox, (message, turn) -> {
                while (!turn.isLost()) {
                    execute(pool, "insert into effect (text) select 'one' from system_range(1, 100)");
                }
                return Result.reject("overran");
            });

            Stage.until(() -> turno.counters().count("turno.overran") == MANY);
            assertThat(witness.isValid(1)).isTrue();
            assertThat(inbox.put("later", "{}")).isEqualTo(new PutOutcome.Stored());
        }
    }

    /** By itself H2 keeps a chunk of the file for nearly each page that it still needs, and looks at all of them when it starts after a kill. */
    @Test
    void the_file_does_not_keep_a_chunk_for_each_page_of_it() throws SQLException {
        String url = "jdbc:h2:async:" + directory.resolve("tidy") + ";WRITE_DELAY=0;RETENTION_TIME=200";
        try (HikariDataSource pool = Pools.openPatiently(url, "sa", "", 8);
                Turno turno = Turno.open(pool, TurnoOptions.defaults())) {
            execute(pool, "create table effect (id bigint generated always as identity primary key, text varchar)");
            for (int n = 0; n < MANY; n++) {
                turno.inbox("orders").put("m" + n, "x".repeat(2_000));
                execute(pool, "insert into effect (text) values (space(2000))");
            }
            long before = chunks(pool);
            long after;

            try (Turno tidying = Turno.start(pool)) {
                Stage.until(() -> chunks(pool) * 4 < before);
                after = chunks(pool);
            }

            Figures.say("h2-file-chunks", TestDatabase.H2, before + " chunks before, " + after + " after");
            assertThat(turno.inbox("orders").put("m0", "x".repeat(2_000))).isInstanceOf(PutOutcome.Duplicate.class);
        }
    }

    private static long chunks(DataSource source) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select setting_value from information_schema.settings"
                        + " where setting_name = 'info.CHUNK_COUNT'")) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A lock that a person takes away: its user learns it, but not by an interrupt. */
    @Test
    void who_loses_a_lock_is_told_and_not_interrupted() throws Exception {
        String url = "jdbc:h2:async:" + directory.resolve("lock") + ";WRITE_DELAY=0";
        try (HikariDataSource pool = Pools.openPatiently(url, "sa", "", 8);
                Turno turno = Turno.start(pool)) {
            LockTerms terms = LockTerms.of(t -> t.lease(Duration.ofSeconds(1)));
            AtomicReference<Boolean> interrupted = new AtomicReference<>();
            LockOutcome<Boolean> outcome = turno.locks(terms).whileHolding("till", terms, lease -> {
                turno.locks(terms).forceRelease("till", "a test", "nobody");
                Stage.until(lease::isLost);
                interrupted.set(Thread.currentThread().isInterrupted());
                return true;
            });

            assertThat(outcome).isInstanceOf(LockOutcome.Lost.class);
            assertThat(interrupted).hasValue(false);
        }
    }

    private static void execute(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Set<String> putAndKill(String url) {
        try (ChildProcess child =
                ChildProcess.start(ProofNode.class, "url=" + url, "user=sa", "password=", "node=only")) {
            Stage.ready(child).send("put " + Stage.ORDERS + " " + PUTS);
            Stage.until(() -> stored(child).size() >= ENOUGH);
            child.kill9();
            return stored(child);
        }
    }

    private static Set<String> stored(ChildProcess child) {
        return child.lines().stream()
                .filter(line -> line.startsWith("stored "))
                .map(line -> line.substring("stored ".length()))
                .collect(Collectors.toSet());
    }

    private static Set<String> missing(String url, Set<String> acknowledged) throws SQLException {
        Set<String> missing = new HashSet<>(acknowledged);
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select message_id from turno_inbox")) {
            while (row.next()) {
                missing.remove(row.getString(1));
            }
        }
        return missing;
    }
}
