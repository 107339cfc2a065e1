package dev.turno.harvester.harvest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.turno.claim.Claim;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.record.RecordPage;
import dev.turno.harvester.record.RecordResult;
import dev.turno.harvester.record.RecordStatus;
import dev.turno.harvester.record.Selection;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.store.ParquetStore;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store, filled by real harvests. */
@OnDatabase(TestDatabase.H2)
class StoreTest {

    private static final int RECORDS = 95;

    private final FreshDatabase database;
    private final Path folder;
    private final Stage stage;

    StoreTest(FreshDatabase database, @TempDir Path folder) throws Exception {
        this.database = database;
        this.folder = folder;
        this.stage = new Stage(database.dataSource(), folder, RECORDS, 10);
    }

    @BeforeEach
    void harvest() {
        new StoreJobs(stage.snapshots, stage.store).jobs().forEach(stage.runs::add);
        stage.harvest(false);
    }

    @AfterEach
    void close() {
        stage.close();
    }

    /** Judges every record of a selection; those whose number is even are valid, those by ten changed as well. */
    private void judge(long run, Selection selection) throws Exception {
        Optional<String> cursor = Optional.empty();
        while (true) {
            Optional<RecordPage> page = stage.store.page(stage.last().id(), selection, cursor, 7);
            if (page.isEmpty()) {
                return;
            }
            List<RecordResult> results = results(page.get());
            if (!page.get().records().isEmpty()) { // a walk goes on past pages without records
                try (Connection connection = database.dataSource().getConnection()) {
                    stage.store.keep(connection, new Claim(run, 1), cursor, page.get(), results);
                }
            }
            cursor = Optional.of(page.get().cursor());
        }
    }

    private static RecordResult judged(StoredRecord record) {
        int number = Integer.parseInt(
                record.identifier().substring(record.identifier().lastIndexOf(':') + 1));
        return new RecordResult(
                record.identifier(),
                number % 2 == 0 ? RecordStatus.VALID : RecordStatus.INVALID,
                number % 10 == 0 ? Optional.of("<changed/>") : Optional.empty(),
                number % 2 == 0 ? "" : "odd");
    }

    @Test
    void results_lie_beside_their_records() throws Exception {
        judge(100, Selection.live());

        assertThat(stage.store.tally(stage.last().id())).isEqualTo(new ParquetStore.Tally(0, 48, 47, 10, 0));
        StoredRecord valid =
                stage.store.find(stage.last().id(), "oai:demo.example:20").orElseThrow();
        assertThat(valid.status()).isEqualTo(RecordStatus.VALID);
        assertThat(valid.published()).isEqualTo("<changed/>");
        assertThat(stage.records(Selection.live()))
                .filteredOn(record -> record.status() == RecordStatus.INVALID)
                .hasSize(47)
                .allMatch(record -> record.details().equals("odd"));
    }

    @Test
    void rows_of_the_past_at_the_end_of_a_part_do_not_keep_its_results_away() throws Exception {
        IntStream.range(91, RECORDS).forEach(number -> stage.repository.change(number, Instant.now()));
        stage.harvest(true);

        judge(100, Selection.live()); // in pages of seven: thirteen of them, and then four rows that changed since

        assertThat(stage.store.tally(stage.last().id())).isEqualTo(new ParquetStore.Tally(0, 48, 47, 10, 0));
    }

    /** A crash, or a database that was away at the worst moment. */
    @Test
    void results_whose_transaction_did_not_commit_are_kept_again() throws Exception {
        Optional<String> cursor = Optional.empty();
        Optional<RecordPage> page = stage.store.page(stage.last().id(), Selection.live(), cursor, 7);
        while (page.isPresent()) {
            keepAndRollBack(new Claim(100, 1), cursor, page.get());
            keep(new Claim(100, 2), cursor, page.get());
            cursor = page.map(RecordPage::cursor);
            page = stage.store.page(stage.last().id(), Selection.live(), cursor, 7);
        }
        stage.store.settle(stage.last().id());

        assertThat(stage.store.tally(stage.last().id())).isEqualTo(new ParquetStore.Tally(0, 48, 47, 10, 0));
        try (var files = Files.list(stage.store.folder(stage.last()))) {
            assertThat(files).noneMatch(file -> file.toString().endsWith(".spool"));
        }
    }

