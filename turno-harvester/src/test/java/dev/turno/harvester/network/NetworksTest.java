package dev.turno.harvester.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.claim.Claim;
import dev.turno.claim.ClaimLostException;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
class NetworksTest {

    private static final Network FULL = new Network(
            "A:*",
            "Repositorio Ñandú",
            "Universidad",
            "UN",
            "https://repository.example/oai?x=1",
            "oai_dc",
            List.of("one", "two"),
            Map.of("country", "AR", "odd=key", "line\nbreak\\"),
            Set.of(NetworkProperty.VALIDATE, NetworkProperty.INDEX_XOAI),
            true,
            Optional.of("0 3 * * *"),
            Optional.of("pre"),
            Optional.of("valid"),
            Optional.empty(),
            Optional.of("second"));

    private final FreshDatabase database;
    private final Networks networks;
    private final Snapshots snapshots;

    NetworksTest(FreshDatabase database) {
        this.database = database;
        this.networks = new Networks(database.dataSource());
        networks.createTables();
        networks.createTables(); // harmless
        this.snapshots = new Snapshots(database.dataSource());
    }

    @Test
    void a_network_comes_back_as_it_was_stored() {
        StoredNetwork stored = networks.add(FULL, "ana");

        assertThat(networks.find("A:*").orElseThrow().network()).isEqualTo(FULL);
        assertThat(networks.find(stored.id())).contains(stored);
        assertThat(networks.list(0, 10)).containsExactly(stored);
        assertThat(StoredNetwork.idOf(stored.subject())).isEqualTo(stored.id());
    }

    @Test
    void an_acronym_is_taken_once() {
        networks.add(FULL, "ana");

        assertThatThrownBy(() -> networks.add(FULL, "ben")).hasMessageContaining("There is a network 'A:*' already");
    }

    @Test
    void who_changed_what_is_known_also_when_it_is_gone() {
        StoredNetwork stored = networks.add(FULL, "ana");
        networks.change(stored.id(), FULL.withSets(List.of()), "ben");
        networks.remove(stored.id(), "eva");

        assertThat(networks.find(stored.id())).isEmpty();
        assertThat(networks.history(stored.id(), 10))
                .extracting(Networks.Change::who)
                .containsExactly("eva", "ben", "ana");
        assertThat(networks.change(stored.id(), FULL, "ben")).isFalse();
    }

    @Test
    void a_harvest_that_was_taken_over_writes_nothing_more_about_its_snapshot() throws SQLException {
        long network = networks.add(FULL, "ana").id();
        Claim first = new Claim(7, 1);
        Claim second = new Claim(7, 2);
        Snapshot snapshot = snapshots.begin(
                first, new Snapshots.Beginning(network, Optional.empty(), true, Instant.EPOCH, Optional.empty(), ""));

        assertThat(snapshots.takeOver(second).map(Snapshot::id)).contains(snapshot.id());

        try (Connection connection = database.dataSource().getConnection()) {
            assertThatThrownBy(() -> snapshots.count(connection, snapshot.id(), first, 1, 0, 0))
                    .isInstanceOf(ClaimLostException.class);
            assertThatThrownBy(() -> snapshots.complete(connection, snapshot.id(), first, false, 1, 0, 1))
                    .isInstanceOf(ClaimLostException.class);
            snapshots.count(connection, snapshot.id(), second, 5, 1, 0);
            assertThat(snapshots.lastGood(network)).isEmpty();
            snapshots.complete(connection, snapshot.id(), second, false, 5, 1, 5);
        }
        Snapshot good = snapshots.lastGood(network).orElseThrow();
        assertThat(good.status()).isEqualTo(SnapshotStatus.HARVESTED);
        assertThat(good.untilAt()).contains(Instant.EPOCH);
        assertThat(good.size()).isEqualTo(5);
    }
}
