package dev.turno.harvester.harvest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.DemoRepository;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.RecordPage;
import dev.turno.harvester.record.Selection;
import dev.turno.harvester.store.ParquetStore;
import dev.turno.run.Job;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, killed while they harvest. With -Dturno.scale=full: 100,000 records, 20 kills. */
@OnDatabase(value = TestDatabase.POSTGRESQL, onServer = true)
class KilledHarvestTest {

    private static final boolean FULL = "full".equals(System.getProperty("turno.scale"));
    private static final int RECORDS = FULL ? 100_000 : 20_000;
    private static final int KILLS = FULL ? 20 : 3;
    private static final int PAGE = 100;

    @TempDir
    private Path folder = Path.of("set by JUnit");

    @Test
    void kill_9_at_any_page_loses_nothing_repeats_nothing_and_costs_at_most_a_page(FreshDatabase database)
            throws IOException {
        Networks networks = new Networks(database.dataSource());
        networks.createTables();
        Snapshots snapshots = new Snapshots(database.dataSource());
        DemoRepository repository = new DemoRepository("demo", RECORDS);
        try (DemoProvider provider = DemoProvider.start(repository, PAGE, 0);
                Turno turno = Turno.open(database.dataSource(), TurnoOptions.defaults())) {
            StoredNetwork network = networks.add(Network.of("DEMO", provider.url()), "test");
            Runs runs = turno.runs();
            runs.add(Job.of(
                    HarvestJob.NAME,
                    Source.<String>paged((cursor, size) -> Optional.empty()),
                    Step.each((a, b) -> {})));
            long run = runs.submit(RunRequest.of(HarvestJob.NAME).on(network.subject()))
                    .orThrow();

            kill(database, snapshots, runs, run);

            Snapshot snapshot = snapshots.lastGood(network.id()).orElseThrow();
            ParquetStore store = new ParquetStore(folder, database.dataSource(), snapshots);
            assertThat(identifiers(store, snapshot)).hasSize(RECORDS);
            assertThat(snapshot.total()).isEqualTo(RECORDS);
            int pages = RECORDS / PAGE;
            int asked = provider.asked().entrySet().stream()
                    .filter(entry -> entry.getKey().contains("ListRecords"))
                    .mapToInt(Map.Entry::getValue)
                    .sum();
            System.out.println(
                    "killed " + KILLS + " times: " + (asked - pages) + " of " + pages + " pages fetched again");
            assertThat(asked).isBetween(pages, pages + KILLS);
        }
    }

    /** Kills a node after the other; the last one ends the run. */
    private void kill(FreshDatabase database, Snapshots snapshots, Runs runs, long run) {
        Random dice = new Random(7);
        long step = RECORDS / (KILLS + 1);
        for (int kills = 0; kills < KILLS; kills++) {
            long mark = step * kills + dice.nextInt((int) step);
            try (ChildProcess node = start(database)) {
                Awaitility.await()
                        .atMost(Duration.ofMinutes(2))
                        .pollInterval(Duration.ofMillis(3))
                        .until(() -> snapshots.ofRun(run).map(Snapshot::size).orElse(0L) >= mark);
                node.kill9();
            }
        }
        try (ChildProcess node = start(database)) {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> runs.find(run).orElseThrow().state() == RunState.DONE);
            assertThat(node.isAlive()).isTrue();
        }
    }

    private ChildProcess start(FreshDatabase database) {
        return Launch.main(HarvestNode.class)
                .jvmOptions("-Xmx256m")
                .arguments(database.url(), database.user(), database.password(), folder.toString(), "8000000")
                .start();
    }

    private static Set<String> identifiers(ParquetStore store, Snapshot snapshot) throws IOException {
        Set<String> all = new HashSet<>();
        Optional<String> cursor = Optional.empty();
        while (true) {
            Optional<RecordPage> page = store.page(snapshot.id(), Selection.live(), cursor, 1_000);
            if (page.isEmpty()) {
                return all;
            }
            page.get()
                    .records()
                    .forEach(record -> assertThat(all.add(record.identifier())).isTrue());
            cursor = Optional.of(page.get().cursor());
        }
    }
}
