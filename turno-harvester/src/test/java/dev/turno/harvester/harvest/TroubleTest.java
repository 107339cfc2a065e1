package dev.turno.harvester.harvest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.Mischief;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.SnapshotStatus;
import dev.turno.harvester.network.Snapshots;
import dev.turno.run.RunState;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TcpProxy;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.worker.Backoff;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The source goes away, or the database does, or two want the same. */
@OnDatabase(value = TestDatabase.POSTGRESQL, onServer = true)
class TroubleTest {

    private static final int RECORDS = 200;
    private static final int PAGE = 10;
    private static final int PAGES = RECORDS / PAGE;
    private static final HarvestOptions PATIENT =
            Stage.options().withBackoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofMillis(300)), 1_000);

    @TempDir
    private Path folder = Path.of("set by JUnit");

    private final FreshDatabase database;
    private Optional<Stage> opened = Optional.empty();

    TroubleTest(FreshDatabase database) {
        this.database = database;
    }

    private Stage stage() throws IOException {
        Stage stage = open(database.dataSource());
        opened = Optional.of(stage);
        return stage;
    }

    private Stage open(DataSource source) throws IOException {
        return new Stage(source, folder, RECORDS, PAGE, PATIENT, network -> network);
    }

    @AfterEach
    void close() {
        opened.ifPresent(Stage::close);
    }

    private static void await(Callable<Boolean> state) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(state);
    }

    private static boolean isIn(Stage stage, long run, RunState state) {
        return stage.runs.find(run).orElseThrow().state() == state;
    }

    private static DemoProvider again(Stage stage) throws IOException {
        int port = URI.create(stage.provider.url()).getPort();
        return DemoProvider.start(stage.repository, PAGE, port);
    }

    private static int pagesAsked(DemoProvider provider) {
        return provider.asked().entrySet().stream()
                .filter(entry -> entry.getKey().contains("ListRecords"))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    @Test
    void a_source_that_is_away_when_a_harvest_begins_is_waited_for() throws IOException {
        Stage stage = stage();
        stage.provider.close();

        long run = stage.submit(false);

        await(() -> isIn(stage, run, RunState.PARKED));
        try (DemoProvider back = again(stage)) {
            assertThat(stage.awaitEnd(run).state()).isEqualTo(RunState.DONE);
            assertThat(pagesAsked(back)).isEqualTo(PAGES);
        }
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
    }

    @Test
    void a_source_that_goes_away_in_the_middle_is_asked_where_it_was_left() throws IOException {
        Stage stage = stage();
        stage.provider.misbehave(Mischief.onPage(8, Mischief.slow(Duration.ofSeconds(50))));
        long run = stage.submit(false);
        await(() -> stage.snapshots.ofRun(run).map(Snapshot::size).orElse(0L) == 7 * PAGE);

        stage.provider.close();

        await(() -> isIn(stage, run, RunState.PARKED));
        // It tries and waits by turns: what is looked at must be what was found waiting.
        Snapshot waiting = Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(
                        () -> stage.snapshots.ofRun(run).orElseThrow(),
                        snapshot -> snapshot.status() == SnapshotStatus.RETRYING);
        assertThat(waiting.error().orElseThrow()).contains(stage.provider.url());
        assertThat(stage.snapshots.lastGood(stage.network.id())).isEmpty();
        try (DemoProvider back = again(stage)) {
            assertThat(stage.awaitEnd(run).state()).isEqualTo(RunState.DONE);
            assertThat(pagesAsked(back)).isEqualTo(PAGES - 7);
        }
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
    }

    @Test
    void a_harvest_goes_on_where_it_was_when_the_database_was_away() throws IOException {
        try (TcpProxy way = TcpProxy.to(database.port());
                Stage stage = open(database.newPool(database.urlThrough(way.port()), 10))) {
            Snapshots seen = new Snapshots(database.dataSource());
            stage.provider.misbehave(
                    Mischief.when(question -> question.page() > 0, Mischief.slow(Duration.ofMillis(50))));
            long run = stage.submit(false);
            await(() -> seen.ofRun(run).map(Snapshot::size).orElse(0L) >= 3 * PAGE);

            way.reset();
            await(() -> !isFetching(run)); // it could not commit
            way.pass();

            await(() -> seen.ofRun(run)
                    .filter(one -> one.status() == SnapshotStatus.HARVESTED)
                    .isPresent());
            assertThat(stage.identifiers()).isEqualTo(stage.expected());
            assertThat(pagesAsked(stage.provider)).isBetween(PAGES, PAGES + 1);
        }
    }

    private static boolean isFetching(long run) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("turno-harvest run " + run));
    }

    @Test
    void two_harvests_of_a_network_come_one_after_the_other() throws IOException {
        Stage stage = stage();

        long one = stage.submit(true);
        long other = stage.submit(true);

        assertThat(stage.awaitEnd(one).state()).isEqualTo(RunState.DONE);
        assertThat(stage.awaitEnd(other).state()).isEqualTo(RunState.DONE);
        Snapshot first = stage.snapshots.ofRun(one).orElseThrow();
        Snapshot second = stage.snapshots.ofRun(other).orElseThrow();
        assertThat(first.full()).isTrue();
        assertThat(second.previous()).contains(first.id());
        assertThat(second.status()).isEqualTo(SnapshotStatus.EMPTY);
        assertThat(pagesAsked(stage.provider)).isEqualTo(PAGES + 1);
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
    }
}
