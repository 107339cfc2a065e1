package dev.turno.harvester.harvest;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.DemoRepository;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.oai.OaiOptions;
import dev.turno.harvester.record.RecordPage;
import dev.turno.harvester.record.Selection;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.store.ParquetStore;
import dev.turno.run.RunOptions;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.run.Runs;
import dev.turno.run.StoredRun;
import dev.turno.worker.Backoff;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** A provider, a store and a process that harvests the one into the other. */
final class Stage implements AutoCloseable {

    private static final Set<RunState> OVER =
            Set.of(RunState.DONE, RunState.DEAD, RunState.STOPPED, RunState.CANCELLED);

    final DemoRepository repository;
    final DemoProvider provider;
    final Networks networks;
    final Snapshots snapshots;
    final ParquetStore store;
    final Turno turno;
    final Runs runs;
    final StoredNetwork network;

    Stage(DataSource source, Path folder, int records, int pageSize) throws IOException {
        this(source, folder, records, pageSize, options(), network -> network);
    }

    Stage(
            DataSource source,
            Path folder,
            int records,
            int pageSize,
            HarvestOptions options,
            UnaryOperator<Network> change)
            throws IOException {
        repository = new DemoRepository("demo", records);
        provider = DemoProvider.start(repository, pageSize, 0);
        networks = new Networks(source);
        networks.createTables();
        snapshots = new Snapshots(source);
        store = new ParquetStore(folder, source, snapshots);
        turno = Turno.start(source, TurnoOptions.defaults());
        runs = turno.runs(RunOptions.of(o -> o.poll(Duration.ofMillis(20))));
        runs.add(new HarvestJob(options, networks, snapshots, store).job());
        turno.work(runs);
        network = networks.add(change.apply(Network.of("DEMO", provider.url())), "test");
    }

    static HarvestOptions options() {
        return HarvestOptions.defaults()
                .with(OaiOptions.defaults().hasty(Duration.ofMinutes(1)))
                .withBackoff(Backoff.exponential(Duration.ofMillis(20), Duration.ofMillis(50)), 5)
                .withPartBytes(60_000);
    }

    long submit(boolean incremental) {
        return runs.submit(RunRequest.of(HarvestJob.NAME).on(network.subject()).incrementally(incremental))
                .orThrow();
    }

    StoredRun awaitEnd(long run) {
        try {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> OVER.contains(runs.find(run).orElseThrow().state()));
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(runs.find(run) + "\n" + runs.log(run, Optional.empty(), 100), e);
        }
        return runs.find(run).orElseThrow();
    }

    /** Harvests to the end. */
    StoredRun harvest(boolean incremental) {
        return awaitEnd(submit(incremental));
    }

    Snapshot last() {
        return snapshots.lastGood(network.id()).orElseThrow();
    }

    List<StoredRecord> records(Selection selection) throws IOException {
        List<StoredRecord> all = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        while (true) {
            Optional<RecordPage> page = store.page(last().id(), selection, cursor, 7);
            if (page.isEmpty()) {
                return all;
            }
            all.addAll(page.get().records());
            cursor = Optional.of(page.get().cursor());
        }
    }

    List<String> identifiers() throws IOException {
        return records(Selection.live()).stream()
                .map(StoredRecord::identifier)
                .sorted()
                .toList();
    }

    List<String> expected() {
        List<String> all = new ArrayList<>();
        for (int number = 0; number < repository.size(); number++) {
            if (!repository.isDeleted(number)) {
                all.add(repository.identifier(number));
            }
        }
        return all.stream().sorted().toList();
    }

    List<String> log(Snapshot snapshot) {
        return snapshots.log(snapshot.id(), 0, 1_000).stream()
                .map(Snapshots.LogLine::line)
                .toList();
    }

    @Override
    public void close() {
        turno.close();
        provider.close();
    }
}
