package dev.turno.harvester.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import org.junit.jupiter.api.Test;

@OnDatabase(TestDatabase.H2)
class SqlTest {

    @Test
    void work_that_ends_with_an_error_of_the_jvm_leaves_nothing_behind(FreshDatabase database) {
        Networks networks = new Networks(database.dataSource());
        networks.createTables();
        StoredNetwork stored = networks.add(Network.of("N", "https://repository.example/oai"), "ana");
        Sql sql = new Sql(database.dataSource(), "network");
        Sql.Work<Boolean> broken = connection -> {
            sql.call(connection, "remove").param("id", stored.id()).update();
            throw new StackOverflowError("a record that is nested too deep");
        };

        assertThatThrownBy(() -> sql.transaction(broken)).isInstanceOf(StackOverflowError.class);

        assertThat(networks.find(stored.id())).contains(stored);
    }
}
