package dev.turno.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import dev.turno.PatientSource;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.h2.jdbc.JdbcConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That nothing is stored by half is shown by {@code H2CutTest}; here is how users of such connections get on with each other. */
class WholeCommitsTest {

    private static final String SLEEP = "create alias sleep for 'java.lang.Thread.sleep(long)'";

    @TempDir
    private Path directory = Path.of("");

    private HikariDataSource pool = new HikariDataSource();

    @BeforeEach
    void open() throws SQLException {
        pool = pool("jdbc:h2:" + directory.resolve("guarded") + ";WRITE_DELAY=0;LOCK_TIMEOUT=1500");
        execute("create table account (id int primary key, amount int)");
        execute("insert into account values (1, 100), (2, 200)");
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void who_waits_for_a_row_does_not_keep_its_owner_from_committing() throws Exception {
        try (Connection owner = begin()) {
            update(owner, 1);
            CompletableFuture<Integer> other = elsewhere(() -> {
                try (Connection connection = begin()) {
                    int changed = update(connection, 1);
                    connection.commit();
                    return changed;
                }
            });
            Thread.sleep(100);

            owner.commit();

            assertThat(other.get(1, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(amount(1)).isEqualTo(102);
        }
    }

    @Test
    void who_waits_for_a_row_waits_as_long_as_the_url_says_and_its_transaction_can_go_on() throws Exception {
        try (Connection owner = begin();
                Connection other = begin()) {
            update(owner, 1);
            update(other, 2);
            long begun = System.nanoTime();

            assertThatThrownBy(() -> update(other, 1)).hasMessageContaining("Timeout");

            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isBetween(Duration.ofMillis(1_400), Duration.ofMillis(4_000));
            other.commit();
            owner.rollback();
            assertThat(amount(2)).isEqualTo(201);
            assertThat(amount(1)).isEqualTo(100);
        }
    }

    @Test
    void who_does_not_want_to_wait_does_not() throws Exception {
        try (Connection owner = begin();
                Connection other = begin()) {
            update(owner, 1);

            CompletableFuture<Void> refused = elsewhere(() -> {
                execute(other, "select * from account where id = 1 for update nowait");
                return null;
            });

            assertThatThrownBy(() -> refused.get(700, TimeUnit.MILLISECONDS)).hasCauseInstanceOf(SQLException.class);
            owner.rollback();
        }
    }

    @Test
    void a_long_look_keeps_nobody_from_writing() throws Exception {
        execute(SLEEP);
        CompletableFuture<Void> look = elsewhere(() -> {
            execute("select sleep(1500)");
            return null;
        });
        Thread.sleep(100);

        execute("update account set amount = 7 where id = 1");

        assertThat(look).isNotDone();
        look.get(10, TimeUnit.SECONDS);
    }

    /** What the guard is for, by its own means: a statement that changes something is over before anybody commits, and the other way round. */
    @Test
    void nobody_commits_while_a_statement_that_changes_something_is_under_way() throws Exception {
        execute(SLEEP);
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Void> slow = elsewhere(() -> {
            try (Connection connection = begin()) {
                begun.countDown();
                execute(connection, "update account set amount = coalesce(sleep(1000), 1) where id = 1");
                connection.rollback();
            }
            return null;
        });
        try (Connection other = begin()) {
            update(other, 2);
            begun.await();
            Thread.sleep(200);

            other.commit();

            assertThat(slow)
                    .as("the statement that began before")
                    .satisfies(one -> one.get(500, TimeUnit.MILLISECONDS));
        }
    }

    @Test
    void a_statement_leads_back_to_the_guarded_connection_and_that_to_the_one_of_h2() throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement("select 1")) {
            assertThat(WholeCommits.isGuarded(connection)).isTrue();
            assertThat(connection.unwrap(JdbcConnection.class)).isNotNull();
            assertThat(WholeCommits.isGuarded(statement.getConnection())).isTrue();
        }
    }

    @Test
    void a_batch_is_written() throws SQLException {
        try (Connection connection = begin();
                PreparedStatement insert = connection.prepareStatement("insert into account values (?, 0)")) {
            for (int id = 10; id < 20; id++) {
                insert.setInt(1, id);
                insert.addBatch();
            }
            assertThat(insert.executeBatch()).hasSize(10).containsOnly(1);
            connection.commit();
        }
        assertThat(amount(19)).isZero();
    }

    @Test
    void of_a_batch_that_is_committed_at_once_stays_what_could_be_written() throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement("insert into account values (?, 0)")) {
            for (int id : new int[] {30, 1, 31}) {
                insert.setInt(1, id);
                insert.addBatch();
            }
            assertThatThrownBy(insert::executeBatch).isInstanceOf(BatchUpdateException.class);
        }
        assertThat(amount(30)).isZero();
        assertThat(amount(31)).isZero();
        assertThat(amount(1)).isEqualTo(100);
    }

    @Test
    void the_file_is_tidied_while_nobody_commits() throws SQLException {
        try (HikariDataSource other =
                        pool("jdbc:h2:" + directory.resolve("tidy") + ";WRITE_DELAY=0;RETENTION_TIME=200");
                Connection connection = other.getConnection()) {
            execute(connection, "create table line (id int primary key, text varchar)");
            for (int id = 0; id < 500; id++) {
                execute(connection, "insert into line values (" + id + ", space(2000))");
            }
            long before = chunks(connection);

            await().atMost(Duration.ofSeconds(20)).until(() -> {
                boolean unused = H2File.tidy(connection); // what is younger than the retention time is left alone
                return chunks(connection) * 4 < before;
            });
        }
    }

    private static long chunks(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select setting_value from information_schema.settings"
                        + " where setting_name = 'info.CHUNK_COUNT'")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void h2_in_memory_needs_no_guard() throws SQLException {
        try (HikariDataSource memory = pool("jdbc:h2:mem:unguarded");
                Connection connection = memory.getConnection()) {
            assertThat(WholeCommits.isGuarded(connection)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                " \n(select 1) union (select 2)",
                "-- why\nselect id from account",
                "/* why */ with a as (select 1) select * from a",
                "values 1",
                "explain select 1"
            })
    void looks_are_known_as_such(String sql) {
        assertThat(H2Sql.of(sql)).isEqualTo(new H2Sql(true, false, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into account values (1, 2)",
                "UPDATE account set amount = 1",
                "-- select\ndelete from account",
                "merge into account key (id) values (1, 2)",
                "select id from account for update",
                "select id from account FOR UPDATE skip locked",
                "select id from final table (insert into account values (1, 2))",
                "select next value for numbers",
                "call nextval('numbers')"
            })
    void what_changes_something_is_known_as_such(String sql) {
        assertThat(H2Sql.of(sql)).isEqualTo(new H2Sql(false, false, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"create table x (id int)", "drop table account", "commit", "set write_delay 0", "shutdown", ""})
    void whatever_else_there_is_is_taken_to_commit(String sql) {
        assertThat(H2Sql.of(sql).commits()).isTrue();
        assertThat(H2Sql.of(sql).onlyReads()).isFalse();
    }

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setMaximumPoolSize(4);
        config.setDataSource(new PatientSource(new DriverDataSource(url, null, new Properties(), "sa", "")));
        return new HikariDataSource(config);
    }

    private Connection begin() throws SQLException {
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static int update(Connection connection, int id) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update account set amount = amount + 1 where id = ?")) {
            update.setInt(1, id);
            return update.executeUpdate();
        }
    }

    private int amount(int id) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select amount from account where id = " + id)) {
            row.next();
            return row.getInt(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            execute(connection, sql);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static <T> CompletableFuture<T> elsewhere(Callable<T> work) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return work.call();
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                command -> new Thread(command).start());
    }
}
