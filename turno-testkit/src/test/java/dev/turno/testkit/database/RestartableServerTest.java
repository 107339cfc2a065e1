package dev.turno.testkit.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
class RestartableServerTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final TestDatabase kind;

    RestartableServerTest(TestDatabase kind) {
        this.kind = kind;
    }

    @Test
    void a_killed_server_comes_back_with_every_row_it_had_acknowledged() throws SQLException {
        try (RestartableServer server = kind.newServer();
                FreshDatabase database = server.fresh()) {
            Sql.execute(database.dataSource(), "create table t (id int primary key)");
            var acknowledged = new AtomicInteger();
            var writer = CompletableFuture.runAsync(() -> insertUntilItFails(database, acknowledged));
            await().atMost(SOON).until(() -> acknowledged.get() >= 100);

            server.kill9();
            assertThat(server.isRunning()).isFalse();
            writer.join();
            server.restart();

            int found = Integer.parseInt(rows(database));
            // One more may have been committed whose answer was lost.
            assertThat(found - acknowledged.get()).isBetween(0, 1);
        }
    }

    @Test
    void it_can_be_killed_again_and_again_under_open_transactions() throws SQLException {
        try (RestartableServer server = kind.newServer();
                FreshDatabase database = server.fresh()) {
            Sql.execute(database.dataSource(), "create table t (id int primary key)");
            for (int round = 0; round < 2; round++) {
                try (HikariDataSource pool = database.newPool(database.url(), 1);
                        Connection open = pool.getConnection()) {
                    open.setAutoCommit(false);
                    open.createStatement().execute("insert into t values (" + round + ")");

                    server.kill9();
                    server.restart();
                } catch (SQLException connectionLost) {
                    assertThat(server.isRunning()).isTrue();
                }
            }

            assertThat(rows(database)).isEqualTo("0");
        }
    }

    @Test
    void it_can_be_shut_down_in_order_and_comes_back_on_the_same_port() throws SQLException {
        try (RestartableServer server = kind.newServer();
                FreshDatabase database = server.fresh()) {
            Sql.execute(database.dataSource(), "create table t (id int primary key)", "insert into t values (1)");
            int port = server.port();

            server.shutDown();
            assertThat(server.isRunning()).isFalse();
            server.restart();

            assertThat(server.port()).isEqualTo(port);
            assertThat(rows(database)).isEqualTo("1");
        }
    }

    @Test
    void a_database_can_be_closed_after_its_server_was_killed() {
        try (RestartableServer server = kind.newServer();
                FreshDatabase database = server.fresh()) {
            server.kill9();

            assertThat(database.port()).isEqualTo(server.port());
        }
    }

    /** By a new pool: one that was in use may hand out a connection that died with the server, once. */
    private static String rows(FreshDatabase database) throws SQLException {
        try (HikariDataSource pool = database.newPool(database.url(), 1)) {
            return Sql.ask(pool, "select count(*) from t");
        }
    }

    private static void insertUntilItFails(FreshDatabase database, AtomicInteger acknowledged) {
        try (Connection connection = database.newPool(database.url(), 1).getConnection();
                var insert = connection.prepareStatement("insert into t values (?)")) {
            for (int id = 0; id < 1_000_000; id++) {
                insert.setInt(1, id);
                insert.executeUpdate();
                acknowledged.incrementAndGet();
            }
        } catch (SQLException expected) {
            // The server was killed.
        }
    }
}
