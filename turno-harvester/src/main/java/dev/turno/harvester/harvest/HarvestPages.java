package dev.turno.harvester.harvest;

import dev.turno.claim.Claim;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.SnapshotStatus;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.oai.OaiException;
import dev.turno.harvester.store.HarvestFiles;
import dev.turno.harvester.store.NewPart;
import dev.turno.harvester.store.Spool;
import dev.turno.harvester.store.Unusable;
import dev.turno.run.Page;
import dev.turno.run.Pages;
import dev.turno.run.RetryLaterException;
import dev.turno.run.RunTurn;
import java.io.IOException;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The pages of one harvest for its run. One thread fetches and spools, another builds parts; this one, the run's, commits what they have
 * got: all pages that are there, under one force to disk. While nothing comes it gives pages without items, so that a wish to stop is
 * noticed and the claim is renewed.
 */
final class HarvestPages implements Pages<Gathered> {

    private static final int AHEAD = 64;
    private static final long BEAT_MS = 1_000;
    private static final long GATHER_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int PARTS = 8;
    private static final int AT_ONCE = 1_000;

    /** What the thread that fetches has to say: a page, or why there are no more. */
    private record Said(Optional<Spooled> page, Optional<Exception> failure) {

        boolean isFollowed() {
            return page.isPresent() && page.get().after().phase() == Place.Phase.FETCHING;
        }
    }

    private final HarvestOptions options;
    private final Snapshots snapshots;
    private final Snapshot snapshot;
    private final Optional<Snapshot> previous;
    private final RunTurn run;
    private final Claim claim;
    private final HarvestFiles files;
    private final Fetching fetching;
    private final BlockingQueue<Said> said = new LinkedBlockingQueue<>(AHEAD);
    private final ExecutorService threads;
    private final List<Spool.Frame> loose = new ArrayList<>();
    private Optional<Future<NewPart>> building = Optional.empty();
    private Optional<Future<HarvestFiles.Outcome>> comparing = Optional.empty();
    private long buildingThrough;
    private long looseBytes;
    private long allBytes;
    private long freeThrough;
    private Place place;
    private volatile boolean closed;

    HarvestPages(
            HarvestOptions options,
            Snapshots snapshots,
            Snapshot snapshot,
            Optional<Snapshot> previous,
            RunTurn run,
            HarvestFiles files,
            Fetching fetching,
            List<Spool.Frame> committed,
            Place place) {
        this.options = options;
        this.snapshots = snapshots;
        this.snapshot = snapshot;
        this.previous = previous;
        this.run = run;
        this.claim = new Claim(run.id(), run.fence());
        this.files = files;
        this.fetching = fetching;
        this.place = place;
        this.threads = Executors.newFixedThreadPool(2, task -> {
            Thread thread = new Thread(task, "turno-harvest run " + run.id());
            thread.setDaemon(true);
            return thread;
        });
        committed.forEach(frame -> addLoose(Spooled.of(frame)));
        if (place.phase() == Place.Phase.FETCHING) {
            threads.execute(() -> fetchAll(place));
        }
    }

    private void addLoose(Spooled page) {
        loose.add(page.frame());
        looseBytes += page.head().bytes();
        allBytes += page.head().bytes();
    }

