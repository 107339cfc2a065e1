package dev.turno.harvester.harvest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.DemoRepository;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.run.Job;
import dev.turno.run.RunRequest;
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
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process with 256 MB of memory harvests what is much larger. */
@OnDatabase(value = TestDatabase.POSTGRESQL, onServer = true)
class BigHarvestTest {

    @TempDir
    private Path folder = Path.of("set by JUnit");

    @Test
    void one_page_of_50_megabytes(FreshDatabase database) throws IOException {
        assertThat(harvest(database, 27_000, 25_000).total()).isEqualTo(27_000);
    }

    @Test
    void a_million_records(FreshDatabase database) throws IOException {
        assumeTrue("full".equals(System.getProperty("turno.scale")), "Runs with -Dturno.scale=full.");

        assertThat(harvest(database, 1_000_000, 200).total()).isEqualTo(1_000_000);
    }

    private Snapshot harvest(FreshDatabase database, int records, int page) throws IOException {
        Networks networks = new Networks(database.dataSource());
        networks.createTables();
        Snapshots snapshots = new Snapshots(database.dataSource());
        try (DemoProvider provider = DemoProvider.start(new DemoRepository("demo", records), page, 0);
                Turno turno = Turno.open(database.dataSource(), TurnoOptions.defaults())) {
            StoredNetwork network = networks.add(Network.of("DEMO", provider.url()), "test");
            Runs runs = turno.runs();
            runs.add(Job.of(
                    HarvestJob.NAME,
                    Source.<String>paged((cursor, size) -> Optional.empty()),
                    Step.each((a, b) -> {})));
            long run = runs.submit(RunRequest.of(HarvestJob.NAME).on(network.subject()))
                    .orThrow();
            long start = System.nanoTime();
            try (ChildProcess node = Launch.main(HarvestNode.class)
                    .jvmOptions("-Xmx256m", "-XX:TieredStopAtLevel=4")
                    .arguments(
                            database.url(),
                            database.user(),
                            database.password(),
                            folder.toString(),
                            Long.toString(128L << 20))
                    .start()) {
                Awaitility.await().atMost(Duration.ofMinutes(15)).until(() -> {
                    assertThat(node.isAlive()).as("%s", node.errors()).isTrue();
                    return snapshots
                            .ofRun(run)
                            .filter(one -> one.status().isGood())
                            .isPresent();
                });
            }
            System.out.println(
                    records + " records in " + (System.nanoTime() - start) / 1_000_000 + " ms with -Xmx256m");
            return snapshots.lastGood(network.id()).orElseThrow();
        }
    }
}
