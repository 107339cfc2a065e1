package dev.turno.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.TurnoOptions;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

@OnDatabase(TestDatabase.H2)
class ClusterTest {

    private final FreshDatabase database;

    ClusterTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void whoever_was_killed_stays_dead_and_does_not_sign_off_at_the_end() throws SQLException {
        try (Cluster cluster = Cluster.stepwise(database)) {
            Node killed = cluster.node("killed");
            cluster.node("alive");

            cluster.kill(killed);
            cluster.resume(killed);

            assertThatThrownBy(() -> killed.take("orders", 1)).isInstanceOf(DatabaseAwayException.class);
        }
        assertThat(signedOff()).containsExactly("alive");
    }

    @Test
    void a_node_that_cannot_be_closed_keeps_no_other_open() throws SQLException {
        AtomicBoolean broken = new AtomicBoolean();
        Cluster cluster = Cluster.stepwise(database);
        cluster.nodeOn(failing(broken), "first", TurnoOptions.defaults());
        cluster.node("between");
        cluster.nodeOn(failing(broken), "second", TurnoOptions.defaults());
        cluster.node("last");

        broken.set(true);

        assertThatThrownBy(cluster::close)
                .isInstanceOf(AssertionError.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        assertThat(signedOff()).containsExactlyInAnyOrder("between", "last");
    }

    /** A data source of a test that is sure to be used no more. */
    private DataSource failing(AtomicBoolean broken) {
        DataSource target = database.dataSource();
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (broken.get()) {
                        throw new AssertionError("nobody should come here now");
                    }
                    return method.invoke(target, arguments);
                });
    }

    private List<String> signedOff() throws SQLException {
        List<String> nodes = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("select node from turno_holder where reaped_at is not null")) {
            while (result.next()) {
                nodes.add(result.getString(1));
            }
        }
        return nodes;
    }
}
