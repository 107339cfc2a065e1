package dev.turno.harvester.harvest;

import dev.turno.claim.Claim;
import dev.turno.harvester.digest.Sha256;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.NetworkProperty;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.oai.Granularity;
import dev.turno.harvester.oai.Identity;
import dev.turno.harvester.oai.OaiClient;
import dev.turno.harvester.oai.OaiException;
import dev.turno.harvester.patience.Patience;
import dev.turno.harvester.store.HarvestFiles;
import dev.turno.harvester.store.ParquetStore;
import dev.turno.harvester.store.Spool;
import dev.turno.run.Job;
import dev.turno.run.Page;
import dev.turno.run.Pages;
import dev.turno.run.RetryLaterException;
import dev.turno.run.RunTurn;
import dev.turno.run.Step;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Makes the job that harvests a network: {@code runs.add(new HarvestJob(...).job())}. Shared by threads. */
public final class HarvestJob {

    /** The name of the job. */
    public static final String NAME = "harvest";

    private final HarvestOptions options;
    private final Networks networks;
    private final Snapshots snapshots;
    private final ParquetStore store;
    private final OaiClient client;
    private final Patience patience;

    public HarvestJob(HarvestOptions options, Networks networks, Snapshots snapshots, ParquetStore store) {
        this.options = options;
        this.networks = networks;
        this.snapshots = snapshots;
        this.store = store;
        this.client = new OaiClient(options.client());
        this.patience = new Patience(options.maxFailures(), options.backoff());
    }

    public Job<?> job() {
        return Job.of(
                NAME,
                this::openOrFail,
                Step.<Gathered>each((gathered, page) -> gathered.write(page.connection())),
                choices -> choices.key(gathered -> "a part of a harvest"));
    }

    /** What cannot be mended by waiting ends the run at once, as a page that cannot be written. */
    private Pages<Gathered> openOrFail(RunTurn run) throws Exception {
        try {
            return open(run);
        } catch (HarvestFailedException e) {
            Gathered failing = Gathered.failing(String.valueOf(e.getMessage()));
            return size -> Optional.of(new Page<>(List.of(failing), run.cursor().orElse("")));
        }
    }

    private Pages<Gathered> open(RunTurn run) throws Exception {
        Network network = network(run);
        Claim claim = new Claim(run.id(), run.fence());
        Optional<Snapshot> known = snapshots.takeOver(claim);
        Optional<Place> stored = run.cursor().map(Place::of);
        Snapshot snapshot;
        Place place;
        if (known.isPresent() && stored.isPresent()) {
            snapshot = known.get();
            place = stored.get();
        } else {
            Identity identity = identity(run, network);
            snapshot = known.isPresent() ? known.get() : begin(run, network, identity, claim);
            place = start(snapshot, identity);
        }
        return pages(run, network, snapshot, place);
    }

    private Network network(RunTurn run) {
        String subject = run.subject()
                .orElseThrow(() -> new HarvestFailedException(
                        "Run " + run.id() + " names no network. Submit it on the subject of one, such as NETWORK::7."));
        return networks.find(StoredNetwork.idOf(subject))
                .map(StoredNetwork::network)
                .orElseThrow(() -> new HarvestFailedException("There is no network " + subject + " any more."));
    }

    private Identity identity(RunTurn run, Network network) {
        Identity unknown = new Identity(
                "", "", Granularity.DAY, "no", "", Instant.now().minus(Duration.ofHours(1)), true, List.of());
        if (!options.identify()) {
            return unknown;
        }
        try {
            Identity identity = client.identify(network.originUrl(), run::isStopWished);
            identity.warnings().forEach(run::log);
            patience.succeeded(run);
            return identity;
        } catch (OaiException e) {
            String why = String.valueOf(e.getMessage());
            if (e.kind() == OaiException.Kind.LASTING && !e.isRefusedByHttp()) {
                run.log("The source does not say who it is; days are used for its datestamps. " + why);
                return unknown;
            }
            throw switch (e.kind()) {
                case LATER -> new RetryLaterException(e.in(), why);
                case LASTING -> unasked(why);
                case PASSING -> patience.failed(run, why, HarvestJob::unasked);
                case STOPPED -> new IllegalStateException(why, e);
            };
        }
    }

