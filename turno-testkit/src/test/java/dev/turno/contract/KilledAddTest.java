package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import dev.turno.TurnoOptions;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.Buffers;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Adds that somebody ends half-way with KILL QUERY. On MariaDB, where an add is a compound statement with a transaction of its own: killed
 * while it waits for a row it is told so in time, but between two instructions its handlers do not run.
 */
@OnDatabase(TestDatabase.MARIADB)
class KilledAddTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String KEY = "key";
    private static final BufferMessage MESSAGE = BufferMessage.of("id", "two");

    private final FreshDatabase database;
    private final Cluster cluster;
    private final Buffers buffer;
    private final HikariDataSource pool;
    private final TrickySource way;
    private final DataSource single;
    private final Node node;

    KilledAddTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.stepwise(database);
        this.buffer = cluster.node("other").turno().buffers("b");
        this.pool = oneConnection(database);
        this.way = new TrickySource(pool);
        this.single = way.source();
        this.node = cluster.nodeOn(single, "killed", TurnoOptions.defaults().withLease(Cluster.LEASE));
        buffer.add(KEY, "one");
    }

    @AfterEach
    void close() {
        cluster.close();
        pool.close();
    }

    private static HikariDataSource oneConnection(FreshDatabase database) {
        HikariConfig config = FreshDatabase.poolOf(database.url(), database.user(), database.password());
        config.setMaximumPoolSize(1);
        config.setExceptionOverride(new KeepsConnections());
        return new HikariDataSource(config);
    }

    /** As most pools do; Hikari by itself throws a connection away on which a statement was ended. */
    private static final class KeepsConnections implements SQLExceptionOverride {

        @java.lang.Override
        public SQLExceptionOverride.Override adjudicate(SQLException failure) {
            return SQLExceptionOverride.Override.DO_NOT_EVICT;
        }
    }

    @Test
    void what_is_stored_on_the_same_connection_after_it_is_there_for_everybody() throws SQLException {
        killHalfWay(connectionOf(single), () -> node.turno().buffers("b").add(KEY, MESSAGE));

        node.turno().buffers("b").add("another", "four");
        node.inbox("orders").put("order-1", "{}");

        assertThat(buffer.find("another")).isPresent();
        assertThat(cluster.node("looks").inbox("orders").find("order-1")).isPresent();
    }

    @Test
    void nothing_of_it_stays() throws SQLException {
        killHalfWay(connectionOf(single), () -> node.turno().buffers("b").add(KEY, MESSAGE));
        buffer.add(KEY, "three");

        assertThat(buffer.add(KEY, MESSAGE).stored()).isEqualTo(1);
    }

    @Test
    void nothing_stays_of_one_that_goes_in_pieces() throws SQLException {
        List<BufferMessage> large = IntStream.range(0, 40)
                .mapToObj(i -> BufferMessage.of("id-" + i, "x".repeat(60_000)))
                .toList();

        killHalfWay(connectionOf(single), () -> node.turno().buffers("b").add(KEY, large));
        buffer.add(KEY, "three");

        assertThat(buffer.add(KEY, large).stored()).isEqualTo(40);
    }

    @Test
    void nothing_of_it_stays_in_the_callers_transaction_but_what_was_there_before() throws SQLException {
        try (Connection mine = single.getConnection()) {
            mine.setAutoCommit(false);
            buffer.add(mine, "another", List.of(MESSAGE));
            killHalfWay(numberOf(mine), () -> buffer.add(mine, KEY, List.of(MESSAGE)));
            mine.commit();
            mine.setAutoCommit(true);
        }
        buffer.add(KEY, "three");

        assertThat(buffer.add(KEY, MESSAGE).stored()).isEqualTo(1);
        assertThat(buffer.add("another", MESSAGE).stored()).isZero();
    }

    private interface Adding {
        Object add() throws SQLException;
    }

    /** The ids are written, but not the messages. */
    private void killHalfWay(long number, Adding adding) throws SQLException {
        way.rewrite(sql -> sql.replace(
                "insert into turno_buffer_message",
                "while true do set v_stored = 0; end while; insert into turno_buffer_message"));
        CompletableFuture<Object> added = CompletableFuture.supplyAsync(() -> {
            try {
                return adding.add();
            } catch (SQLException e) {
                throw new DatabaseAwayException("killed", e);
            }
        });
        await().atMost(SOON).until(() -> added.isDone() || waits(number));
        try (Connection other = database.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            statement.execute("kill query " + number);
        }
        assertThatThrownBy(added::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(DatabaseAwayException.class)
                .hasStackTraceContaining("interrupted");
        way.rewrite(UnaryOperator.identity());
    }

    private boolean waits(long number) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            return number(
                            connection,
                            "select count(*) from information_schema.processlist where command = 'Query'"
                                    + " and time_ms > 300 and id = " + number)
                    > 0;
        }
    }

    private static long connectionOf(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return numberOf(connection);
        }
    }

    private static long numberOf(Connection connection) throws SQLException {
        return number(connection, "select connection_id()");
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getLong(1);
        }
    }
}
