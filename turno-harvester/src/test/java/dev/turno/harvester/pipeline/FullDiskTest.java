package dev.turno.harvester.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.DemoRepository;
import dev.turno.harvester.harvest.HarvestOptions;
import dev.turno.harvester.index.IndexJob;
import dev.turno.harvester.index.IndexKind;
import dev.turno.harvester.network.SnapshotStatus;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.rules.ValidationJob;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import dev.turno.worker.Backoff;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk without room, at every step: a small file system in memory, where this user may mount one. */
@OnDatabase(TestDatabase.H2)
final class FullDiskTest {

    private static final int RECORDS = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path disk = Path.of("set by JUnit");

    private boolean mounted;

    @BeforeEach
    void mount() {
        try (ChildProcess mount = Launch.command("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", disk.toString())
                .errorsInOutput()
                .start()) {
            mounted = mount.awaitExit(PATIENCE) == 0;
            assumeTrue(mounted, () -> "No file system can be mounted here: " + String.join(" ", mount.lines()));
        }
    }

    @AfterEach
    void unmount() {
        if (mounted) {
            try (ChildProcess unmount =
                    Launch.command("umount", "-l", disk.toString()).start()) {
                assertThat(unmount.awaitExit(PATIENCE)).isZero();
            }
        }
    }

    @Test
    void a_run_waits_for_room_and_goes_on_at_every_step(FreshDatabase database) throws Exception {
        HarvestOptions hasty = HarvestOptions.defaults()
                .withBackoff(Backoff.exponential(Duration.ofMillis(200), Duration.ofMillis(500)), 100);
        try (DemoProvider provider = DemoProvider.start(new DemoRepository("demo", RECORDS), 100, 0);
                Publishing all = new Publishing(database.dataSource(), disk, Duration.ofSeconds(15), hasty)) {
            StoredNetwork network = PipelineTest.network(all, provider.url());

            waitsForRoom(all, network, "harvest");
            waitsForRoom(all, network, ValidationJob.NAME);
            waitsForRoom(all, network, IndexJob.nameOf(IndexKind.FRONTEND));

            var snapshot = all.snapshots.lastGood(network.id()).orElseThrow();
            assertThat(snapshot.status()).isEqualTo(SnapshotStatus.INDEXED);
            assertThat(snapshot.total()).isEqualTo(RECORDS);
            assertThat(PipelineTest.indexed(all, network)).isEqualTo(PipelineTest.valid(all, snapshot));
        }
    }

    private void waitsForRoom(Publishing all, StoredNetwork network, String job) throws IOException {
        Path filler = fill();

        long run = all.runs.submit(RunRequest.of(job).on(network.subject())).orThrow();

        Awaitility.await(job)
                .atMost(PATIENCE)
                .until(() -> all.runs
                        .find(run)
                        .flatMap(one -> one.error())
                        .filter(error -> error.contains("No space left"))
                        .isPresent());
        assertThat(all.runs.find(run).orElseThrow().state()).isNotIn(RunState.DEAD, RunState.DONE);
        Files.delete(filler);
        Awaitility.await(job)
                .atMost(PATIENCE)
                .until(() -> all.runs.find(run).orElseThrow().state() == RunState.DONE);
    }

    /** Leaves no room at all. */
    private Path fill() throws IOException {
        Path filler = disk.resolve("filler");
        byte[] some = new byte[4096];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(some);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
        return filler;
    }
}
