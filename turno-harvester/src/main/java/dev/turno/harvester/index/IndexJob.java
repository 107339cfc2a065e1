package dev.turno.harvester.index;

import dev.turno.claim.ClaimLostException;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.NetworkProperty;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.SnapshotStatus;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.patience.Patience;
import dev.turno.harvester.record.RecordStatus;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.rules.Diagnosis;
import dev.turno.harvester.sql.Sql;
import dev.turno.harvester.walk.SnapshotWalk;
import dev.turno.harvester.walk.Walk;
import dev.turno.harvester.walk.Walked;
import dev.turno.run.Job;
import dev.turno.run.PageTurn;
import dev.turno.run.RunTurn;
import dev.turno.run.Source;
import dev.turno.run.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Makes the jobs that bring a network's records into an index and remove them from it. A full indexing renews every document and then
 * sweeps what it did not renew; an incremental one only touches what changed since the last. Shared by threads.
 */
public final class IndexJob {

    /** Each page becomes a segment of the local index, which has to be merged with others later: large ones save much of that. */
    public static final int PAGE = 5_000;

    private final IndexTarget target;
    private final SnapshotWalk walks;
    private final Documents documents;
    private final IndexStates states;
    private final Diagnosis diagnosis;
    private final Sql sql;
    private final Patience patience = Patience.usual();

    /**
     * @param crosswalk makes the documents; for the XOAI index of deleted records too
     */
    public IndexJob(DataSource source, IndexTarget target, SnapshotWalk walks, Crosswalk crosswalk) {
        this.target = target;
        this.walks = walks;
        this.states = new IndexStates(source);
        this.documents = target.kind() == IndexKind.XOAI
                ? new XoaiDocuments(target, crosswalk, states::now)
                : new FrontendDocuments(target, crosswalk);
        this.diagnosis = new Diagnosis(source);
        this.sql = new Sql(source, "index");
    }

    /** {@code index-frontend} or {@code index-xoai}. */
    public static String nameOf(IndexKind kind) {
        return "index-" + kind.name().toLowerCase(Locale.ROOT);
    }

    /** {@code delete-frontend} or {@code delete-xoai}. */
    public static String deletionOf(IndexKind kind) {
        return "delete-" + kind.name().toLowerCase(Locale.ROOT);
    }

    /** At most one run writes an index at a time, whatever its network. */
    private static String laneOf(IndexKind kind) {
        return switch (kind) {
            case FRONTEND -> "1";
            case XOAI -> "2";
        };
    }

    public Job<?> job() {
        return Job.of(
                nameOf(target.kind()),
                walks.source(this::beginning, run -> target.rest()), // another process can write then
                Step.outside(this::index),
                choices -> choices.pageSize(PAGE)
                        .lane(laneOf(target.kind()))
                        .key(walked -> walked.record().identifier())
                        .beforeRun(this::before)
                        .afterRun(this::after));
    }

    /** The job that removes a network from the index. */
    public Job<?> deletion() {
        return Job.of(
                deletionOf(target.kind()),
                Source.<String>iterator(run -> run.subject().stream().iterator()),
                Step.outside((subjects, page) -> {
                    for (String subject : subjects) {
                        page.begin(subject);
                        remove(page.run(), StoredNetwork.idOf(subject));
                    }
                }),
                choices -> choices.lane(laneOf(target.kind())));
    }

    private void remove(RunTurn run, long network) {
        // First the state: if this process dies in between, the next indexing is a full one.
        states.forget(network, target.kind());
        try {
            target.removeNetwork(network);
            target.publish();
            target.rest();
            patience.succeeded(run);
        } catch (IndexException e) {
            throw later(run, e);
        }
    }

    /** A refusal ends the run; an index that is away is asked again later. */
    private RuntimeException later(RunTurn run, IndexException e) {
        return e.isPassing()
                ? patience.failed(run, String.valueOf(e.getMessage()), why -> new IndexException(why, e))
                : e;
    }

    private Walk beginning(RunTurn run, StoredNetwork network, Snapshot snapshot) {
        String rules = fingerprint(network, snapshot.id());
        Optional<IndexStates.State> known = run.isIncremental()
                ? states.of(network.id(), target.kind())
                        .filter(state -> state.fingerprint().equals(rules) && state.snapshot() <= snapshot.id())
                : Optional.empty();
        return known.map(state -> Walk.since(snapshot.id(), state.snapshot())).orElseGet(() -> Walk.all(snapshot.id()));
    }

