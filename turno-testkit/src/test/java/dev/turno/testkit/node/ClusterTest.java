package dev.turno.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.claim.DatabaseAwayException;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
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
