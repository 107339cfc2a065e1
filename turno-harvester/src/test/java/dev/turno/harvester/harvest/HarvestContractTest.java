package dev.turno.harvester.harvest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.SnapshotStatus;
import dev.turno.harvester.record.RecordStatus;
import dev.turno.harvester.record.Selection;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.run.RunState;
import dev.turno.run.StoredRun;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a harvest does, on every database. */
@OnEveryDatabase
class HarvestContractTest {

    private static final int RECORDS = 95;
    private static final int PAGE = 10;

    @TempDir
    private Path folder = Path.of("set by JUnit");

    private final FreshDatabase database;
    private Optional<Stage> opened = Optional.empty();

    HarvestContractTest(FreshDatabase database) {
        this.database = database;
    }

    private Stage stage() throws IOException {
        return stage(Stage.options(), network -> network);
    }

    private Stage stage(HarvestOptions options, UnaryOperator<Network> change) throws IOException {
        Stage stage = new Stage(database.dataSource(), folder, RECORDS, PAGE, options, change);
        opened = Optional.of(stage);
        return stage;
    }

    @AfterEach
    void close() {
        opened.ifPresent(Stage::close);
    }

    @Test
    void a_full_harvest_stores_every_record_once() throws IOException {
        Stage stage = stage();

        StoredRun run = stage.harvest(false);

        assertThat(run.state()).isEqualTo(RunState.DONE);
        Snapshot snapshot = stage.last();
        assertThat(snapshot.status()).isEqualTo(SnapshotStatus.HARVESTED);
        assertThat(snapshot.size()).isEqualTo(RECORDS);
        assertThat(snapshot.total()).isEqualTo(RECORDS);
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
        StoredRecord one =
                stage.store.find(snapshot.id(), "oai:demo.example:42").orElseThrow();
        assertThat(one.status()).isEqualTo(RecordStatus.UNTESTED);
        assertThat(one.record().xml()).contains("no. 42<");
        assertThat(one.record().sets()).containsExactly("theses", "open");
        assertThat(stage.store.find(snapshot.id(), "oai:demo.example:1000")).isEmpty();
        try (var files = Files.list(stage.store.folder(snapshot))) {
            assertThat(files).noneMatch(file -> file.toString().endsWith(".spool"));
        }
    }

    @Test
    void an_incremental_harvest_brings_what_is_new_changed_and_deleted() throws IOException {
        Stage stage = stage();
        stage.harvest(false);
        Snapshot before = stage.last();
        Instant later = Instant.now();
        stage.repository.change(3, later);
        stage.repository.delete(4, later);
        stage.repository.growTo(RECORDS + 2, later);

        stage.harvest(true);

        Snapshot after = stage.last();
        assertThat(after.full()).isFalse();
        assertThat(after.size()).isEqualTo(3);
        assertThat(after.deleted()).isEqualTo(1);
        assertThat(after.total()).isEqualTo(RECORDS + 1);
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
        assertThat(stage.store
                        .find(after.id(), "oai:demo.example:3")
                        .orElseThrow()
                        .record()
                        .xml())
                .contains("(revised 1)");
        assertThat(stage.store
                        .find(after.id(), "oai:demo.example:4")
                        .orElseThrow()
                        .status())
                .isEqualTo(RecordStatus.DELETED);
        assertThat(stage.store
                        .find(before.id(), "oai:demo.example:4")
                        .orElseThrow()
                        .record()
                        .deleted())
                .isFalse();
        assertThat(stage.records(Selection.changedSince(before.id())))
                .extracting(StoredRecord::identifier)
                .containsExactlyInAnyOrder(
                        "oai:demo.example:3", "oai:demo.example:4", "oai:demo.example:95", "oai:demo.example:96");
    }
}
