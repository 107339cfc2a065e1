package dev.turno.harvester.harvest;

import dev.turno.claim.Claim;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.store.Cleaning;
import dev.turno.harvester.store.Compaction;
import dev.turno.harvester.store.NewPart;
import dev.turno.harvester.store.ParquetStore;
import dev.turno.run.Job;
import dev.turno.run.Page;
import dev.turno.run.RunTurn;
import dev.turno.run.Source;
import dev.turno.run.Step;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The jobs that keep the store of a network small: {@code compact}, {@code clean} and {@code remove}. Shared by threads. */
public final class StoreJobs {

    /** Merges the parts of the last good snapshot, if that is due. */
    public static final String COMPACT = "compact";

    /** Removes snapshots and files that nobody needs. */
    public static final String CLEAN = "clean";

    /** Removes all snapshots of a network. */
    public static final String REMOVE = "remove";

    private static final String DONE = "done";

    private final Snapshots snapshots;
    private final Compaction compaction;
    private final Cleaning cleaning;

    public StoreJobs(Snapshots snapshots, ParquetStore store) {
        this.snapshots = snapshots;
        this.compaction = new Compaction(store, snapshots);
        this.cleaning = new Cleaning(store, snapshots);
    }

    public List<Job<?>> jobs() {
        return List.of(
                job(COMPACT, this::compact),
                job(CLEAN, run -> clean(run, cleaning.removable(network(run)))),
                job(REMOVE, run -> clean(run, cleaning.all(network(run)))));
    }

    @FunctionalInterface
    private interface Work {
        List<Gathered> on(RunTurn run) throws Exception;
    }

    /** One page of work that is written down in one transaction. */
    private Job<?> job(String name, Work work) {
        Source<Gathered> source = run ->
                size -> run.cursor().isPresent() ? Optional.empty() : Optional.of(new Page<>(work.on(run), DONE));
        return Job.of(
                name,
                source,
                Step.<Gathered>each((gathered, page) -> gathered.write(page.connection())),
                choices -> choices.key(gathered -> "a change of the store").afterRun(this::sweep));
    }

    private static long network(RunTurn run) {
        return StoredNetwork.idOf(run.subject().orElse(""));
    }

    private List<Gathered> compact(RunTurn run) throws Exception {
        Optional<Snapshot> good = snapshots.lastGood(network(run)).filter(compaction::isDue);
        if (good.isEmpty()) {
            run.log("There is nothing to merge.");
            return List.of();
        }
        List<NewPart> made = compaction.write(good.get(), new Claim(run.id(), run.fence()));
        run.log("Merged snapshot " + good.get().id() + " into " + made.size() + " parts.");
        return List.of(connection -> compaction.swap(connection, good.get(), made));
    }

    private List<Gathered> clean(RunTurn run, List<Snapshot> some) {
        run.log("Removes " + some.size() + " snapshots.");
        return List.of(connection -> cleaning.forget(connection, some));
    }

    /** After the commit, so that no row names a file that is gone; what a crash leaves is swept the next time. */
    private void sweep(RunTurn run) throws IOException {
        run.log(cleaning.sweep(network(run)) + " files that nobody knew are gone.");
    }
}
