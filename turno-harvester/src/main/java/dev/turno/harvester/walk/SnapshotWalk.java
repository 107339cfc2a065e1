package dev.turno.harvester.walk;

import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.RecordPage;
import dev.turno.harvester.record.RecordStore;
import dev.turno.run.Page;
import dev.turno.run.Pages;
import dev.turno.run.RunTurn;
import dev.turno.run.Source;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes sources of jobs that walk through a snapshot. Shared by threads. */
public final class SnapshotWalk {

    /** Where a run that has not stored a page yet begins. */
    @FunctionalInterface
    public interface Beginning {
        Walk at(RunTurn run, StoredNetwork network, Snapshot snapshot) throws Exception;
    }

    private final Networks networks;
    private final Snapshots snapshots;
    private final RecordStore store;

    public SnapshotWalk(Networks networks, Snapshots snapshots, RecordStore store) {
        this.networks = networks;
        this.snapshots = snapshots;
        this.store = store;
    }

    public Snapshots snapshots() {
        return snapshots;
    }

    public RecordStore store() {
        return store;
    }

    public Source<Walked> source(Beginning beginning) {
        return source(beginning, run -> {});
    }

    /** @param afterwards done when this process has ended with the run, however that was */
    public Source<Walked> source(Beginning beginning, Consumer<RunTurn> afterwards) {
        return run -> {
            StoredNetwork network = network(run);
            return new StorePages(network, walk(run, network, beginning), () -> afterwards.accept(run));
        };
    }

    /** The network on which a run works. */
    public StoredNetwork network(RunTurn run) {
        String subject = run.subject()
                .orElseThrow(() -> new IllegalStateException(
                        "Run " + run.id() + " names no network. Submit it on the subject of one, such as NETWORK::7."));
        return networks.find(StoredNetwork.idOf(subject))
                .orElseThrow(() -> new IllegalStateException("There is no network " + subject + " any more."));
    }

    /** The walk on which a run is: where its last stored page ended, or its beginning. */
    public Walk walk(RunTurn run, StoredNetwork network, Beginning beginning) throws Exception {
        Optional<Walk> stored = run.cursor().map(Walk::of);
        return stored.isPresent() ? stored.get() : beginning.at(run, network, lastGood(network));
    }

    private Snapshot lastGood(StoredNetwork network) {
        return snapshots
                .lastGood(network.id())
                .orElseThrow(
                        () -> new IllegalStateException(
                                "Network '" + network.network().acronym()
                                        + "' has no complete harvest yet. Harvest it first; a stopped or failed harvest does not count."));
    }

    private final class StorePages implements Pages<Walked> {

        private final StoredNetwork network;
        private final Runnable afterwards;
        private Walk walk;

        StorePages(StoredNetwork network, Walk walk, Runnable afterwards) {
            this.network = network;
            this.walk = walk;
            this.afterwards = afterwards;
        }

        /** Never a page without records: a step that does something with the first one would not know it from a later one. */
        @Override
        public Optional<Page<Walked>> next(int size) throws IOException {
            Optional<RecordPage> found = stored(size);
            while (found.isPresent() && found.get().records().isEmpty()) { // a part of deletions alone, for instance
                walk = walk.movedTo(found.get().cursor());
                found = stored(size);
            }
            return found.map(this::page);
        }

        private Optional<RecordPage> stored(int size) throws IOException {
            return store.page(walk.snapshot(), walk.selection(), walk.after(), size);
        }

        private Page<Walked> page(RecordPage found) {
            Walked.Batch batch = new Walked.Batch(network, walk, found);
            walk = walk.movedTo(found.cursor());
            return new Page<>(
                    found.records().stream()
                            .map(record -> new Walked(record, batch))
                            .toList(),
                    walk.toString());
        }

        @Override
        public Optional<Long> total() {
            return Optional.of(store.count(walk.snapshot(), walk.selection()));
        }

        @Override
        public void close() {
            afterwards.run();
        }
    }
}