    private void fetchAll(Place from) {
        try {
            for (Place at = from; at.phase() == Place.Phase.FETCHING && !closed; ) {
                Spooled page = fetching.next(at);
                said.put(new Said(Optional.of(page), Optional.empty()));
                at = page.after();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (OaiException | IOException | RuntimeException e) {
            tell(e);
        } catch (Error e) { // whoever waits for pages would wait for ever
            tell(new IllegalStateException("The page after page " + from.page() + " or later cannot be read: " + e, e));
        }
    }

    private void tell(Exception e) {
        try {
            said.put(new Said(Optional.empty(), Optional.of(e)));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Optional<Page<Gathered>> next(int size) throws Exception {
        if (run.cursor().isEmpty() && place.page() == 0) {
            // The windows are fixed from now on, also for whoever goes on after a crash.
            return Optional.of(new Page<>(List.of(), place.text()));
        }
        if (freeThrough > 0) {
            free(); // committed by now
        }
        try {
            return switch (place.phase()) {
                case FETCHING -> Optional.of(fetched());
                case FETCHED -> Optional.of(stored());
                case STORED -> Optional.of(completed());
                case COMPLETE -> Optional.empty();
            };
        } catch (IOException e) {
            return Optional.of(page(List.of(passing("The store could not be written: " + e + "."))));
        }
    }

    private void free() throws IOException {
        if (place.phase() == Place.Phase.FETCHING) {
            files.free(freeThrough);
        } else {
            files.freeAll(freeThrough);
        }
        freeThrough = 0;
    }

    private Page<Gathered> page(List<Gathered> items) {
        return new Page<>(items, place.text());
    }

    private Page<Gathered> fetched() throws Exception {
        List<Gathered> items = new ArrayList<>();
        Optional<Gathered> part = finishedPart(0);
        part.ifPresent(items::add);
        if (looseBytes >= partBytes()) {
            if (building.isPresent()) { // the builder cannot keep up: wait for it, in beats
                finishedPart(BEAT_MS).ifPresent(items::add);
                return page(items);
            }
            build();
        }
        List<Said> some = new ArrayList<>();
        Said first = said.poll(part.isPresent() ? 1 : BEAT_MS, TimeUnit.MILLISECONDS);
        if (first != null) {
            some.add(first);
            gather(some);
            take(some, items);
        }
        return page(items);
    }

    /** An eighth of all that came, within bounds: what is left to be built after the last page is little beside the harvest. */
    private long partBytes() {
        return Math.min(options.partBytes(), Math.max(options.partBytes(), allBytes) / PARTS);
    }

    /** Pages that follow each other quickly share a force to disk and a commit, which cost as much as reading several pages. */
    private void gather(List<Said> some) throws InterruptedException {
        long start = System.nanoTime();
        Said last = some.get(0);
        while (last != null && last.isFollowed() && some.size() < AHEAD) {
            last = said.poll(start + GATHER_NS - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (last != null) {
                some.add(last);
            }
        }
    }

    private void take(List<Said> some, List<Gathered> items) throws Exception {
        List<Spooled> pages = some.stream().flatMap(one -> one.page().stream()).toList();
        if (pages.isEmpty()) {
            fail(some.get(0).failure().orElseThrow()).ifPresent(items::add);
            return;
        }
        fetching.force();
        items.add(connection ->
                write(connection, pages.stream().map(Spooled::head).toList()));
        for (Spooled page : pages) {
            addLoose(page);
            page.head().warnings().forEach(this::warn);
            if (page.head().listSize() > 0
                    && page.head().records() > 0
                    && run.total().isEmpty()) {
                run.total(page.head().listSize() / page.head().records() + 1);
            }
        }
        place = pages.get(pages.size() - 1).after();
        for (Said last : some) {
            // After the pages before it are committed; it comes out again at once.
            last.failure().ifPresent(e -> said.add(last));
        }
    }

    private void warn(String text) {
        run.log(text);
        snapshots.log(snapshot.id(), text);
    }

    private void write(Connection connection, List<Head> heads) {
        List<Head.PutAside> putAside =
                heads.stream().flatMap(head -> head.putAside().stream()).toList();
        snapshots.count(
                connection,
                snapshot.id(),
                claim,
                heads.stream().mapToLong(Head::records).sum(),
                heads.stream().mapToLong(Head::deletions).sum(),
                putAside.size());
        for (Head.PutAside one : putAside) {
            snapshots.quarantine(connection, snapshot.id(), one.identifier(), one.why(), one.file());
        }
    }

    /** Parks the run, or answers what ends it; nothing if it was stopped, which the run notices by itself. */
    private Optional<Gathered> fail(Exception e) throws Exception {
        if (!(e instanceof OaiException source)) {
            if (e instanceof IOException) {
                throw e;
            }
            return Optional.of(broken(String.valueOf(e.getMessage())));
        }
        String why = String.valueOf(source.getMessage());
        switch (source.kind()) {
            case LATER -> throw later(source.in(), why);
            case PASSING -> {
                return Optional.of(passing(why));
            }
            case LASTING -> {
                return Optional.of(broken(why));
            }
            case STOPPED -> {}
        }
        return Optional.empty();
    }

    /** Parks the run, or answers what ends it if that happened too often. */
    private Gathered passing(String why) {
        int failures = snapshots.failedAgain(snapshot.id(), claim);
        if (failures < options.maxFailures()) {
            throw later(options.backoff().after(failures), why);
        }
        return broken(why + " That was failure " + failures + " in a row.");
    }

    private RetryLaterException later(Duration in, String why) {
        snapshots.fail(snapshot.id(), claim, SnapshotStatus.RETRYING, why);
        snapshots.log(snapshot.id(), "Waits for " + in + ": " + why);
        return new RetryLaterException(in, why);
    }

    private Gathered broken(String why) {
        snapshots.fail(snapshot.id(), claim, SnapshotStatus.HARVEST_FAILED, why);
        snapshots.log(snapshot.id(), "Failed: " + why);
        return Gathered.failing(why + " What was fetched is kept; resume the run when the cause is mended.");
    }

    private void build() {
        List<Spool.Frame> frames = List.copyOf(loose);
        buildingThrough = frames.get(frames.size() - 1).seq();
        loose.clear();
        looseBytes = 0;
        Callable<NewPart> work = () -> files.build(frames);
        building = Optional.of(threads.submit(work));
    }

    private Optional<Gathered> finishedPart(long waitMs) throws Exception {
        if (building.isEmpty()) {
            return Optional.empty();
        }
        Optional<NewPart> part = got(building.get(), waitMs);
        if (part.isEmpty()) {
            return Optional.empty();
        }
        building = Optional.empty();
        freeThrough = buildingThrough;
        long through = buildingThrough;
        return Optional.of(connection -> files.register(connection, through, part.get()));
    }

    private static <T> Optional<T> got(Future<T> future, long waitMs) throws Exception {
        try {
            return Optional.of(future.get(waitMs, TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private Page<Gathered> stored() throws Exception {
        List<Gathered> items = new ArrayList<>();
        if (building.isEmpty() && !loose.isEmpty()) {
            build();
        }
        finishedPart(BEAT_MS).ifPresent(items::add);
        if (building.isEmpty() && loose.isEmpty()) {
            place = place.in(Place.Phase.STORED);
        }
        return page(items);
    }

    private Page<Gathered> completed() throws Exception {
        long unseen = place.page() + 1;
        if (comparing.isEmpty()) {
            Callable<HarvestFiles.Outcome> work = () -> files.compare(previous, unusable(), unseen);
            comparing = Optional.of(threads.submit(work));
        }
        Optional<HarvestFiles.Outcome> known = got(comparing.get(), BEAT_MS);
        if (known.isEmpty()) {
            return page(List.of());
        }
        HarvestFiles.Outcome outcome = known.get();
        if (isTooSmall(outcome)) {
            return page(List.of(tooSmall(outcome)));
        }
        place = place.in(Place.Phase.COMPLETE);
        if (outcome.kept() > 0) {
            warn("Records that did not come and stay as they were, because they may be among what was put aside: "
                    + outcome.kept() + ".");
        }
        warn("Complete: " + outcome.records() + " records and " + outcome.deletions() + " deletions came; "
                + outcome.total() + " records are there now.");
        return page(List.of(connection -> {
            outcome.unseen().ifPresent(part -> files.register(connection, unseen, part));
            boolean empty = outcome.records() == 0 && outcome.deletions() == 0;
            snapshots.complete(
                    connection, snapshot.id(), claim, empty, outcome.records(), outcome.deletions(), outcome.total());
        }));
    }

    /** Something without a name may have been anything, but nothing of another source. */
    private Unusable unusable() {
        boolean sameSource = previous.map(before -> snapshots.origin(before.id()))
                .filter(snapshots.origin(snapshot.id())::equals)
                .isPresent();
        Unusable all = new Unusable();
        List<Snapshots.Quarantined> some = snapshots.quarantined(snapshot.id(), 0, AT_ONCE);
        while (!some.isEmpty()) {
            some.stream()
                    .map(Snapshots.Quarantined::identifier)
                    .filter(identifier -> sameSource || !identifier.isEmpty())
                    .forEach(all::add);
            some = snapshots.quarantined(
                    snapshot.id(), some.get(some.size() - 1).id(), AT_ONCE);
        }
        return all;
    }

    private boolean isTooSmall(HarvestFiles.Outcome outcome) {
        return outcome.total() < before() * options.least() && !snapshots.isAccepted(snapshot.id());
    }

    private long before() {
        return previous.map(Snapshot::total).orElse(0L);
    }

    private Gathered tooSmall(HarvestFiles.Outcome outcome) {
        return broken("The harvest shows " + outcome.total() + " records where there were " + before()
                + " before, which is less than " + Math.round(options.least() * 100)
                + " %. It was not published. If that is"
                + " right, accept snapshot " + snapshot.id()
                + " and resume the run; else mend the source and harvest anew.");
    }

    @Override
    public void close() throws Exception {
        closed = true;
        threads.shutdownNow();
        boolean ended = threads.awaitTermination(1, TimeUnit.MINUTES);
        if (ended) {
            fetching.close();
        }
        if (run.isStopWished()) { // also if only the last page is missing; a snapshot that is complete stays so
            snapshots.fail(snapshot.id(), claim, SnapshotStatus.STOPPED, "Stopped by a person; it can be resumed.");
        }
    }
}