    /**
     * Records that other rules have judged may have another status although they did not change; and what documents say of their
     * network, or whether they may be seen at all, changes for all of them at once.
     */
    private String fingerprint(StoredNetwork stored, long snapshot) {
        Network network = stored.network();
        String rules = diagnosis
                .validation(snapshot)
                .map(Diagnosis.Validation::fingerprint)
                .orElse("");
        String all = String.join(
                "\n",
                rules,
                network.name(),
                network.institutionName(),
                network.originUrl(),
                Boolean.toString(network.published()),
                Boolean.toString(network.has(NetworkProperty.VALIDATE)),
                Boolean.toString(network.has(NetworkProperty.INDEX_FULLTEXT)));
        return IndexDocument.idOf(stored.id(), all);
    }

    private void before(RunTurn run) throws Exception {
        StoredNetwork network = walks.network(run);
        Walk walk = walks.walk(run, network, this::beginning);
        requireNewest(run, network, walk);
        mark(walk.snapshot(), SnapshotStatus.INDEXING, Optional.empty());
    }

    /** A run that is resumed goes on with its snapshot; a newer one may have been indexed by then, and must not be written over. */
    private void requireNewest(RunTurn run, StoredNetwork network, Walk walk) {
        states.of(network.id(), target.kind())
                .filter(state -> state.snapshot() > walk.snapshot())
                .ifPresent(state -> {
                    throw new IllegalStateException("Run " + run.id() + " began with snapshot " + walk.snapshot()
                            + ", and the index holds snapshot " + state.snapshot()
                            + " of the network by now. Nothing was written; submit a new run instead of this one.");
                });
    }

    private void mark(long snapshot, SnapshotStatus status, Optional<String> error) {
        sql.transaction(connection -> walks.snapshots().mark(connection, snapshot, status, error));
    }

    private void index(List<Walked> items, PageTurn page) {
        if (items.isEmpty()) {
            return;
        }
        Walked.Batch batch = items.get(0).batch();
        List<StoredRecord> shown = new ArrayList<>();
        List<StoredRecord> gone = new ArrayList<>();
        for (Walked item : items) {
            (isShown(batch.network(), item.record()) ? shown : gone).add(item.record());
        }
        try {
            documents.write(batch.network(), batch.at(), shown, gone, page.run()::log);
            patience.succeeded(page.run());
        } catch (IndexException e) {
            mark(batch.at().snapshot(), SnapshotStatus.INDEX_FAILED, Optional.of(String.valueOf(e.getMessage())));
            throw later(page.run(), e);
        }
    }

    /** A record that no rule has looked at is shown only if the network has no rules. */
    public static boolean isShown(StoredNetwork network, StoredRecord record) {
        boolean judged = network.network().has(NetworkProperty.VALIDATE);
        return !record.record().deleted()
                && (record.status() == RecordStatus.VALID || (record.status() == RecordStatus.UNTESTED && !judged));
    }

    private static void requireNotLost(RunTurn run, Walk walk) {
        if (run.isLost()) {
            throw new ClaimLostException("Run " + run.id() + " of job '" + run.job()
                    + "' lost its claim with fence " + run.fence() + " before the end of snapshot " + walk.snapshot()
                    + ". It removes and notes nothing more; whoever takes the run over does that.");
        }
    }

    /** What it wrote may stand in the place of newer documents: the next indexing is a full one. */
    private IllegalStateException late(RunTurn run, StoredNetwork network, Walk walk) {
        states.forget(network.id(), target.kind());
        return new IllegalStateException("Run " + run.id() + " indexed snapshot " + walk.snapshot()
                + " when a newer one was indexed already. The next indexing of the network renews all its documents.");
    }

    /** A run that was stopped or failed never comes here: nothing is swept, and the next one begins where the last good one was. */
    private void after(RunTurn run) throws Exception {
        StoredNetwork network = walks.network(run);
        Walk walk = walks.walk(run, network, this::beginning);
        if (walk.isFull()) {
            requireNotLost(run, walk);
            documents.sweep(network, walk.snapshot());
        }
        target.publish();
        target.rest();
        requireNotLost(run, walk);
        IndexStates.State state = new IndexStates.State(walk.snapshot(), fingerprint(network, walk.snapshot()));
        if (!states.keep(network.id(), target.kind(), state)) {
            throw late(run, network, walk);
        }
        mark(walk.snapshot(), SnapshotStatus.INDEXED, Optional.empty());
        run.log("Indexed " + target.count(network.id()) + " documents.");
    }
}
