package dev.turno.testkit.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OnEveryDatabase(onServer = true)
class TcpProxyTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration A_MOMENT = Duration.ofMillis(200);

    private final FreshDatabase database;
    private final TcpProxy proxy;
    private final HikariDataSource client;

    TcpProxyTest(FreshDatabase database) throws SQLException {
        this.database = database;
        proxy = TcpProxy.to(database.port());
        client = database.newPool(database.urlThrough(proxy.port()), 2);
        Sql.execute(database.dataSource(), "create table t (id int)");
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void it_passes_what_it_gets() throws SQLException {
        Sql.execute(client, "insert into t values (1)");

        assertThat(rows()).isEqualTo("1");
        assertThat(proxy.connections()).isEqualTo(1);
    }

    @Test
    void a_request_into_a_blackhole_is_answered_when_the_way_is_free_again() throws SQLException {
        Sql.execute(client, "insert into t values (1)");

        proxy.blackhole();
        CompletableFuture<Void> insert = inBackground("insert into t values (2)");
        assertThat(insert).failsWithin(A_MOMENT);
        assertThat(rows()).isEqualTo("1");

        proxy.pass();
        await().atMost(SOON).until(() -> rows().equals("2"));
    }

    @Test
    void when_only_answers_are_cut_the_database_commits_and_nobody_hears_of_it() throws SQLException {
        try (Connection connection = client.getConnection();
                var statement = connection.prepareStatement("insert into t values (1)")) {
            proxy.blackholeAnswers();

            var insert = CompletableFuture.runAsync(() -> execute(statement));
            await().atMost(SOON).until(() -> rows().equals("1"));
            assertThat(insert).isNotDone();

            proxy.reset();
            assertThat(insert).failsWithin(SOON);
        }
    }

    @Test
    void a_delay_is_felt_in_each_direction() throws SQLException {
        try (Connection connection = client.getConnection();
                var statement = connection.createStatement()) {
            proxy.delay(Duration.ofMillis(100));

            long start = System.nanoTime();
            statement.execute("insert into t values (1)");

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        }
    }

    @Test
    void a_reset_ends_all_connections_and_refuses_new_ones_until_the_way_is_free() throws SQLException {
        try (Connection connection = client.getConnection()) {
            proxy.reset();

            assertThatThrownBy(() -> connection.createStatement().execute("insert into t values (1)"))
                    .isInstanceOf(SQLException.class);
        }
        assertThat(proxy.connections()).isZero();

        proxy.pass();
        Sql.execute(client, "insert into t values (2)");
        assertThat(rows()).isEqualTo("1");
    }

    private String rows() throws SQLException {
        return Sql.ask(database.dataSource(), "select count(*) from t");
    }

    private CompletableFuture<Void> inBackground(String statement) {
        return CompletableFuture.runAsync(() -> {
            try {
                Sql.execute(client, statement);
            } catch (SQLException failure) {
                throw new IllegalStateException(failure);
            }
        });
    }

    private static void execute(PreparedStatement statement) {
        try {
            statement.execute();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
