package dev.turno.benchmarks.harvest;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.benchmarks.server.Server;
import dev.turno.harvester.harvest.HarvestJob;
import dev.turno.harvester.harvest.HarvestOptions;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.store.ParquetStore;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.run.Runs;
import dev.turno.run.StoredRun;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.watch.WorkEvent;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The harvester as it is: spool forced to disk, fenced checkpoints in PostgreSQL, Parquet parts with zstd forced to disk. */
final class TurnoHarvest implements Contestant {

    private final Server server;

    TurnoHarvest(Server server) {
        this.server = server;
    }

    @Override
    public String who() {
        return "turno";
    }

    @Override
    public int share() {
        return 1_000;
    }

    @Override
    public Harvested harvest(String url, Path folder) throws Exception {
        CompletableFuture<WorkEvent.RunEnded> end = new CompletableFuture<>();
        TurnoOptions options = TurnoOptions.defaults().withWatcher(event -> {
            if (event instanceof WorkEvent.RunEnded ended) {
                end.complete(ended);
            }
        });
        try (FreshDatabase database = server.fresh();
                Turno turno = Turno.start(database.dataSource(), options)) {
            Networks networks = new Networks(database.dataSource());
            networks.createTables();
            Snapshots snapshots = new Snapshots(database.dataSource());
            ParquetStore store = new ParquetStore(folder, database.dataSource(), snapshots);
            Runs runs = turno.runs();
            runs.add(new HarvestJob(HarvestOptions.defaults(), networks, snapshots, store).job());
            turno.work(runs);
            StoredNetwork network = networks.add(Network.of("BENCH", url), "bench");
            long start = System.nanoTime();
            long run = runs.submit(RunRequest.of(HarvestJob.NAME).on(network.subject()))
                    .orThrow();
            end.get(10, TimeUnit.MINUTES);
            StoredRun stored = runs.find(run).orElseThrow();
            if (stored.state() != RunState.DONE) {
                throw new IllegalStateException(
                        stored.error().orElse(stored.state().name()));
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            return new Harvested(
                    snapshots.lastGood(network.id()).map(Snapshot::total).orElse(0L), seconds);
        }
    }
}