    private static HarvestFailedException unasked(String why) {
        return new HarvestFailedException(why + " Nothing was fetched.");
    }

    private Snapshot begin(RunTurn run, Network network, Identity identity, Claim claim) {
        long id = StoredNetwork.idOf(run.subject().orElseThrow());
        Optional<Snapshot> previous = snapshots.lastGood(id);
        String origin = origin(network);
        boolean full = !run.isIncremental()
                || network.has(NetworkProperty.FORCE_FULL_HARVESTING)
                || previous.isEmpty()
                || !snapshots.origin(previous.get().id()).equals(origin)
                || isFullDue(previous.get(), identity)
                || snapshots.chain(previous.get().id()).size() >= options.longestChain();
        Optional<Instant> lastFull = full
                ? Optional.of(identity.responseDate())
                : previous.flatMap(before -> snapshots.lastFull(before.id()));
        run.log((full
                        ? "Asks for everything"
                        : "Asks for what is new since "
                                + previous.get().untilAt().orElseThrow()) + " of " + network.originUrl() + ".");
        return snapshots.begin(
                claim, new Snapshots.Beginning(id, previous, full, identity.responseDate(), lastFull, origin));
    }

    /** A source that forgets deletions must be asked for everything now and then. */
    private boolean isFullDue(Snapshot previous, Identity identity) {
        Instant due = snapshots
                .lastFull(previous.id())
                .map(at -> at.plus(options.fullEvery()))
                .orElse(Instant.MIN);
        return !identity.keepsDeletions() && !identity.responseDate().isBefore(due);
    }

    private static String origin(Network network) {
        return Sha256.of(
                network.originUrl() + "\n" + network.metadataPrefix() + "\n" + String.join("\n", network.sets()));
    }

    /** One unit of overlap, because a record may have got its datestamp while the last harvest asked. */
    private Place start(Snapshot snapshot, Identity identity) {
        if (snapshot.full()) {
            return Place.start(Optional.empty(), Optional.empty(), identity.granularity());
        }
        Instant before = snapshot.previous()
                .flatMap(snapshots::find)
                .flatMap(Snapshot::untilAt)
                .orElseThrow();
        Instant until = snapshot.untilAt().orElseThrow();
        Instant since = until.isBefore(before) ? until : before; // a clock may have been set back
        return Place.start(
                Optional.of(identity.granularity()
                        .format(since.minus(identity.granularity().unit()))),
                identity.clockAgreed() ? Optional.of(identity.granularity().format(until)) : Optional.empty(),
                identity.granularity());
    }

    private Pages<Gathered> pages(RunTurn run, Network network, Snapshot snapshot, Place place) throws IOException {
        HarvestFiles files = new HarvestFiles(store, snapshot, run.fence());
        NavigableMap<Long, Spool.Frame> spooled = files.spooled();
        List<Spool.Frame> committed =
                List.copyOf(spooled.headMap(place.page(), true).values());
        requireAll(committed, files.lastPart(), place);
        Fetching fetching = new Fetching(
                network,
                options,
                client,
                files,
                new TreeMap<>(spooled.tailMap(place.page(), false)),
                run::isStopWished);
        Optional<Snapshot> previous = snapshot.previous().flatMap(snapshots::find);
        return new HarvestPages(options, snapshots, snapshot, previous, run, files, fetching, committed, place);
    }

    private static void requireAll(List<Spool.Frame> committed, long lastPart, Place place) {
        boolean stored = lastPart >= place.page();
        if (!stored && committed.size() != place.page() - lastPart) {
            throw new HarvestFailedException("The spool lacks pages: " + committed.size() + " of the pages "
                    + (lastPart + 1) + " to " + place.page()
                    + " are there. See to it that all instances have the same folder, or harvest anew.");
        }
    }
}
