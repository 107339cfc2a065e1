package dev.turno.run;

import dev.turno.claim.ClaimableRows;
import dev.turno.lane.Lanes;
import dev.turno.lane.Slots;
import dev.turno.sql.Database;
import dev.turno.sql.Nearest;
import dev.turno.watch.Watcher;
import dev.turno.worker.Wakeups;
import dev.turno.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Long paged work of a namespace. Shared by threads.
 *
 * <p>The life of a run: {@link #submit} stores it PENDING; when it is the first in its lanes and a slot is free, a process that
 * knows its job takes it, DOING; page by page it moves on; it ends DONE, or STOPPED, or DEAD, or is PARKED for a while.
 */
public final class Runs {

    public static final int LONGEST_PAGE = 1_000;
    private static final String TOPIC = "runs";
    private static final String REVIVAL = "revival of run ";

    private final Database database;
    private final RunOptions options;
    private final Wakeups wakeups;
    private final Map<String, Job<?>> jobs = new ConcurrentHashMap<>();
    private final long scope;
    private final SettingTable settings;
    private final Slots slots;
    private final SubmitTable submits;
    private final EndTable ends;
    private final BrowseTable browse;
    private final PageTable pages;
    private final RunTable rows;
    private final RunHandler handler;
    private volatile int perNode;
    private volatile Optional<Worker<Run>> worker = Optional.empty();

    private Runs(
            Database database,
            String namespace,
            String node,
            RunOptions options,
            Wakeups wakeups,
            Watcher watcher,
            SettingTable settings) {
        this.database = database;
        this.options = options;
        this.wakeups = wakeups;
        this.settings = settings;
        this.perNode = options.perNode();
        this.scope = settings.define().scope();
        this.slots = new Slots("run", scope, database.statements());
        Lanes lanes = new Lanes("run", scope, database);
        RunLanes runLanes = new RunLanes(lanes);
        this.submits = new SubmitTable(database, scope, runLanes);
        this.ends = new EndTable(database, scope, runLanes, submits);
        this.browse = new BrowseTable(database, scope, lanes);
        this.pages = new PageTable(database, scope, options.maxPage());
        this.rows = new RunTable(
                database, namespace, scope, options.work().longestClaim(), this::jobs, ends, this::wake, watcher);
        this.handler = new RunHandler(jobs, rows, pages, watcher, node);
        options.perCluster().ifPresent(this::limitPerCluster);
        options.maxQueued().ifPresent(this::limitQueued);
    }

    /** For the facade. */
    @SuppressWarnings("exports")
    public static Runs open(
            Database database, String namespace, String node, RunOptions options, Wakeups wakeups, Watcher watcher) {
        return new Runs(database, namespace, node, options, wakeups, watcher, new SettingTable(database, namespace));
    }

    /** Makes a job known in this process. A run is taken only where its job is known. */
    public Runs add(Job<?> job) {
        if (jobs.putIfAbsent(job.name(), job) != null) {
            throw new IllegalArgumentException(
                    "There is a job '" + job.name() + "' already. Two different jobs need two names.");
        }
        wake();
        return this;
    }

    /** The names of the jobs that this process knows. */
    public Set<String> jobs() {
        return new TreeSet<>(jobs.keySet());
    }

    /**
     * Stores a run and wakes the workers. Refused if as many wait as may.
     *
     * @throws IllegalArgumentException if one of its jobs is not known here
     */
    public SubmitOutcome submit(RunRequest request) {
        SubmitOutcome outcome = submits.submit(ticket(request));
        wake();
        return outcome;
    }

    /**
     * Stores a run in the caller's transaction: it is there if and when that commits. Nobody else can submit until then, so
     * keep it short. The queue is counted as the transaction sees it: under REPEATABLE READ some more may come to wait than are
     * allowed.
     */
    public SubmitOutcome submit(Connection connection, RunRequest request) throws SQLException {
        SubmitOutcome outcome = submits.submit(database.on(connection), ticket(request));
        wakeups.wakeSoon(TOPIC);
        return outcome;
    }

    private SubmitTable.Ticket ticket(RunRequest request) {
        Set<String> lanes = new TreeSet<>(request.lanes());
        lanes.addAll(known(request.job()).lanes());
        Link first = Link.of(request.job(), request.action(), request.incremental(), lanes, request.subject());
        List<Link> chain = request.then().stream()
                .map(next -> Link.of(
                        next.job(),
                        next.action(),
                        next.incremental(),
                        known(next.job()).lanes(),
                        request.subject()))
                .toList();
        return new SubmitTable.Ticket(
                first,
                request.subject(),
                request.parameters(),
                request.delay(),
                chain,
                Optional.empty(),
                Optional.empty());
    }

    private Job<?> known(String name) {
        Job<?> job = jobs.get(name);
        if (job == null) {
            throw new IllegalArgumentException("There is no job '" + name + "' here. " + Nearest.of(name, jobs())
                    + " Nothing was submitted. Add the job to the runs of this process first.");
        }
        return job;
    }

    private void wake() {
        wakeups.wake(TOPIC);
    }

    /** For the facade: the worker that takes and works runs in this process. */
    public Worker<Run> worker(Worker.Surroundings around) {
        worker.filter(earlier -> !earlier.isClosed()).ifPresent(earlier -> {
            throw new IllegalStateException(
                    "Runs are worked in this process already, and still are. For more at once raise"
                            + " the limit per node; to begin anew close the first worker.");
        });
        Worker<Run> made = new Worker<>("runs", TOPIC, rows, handler::handle, options.work(), around);
        made.atMost(perNode);
        handler.handOver(false);
        worker = Optional.of(made);
        return made;
    }

    /** For the facade: runs of this process end at their next item, so that others can go on with them. */
    public void handOver() {
        handler.handOver(true);
    }

    /** The claims themselves, for tests. */
    public ClaimableRows<Run> rows() {
        return rows;
    }

    /**
     * Stops a run at its next item: the page it is in is rolled back, and it is STOPPED with its cursor. One that waits is
     * STOPPED at once.
     */
    public StopOutcome stop(long id) {
        if (browse.askToStop(id)) {
            handler.wishStop(id);
            return StopOutcome.STOPPING;
        }
        if (ends.endWaiting(id, RunState.STOPPED)) {
            wake();
            return StopOutcome.STOPPED;
        }
        // It may have been taken between the two looks.
        if (browse.askToStop(id)) {
            handler.wishStop(id);
            return StopOutcome.STOPPING;
        }
        return find(id).isPresent() ? StopOutcome.OVER : StopOutcome.UNKNOWN;
    }

    /** Gives up a run that waits, was stopped, or failed; false if it is under way (stop it first), over, or unknown. */
    public boolean cancel(long id) {
        boolean cancelled = ends.endWaiting(id, RunState.CANCELLED)
                || ends.cancelEnded(id)
                || ends.endWaiting(id, RunState.CANCELLED); // it may have been resumed between the two looks
        wake(); // those behind it may have their turn
        return cancelled;
    }

    /** A run that was STOPPED or is DEAD goes on after its last stored page, behind all others in its lanes. */
    public SubmitOutcome resume(long id) {
        Optional<StoredRun> run = find(id);
        Optional<SubmitOutcome> resumed = run.flatMap(found -> submits.resume(id, found.lanes()));
        wake();
        return resumed.orElseGet(() -> new SubmitOutcome.Refused("Run " + id + " is "
                + run.map(found -> found.state().name()).orElse("unknown")
                + "; only a run that is STOPPED or DEAD can be resumed."));
    }

    /** Submits a run of the same job over the items that this run parked. What succeeds leaves the list. */
    public SubmitOutcome revive(long id) {
        Optional<StoredRun> found = find(id);
        if (found.isEmpty() || pages.letters(id, 0, 1).isEmpty()) {
            return new SubmitOutcome.Refused("Run " + id + " is unknown or has no parked items.");
        }
        StoredRun run = found.get();
        if (known(run.job()).reload().isEmpty()) {
            return new SubmitOutcome.Refused("Job '" + run.job()
                    + "' does not say how to find an item by its key. Give it a reload function, then revive again.");
        }
        TreeSet<String> lanes = new TreeSet<>(run.lanes());
        lanes.removeIf(lane -> lane.startsWith(REVIVAL));
        lanes.add(REVIVAL + id); // two revivals at once would do the same items
        Link link = new Link(run.job(), run.action(), run.incremental(), lanes);
        SubmitOutcome outcome = submits.submit(new SubmitTable.Ticket(
                link, run.subject(), run.parameters(), Duration.ZERO, List.of(), Optional.empty(), Optional.of(id)));
        wake();
        return outcome;
    }

    /**
     * Stops what has begun on a subject: what is under way, is parked, or waits for its next try, with the chain of which it is a
     * link. Answers how many.
     */
    public int stopAll(String subject) {
        Set<Long> stopped = new TreeSet<>();
        List<Long> more;
        do { // a link may have ended meanwhile, and the next one of its chain be there
            more = browse.active(subject).stream()
                    .filter(BrowseTable.Active::begun)
                    .map(BrowseTable.Active::id)
                    .filter(id -> !stopped.contains(id))
                    .toList();
            more.forEach(this::stop);
            stopped.addAll(more);
        } while (!more.isEmpty());
        return stopped.size();
    }

    /** Cancels what waits in the queue for a subject; answers how many. */
    public int cancelQueued(String subject) {
        return (int) browse.active(subject).stream()
                .filter(run -> run.state() == RunState.PENDING)
                .filter(run -> cancel(run.id()))
                .count();
    }

    public Optional<StoredRun> find(long id) {
        return browse.find(id);
    }

    /** Runs in a state: those that wait or run in the order of their submission, the others newest first. */
    public RunPage list(RunState state, Optional<String> after, int limit) {
        return browse.list(state, after, requireLimit(limit));
    }

    /** Runs of a subject, newest first, older than {@code before}. */
    public List<StoredRun> ofSubject(String subject, Optional<Long> before, int limit) {
        return browse.ofSubject(subject, before.orElse(Long.MAX_VALUE), requireLimit(limit));
    }

    /** The last run of a job on a subject that did all its pages; never one that was stopped or failed. */
    public Optional<StoredRun> lastDone(String job, String subject) {
        return browse.lastDone(job, subject);
    }

    public RunCounts counts() {
        return browse.counts();
    }

    /** Items that a run parked. */
    public List<Letter> parkedItems(long id, Optional<Long> after, int limit) {
        return pages.letters(id, after.orElse(0L), requireLimit(limit));
    }

    public List<LogLine> log(long id, Optional<Long> after, int limit) {
        return browse.log(id, after.orElse(0L), requireLimit(limit));
    }

    private static int requireLimit(int limit) {
        RunOptions.requireWithin("limit of a list", limit, 1, LONGEST_PAGE);
        return limit;
    }

    /** Nobody in the cluster takes a run until {@link #unpause}; what is under way goes on. */
    public void pause() {
        settings.pause(scope, true);
    }

    public void unpause() {
        settings.pause(scope, false);
        wake();
    }

    /** The limits as they are now. */
    public RunLimits limits() {
        SettingTable.Setting setting = settings.read();
        return new RunLimits(perNode, setting.perCluster(), setting.maxQueued(), setting.paused());
    }

    /** The most runs under way in this process from now on; what is under way goes on. */
    public void limitPerNode(int limit) {
        RunOptions.requireWithin("per-node", limit, 1, RunOptions.MOST_PER_NODE);
        perNode = limit;
        worker.ifPresent(made -> made.atMost(limit));
    }

    /** The most runs under way in the cluster from now on; what is under way goes on. */
    public void limitPerCluster(int limit) {
        RunOptions.requireWithin("per-cluster", limit, 1, RunOptions.MOST_PER_CLUSTER);
        settings.limit(scope, slots, limit);
        wake();
    }

    /** The most runs that wait, in the cluster, from now on. */
    public void limitQueued(int limit) {
        RunOptions.requireWithin("max-queued", limit, 1, RunOptions.MOST_QUEUED);
        settings.limitQueued(scope, limit);
    }

    /**
     * Removes a batch of runs that are older than they are to be kept; true if there may be more. Runs of jobs that are unknown here are
     * left alone: those who know them may keep them for longer.
     */
    public boolean prune() {
        Set<String> known = jobs();
        return !known.isEmpty() && browse.prune(known, options.keep());
    }
}
