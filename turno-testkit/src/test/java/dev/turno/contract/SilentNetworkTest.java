package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.TurnoOptions;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TcpProxy;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.watch.WorkEvent;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A network that drops everything and tells nobody, on connections that would wait for an answer for ever. */
@OnDatabase(TestDatabase.POSTGRESQL)
class SilentNetworkTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final FreshDatabase database;
    private final Cluster cluster;
    private final Queue<String> troubled = new ConcurrentLinkedQueue<>();

    SilentNetworkTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.running(database);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void who_listens_notices_and_listens_again_on_another_connection() throws SQLException {
        try (TcpProxy way = TcpProxy.to(database.port())) {
            String url = database.urlThrough(way.port()).replaceAll("socketTimeout=\\d+", "socketTimeout=0");
            cluster.nodeOn(database.newPool(url, 10), "a", options());
            await().atMost(SOON).until(() -> !listening().isEmpty());
            Set<Integer> before = listening();

            way.blackhole();
            await().atMost(SOON).until(() -> troubled.contains("listen"));
            way.pass();

            await().atMost(SOON).until(() -> !before.containsAll(listening()));
            assertThat(before).hasSize(1);
            cluster.close(); // before the way is gone
        }
    }

    private TurnoOptions options() {
        return TurnoOptions.defaults()
                .withLease(Duration.ofSeconds(2))
                .withDrain(Duration.ofSeconds(1))
                .withWatcher(event -> {
                    if (event instanceof WorkEvent.Trouble trouble) {
                        troubled.add(trouble.who());
                    }
                });
    }

    /** The sessions that listen, or have been asked since whether they are there. */
    private Set<Integer> listening() throws SQLException {
        Set<Integer> all = new HashSet<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select pid from pg_stat_activity"
                        + " where datname = current_database() and query in ('listen turno', 'select 1')")) {
            while (result.next()) {
                all.add(result.getInt(1));
            }
        }
        return all;
    }
}
