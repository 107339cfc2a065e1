package dev.turno.harvester.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.claim.Claim;
import dev.turno.claim.ClaimLostException;
import dev.turno.harvester.store.Cleaning;
import dev.turno.harvester.store.ParquetStore;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.web.api.Inputs;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

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
    void a_set_is_one_line_because_two_would_come_back_as_two_sets() {
        assertThatThrownBy(() -> FULL.withSets(List.of("one", "two\nthree"))).hasMessageContaining("as one line");
        assertThatThrownBy(() -> FULL.withSets(List.of(""))).hasMessageContaining("as one line");
    }

    @Test
    void a_whole_page_of_networks_and_the_one_that_tells_of_another_can_be_listed() {
        networks.add(Network.of("N", "https://repository.example/oai"), "ana");
        String columns = "name, institution_name, institution_acronym, origin_url, metadata_prefix, sets, attributes,"
                + " properties, published, created_at, changed_at";
        for (int doubled = 0; doubled < 10; doubled++) {
            JdbcClient.create(database.dataSource())
                    .sql("insert into turno_network (acronym, " + columns + ") select concat(acronym, '" + doubled
                            + "'), " + columns + " from turno_network")
                    .update();
        }

        assertThat(networks.list(0, Inputs.LONGEST_PAGE + 1)).hasSize(Inputs.LONGEST_PAGE + 1);
    }

    @Test
    void a_set_of_rules_is_in_use_wherever_a_network_names_it() {
        StoredNetwork stored = networks.add(FULL, "ana");

        assertThat(networks.naming("pre")).contains(stored);
        assertThat(networks.naming("valid")).contains(stored);
        assertThat(networks.naming("second")).contains(stored);
        assertThat(networks.naming("third")).isEmpty();
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
    void all_snapshots_of_a_network_go_with_it_however_many_there_are(@TempDir Path folder) {
        long network = networks.add(FULL, "ana").id();
        snapshots.begin(
                new Claim(1, 1),
                new Snapshots.Beginning(network, Optional.empty(), true, Instant.EPOCH, Optional.empty(), ""));
        String columns = "network_id, stands_alone, fence, status, started_at, records, deletions, valid, transformed,"
                + " quarantined, total, failures, origin, accepted";
        for (int doubled = 0; doubled < 11; doubled++) {
            JdbcClient.create(database.dataSource())
                    .sql("insert into turno_snapshot (run_id, " + columns + ") select run_id + " + (1 << doubled) + ", "
                            + columns + " from turno_snapshot")
                    .update();
        }
        ParquetStore store = new ParquetStore(folder, database.dataSource(), snapshots);

        assertThat(new Cleaning(store, snapshots).all(network))
                .extracting(Snapshot::id)
                .hasSize(2_048)
                .doesNotHaveDuplicates();
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