    private void keepAndRollBack(Claim claim, Optional<String> cursor, RecordPage page) throws Exception {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            stage.store.keep(connection, claim, cursor, page, results(page));
            connection.rollback();
        }
    }

    private void keep(Claim claim, Optional<String> cursor, RecordPage page) throws Exception {
        try (Connection connection = database.dataSource().getConnection()) {
            stage.store.keep(connection, claim, cursor, page, results(page));
        }
    }

    private static List<RecordResult> results(RecordPage page) {
        return page.records().stream()
                .filter(record -> record.status() != RecordStatus.DELETED)
                .map(StoreTest::judged)
                .toList();
    }

    @Test
    void only_what_changed_is_judged_again() throws Exception {
        judge(100, Selection.live());
        Snapshot before = stage.last();
        stage.repository.change(20, Instant.now());
        stage.repository.delete(22, Instant.now());
        stage.harvest(true);
        assertThat(stage.store.tally(stage.last().id())).isEqualTo(new ParquetStore.Tally(1, 46, 47, 9, 1));

        judge(101, Selection.changedSince(before.id()));

        assertThat(stage.store.tally(stage.last().id())).isEqualTo(new ParquetStore.Tally(0, 47, 47, 10, 1));
        assertThat(stage.store.count(stage.last().id(), Selection.changedSince(before.id())))
                .isEqualTo(2);
    }

    @Test
    void a_walk_can_begin_at_any_cursor() throws Exception {
        Optional<String> cursor = Optional.empty();
        long snapshot = stage.last().id();
        for (int i = 0; i < 6; i++) {
            cursor = stage.store.page(snapshot, Selection.live(), cursor, 9).map(RecordPage::cursor);
        }
        ParquetStore other = new ParquetStore(folder, database.dataSource(), stage.snapshots);

        assertThat(other.page(snapshot, Selection.live(), cursor, 9))
                .isEqualTo(stage.store.page(snapshot, Selection.live(), cursor, 9));
    }

    @Tag("security")
    @Test
    void a_cursor_that_names_a_row_without_end_leads_behind_its_part() throws Exception {
        long snapshot = stage.last().id();
        String end = stage.store
                .page(snapshot, Selection.live(), Optional.empty(), RECORDS)
                .orElseThrow()
                .cursor();
        Optional<String> far = Optional.of(end.replaceFirst("\\..*", "." + Long.MAX_VALUE));

        Optional<RecordPage> behind = assertTimeoutPreemptively(
                Duration.ofMinutes(1), () -> stage.store.page(snapshot, Selection.live(), far, RECORDS));

        assertThat(behind).isEqualTo(stage.store.page(snapshot, Selection.live(), Optional.of(end), RECORDS));
    }

    @Test
    void a_compacted_snapshot_shows_the_same_and_the_old_ones_can_go() throws Exception {
        judge(100, Selection.live());
        Snapshot before = stage.last();
        for (int i = 0; i < RECORDS; i++) {
            stage.repository.change(i, Instant.now());
        }
        stage.harvest(true);
        List<StoredRecord> shown = sorted(stage.records(Selection.live()));
        List<StoredRecord> changed = sorted(stage.records(Selection.changedSince(before.id())));

        assertThat(run(StoreJobs.COMPACT)).isEqualTo(RunState.DONE);

        assertThat(stage.last().full()).isTrue();
        assertThat(sorted(stage.records(Selection.live()))).isEqualTo(shown);
        assertThat(sorted(stage.records(Selection.changedSince(before.id())))).isEqualTo(changed);
        assertThat(run(StoreJobs.CLEAN)).isEqualTo(RunState.DONE);
        assertThat(stage.snapshots.find(before.id())).isEmpty();
        assertThat(stage.store.folder(before)).doesNotExist();
        assertThat(sorted(stage.records(Selection.live()))).isEqualTo(shown);
        try (var files = Files.list(stage.store.folder(stage.last()))) {
            assertThat(files).hasSize(3); // the part, its identifiers, its results
        }
    }

    private RunState run(String job) {
        return stage.awaitEnd(stage.runs
                        .submit(RunRequest.of(job).on(stage.network.subject()))
                        .orThrow())
                .state();
    }

    private static List<StoredRecord> sorted(List<StoredRecord> records) {
        return records.stream()
                .sorted(Comparator.comparing(StoredRecord::identifier))
                .toList();
    }

    @Test
    void the_parts_are_plain_parquet_for_everybody() throws Exception {
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement();
                ResultSet rows = statement.executeQuery("select count(distinct identifier), sum(len(sets)),"
                        + " count_if(metadata like '%<dc:title>%'), epoch_ms(min(datestamp)) from read_parquet('"
                        + stage.store.folder(stage.last()) + "/part-*.parquet')")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(RECORDS);
            assertThat(rows.getInt(2)).isEqualTo(RECORDS + 48);
            assertThat(rows.getInt(3)).isEqualTo(RECORDS);
            assertThat(Instant.ofEpochMilli(rows.getLong(4))).isEqualTo(Instant.parse("2020-01-01T00:00:00Z"));
        }
    }
}
