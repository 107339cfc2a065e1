package dev.turno.task;

import dev.turno.claim.Claim;
import dev.turno.claim.ClaimableRows;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.holder.DatabaseClock;
import dev.turno.lane.Lanes;
import dev.turno.lane.Wake;
import dev.turno.sql.Database;
import dev.turno.sql.Place;
import dev.turno.worker.Bell;
import dev.turno.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Work for an instant. Shared by threads.
 *
 * <p>The life of a task: {@link #schedule} stores it PENDING; a few minutes before its instant it is shared out, ASSIGNED; just
 * before it, its holder arms it, DOING, and starts it on the dot from memory; the handler's result makes it DONE, or PENDING again
 * after a backoff, or DEAD.
 */
public final class Tasks {

    /** Tasks that are due within this time are shared out. */
    public static final Duration WINDOW = Duration.ofMinutes(5);

    public static final int LONGEST_PAGE = 1_000;
    private static final Duration LONGEST_WINDOW = Duration.ofDays(1);
    private static final Duration PLAN_AHEAD = WINDOW.plusMinutes(1);
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final int SCHEDULED_AT_ONCE = 1_000;
    private static final int PRUNED_AT_ONCE = 1_000;
    private static final Duration LANE_KEPT = Duration.ofHours(1);

    /** A type that this process handles. */
    private record Handled(TypeName type, TaskOptions options, Worker<Task> worker, ShareLoop share, Bell bell) {}

    private final Database database;
    private final Worker.Surroundings around;
    private final TypeTable types;
    private final ChangeTable changes;
    private final ScheduleTable schedules;
    private final BrowseTable browse;
    private final Assigner assigner;
    private final Crons crons;
    private final Planner planner;
    private final List<Handled> handled = new CopyOnWriteArrayList<>();
    private final Map<String, LagMeter> lags = new ConcurrentHashMap<>();

    /** For the facade. */
    @SuppressWarnings("exports")
    public Tasks(Database database, String namespace, Worker.Surroundings around) {
        this.database = database;
        this.around = around;
        this.types = new TypeTable(database, namespace);
        this.changes = new ChangeTable(database, namespace);
        this.schedules = new ScheduleTable(database, changes);
        this.browse = new BrowseTable(database, namespace);
        this.assigner = new Assigner(
                new AssignTable(database),
                types,
                around.heartbeat(),
                around.time(),
                around.watcher(),
                type -> around.wakeups().wake(shareTopic(type.type())));
        this.planner = new Planner(this::keep, around.watcher());
        this.crons = new Crons(
                new CronTable(database, namespace, types, schedules),
                around.time(),
                around.watcher(),
                type -> wake(type.type()),
                planner::ring);
        around.heartbeat().whenForgotten(types::forget);
        around.heartbeat().whenReaped(planner::ring);
    }

    /** For the facade: begins to plan cron runs and to share tasks out. */
    public void start() {
        planner.start();
    }

    private void keep() {
        try {
            crons.plan(PLAN_AHEAD);
        } finally {
            handled.forEach(one -> assigner.assign(one.type(), WINDOW));
        }
    }

    /** Schedules a task for {@code at}; if that has passed, it runs now and counts as overdue. See {@link #schedule(NewTask)}. */
    public ScheduleOutcome schedule(String type, String body, Instant at) {
        return schedule(NewTask.at(type, body, at));
    }

    /**
     * Schedules a task in a transaction of its own.
     *
     * @throws dev.turno.claim.DatabaseAwayException if it may not have been stored; with a key it can be scheduled again
     */
    public ScheduleOutcome schedule(NewTask task) {
        task.requireFits();
        ScheduleOutcome outcome = schedules.schedule(types.define(task.type()), task);
        if (isSoon(task) || mayFreeLane(task, outcome)) {
            wake(task.type());
        }
        return outcome;
    }

    /**
     * Schedules a task in the caller's transaction: it is there if and when that commits.
     *
     * @throws IllegalStateException if the task is in a lane or may replace another, and the connection is in auto-commit mode
     */
    public ScheduleOutcome schedule(Connection connection, NewTask task) throws SQLException {
        task.requireFits();
        ScheduleOutcome outcome =
                schedules.schedule(database.on(connection), types.define(task.type()), task, OptionalLong.empty());
        if (isSoon(task) || mayFreeLane(task, outcome)) {
            wakeSoon(task.type());
        }
        return outcome;
    }

    /** Schedules many tasks, a thousand to a transaction; answers in order. Nothing is stored if one of them is unusable. */
    public List<ScheduleOutcome> scheduleAll(List<NewTask> tasks) {
        tasks.forEach(NewTask::requireFits);
        ScheduleOutcome[] outcomes = new ScheduleOutcome[tasks.size()];
        placesByType(tasks).forEach((type, places) -> {
            for (int from = 0; from < places.size(); from += SCHEDULED_AT_ONCE) {
                List<Integer> part = places.subList(from, Math.min(places.size(), from + SCHEDULED_AT_ONCE));
                List<ScheduleOutcome> done = schedules.scheduleAll(
                        types.define(type), part.stream().map(tasks::get).toList());
                for (int i = 0; i < part.size(); i++) {
                    outcomes[part.get(i)] = done.get(i);
                }
            }
            wake(type);
        });
        return List.of(outcomes);
    }

    private static Map<String, List<Integer>> placesByType(List<NewTask> tasks) {
        Map<String, List<Integer>> places = new LinkedHashMap<>();
        for (int i = 0; i < tasks.size(); i++) {
            places.computeIfAbsent(tasks.get(i).type(), key -> new ArrayList<>())
                    .add(i);
        }
        return places;
    }

    private boolean isSoon(NewTask task) {
        return task.at()
                .map(at -> at.isBefore(clock().now().plus(SOON)))
                .orElse(task.in().compareTo(SOON) < 0);
    }

    /** The one that it replaces may have stood in the way. */
    private static boolean mayFreeLane(NewTask task, ScheduleOutcome outcome) {
        return task.lane().isPresent() && outcome instanceof ScheduleOutcome.Replaced;
    }

    private DatabaseClock clock() {
        return around.heartbeat().clock();
    }

    /** Gives a task up; too late if it is armed, running or over. */
    public ChangeOutcome cancel(long id) {
        return woken(changes.cancel(id)); // it may have stood in the way of its lane
    }

    /**
     * As {@link #cancel(long)}, in the caller's transaction.
     *
     * @throws IllegalStateException if the task is in a lane, and the connection is in auto-commit mode
     */
    public ChangeOutcome cancel(Connection connection, long id) throws SQLException {
        return wokenSoon(changes.cancel(database.on(connection), id));
    }

    /** Moves a task to another instant; too late if it is armed, running or over. */
    public ChangeOutcome reschedule(long id, Instant at) {
        NewTask.requireMoment(at);
        return woken(changes.reschedule(id, Optional.of(at)));
    }

    /**
     * As {@link #reschedule(long, Instant)}, in the caller's transaction.
     *
     * @throws IllegalStateException if the task is in a lane, and the connection is in auto-commit mode
     */
    public ChangeOutcome reschedule(Connection connection, long id, Instant at) throws SQLException {
        NewTask.requireMoment(at);
        return wokenSoon(changes.reschedule(database.on(connection), id, Optional.of(at)));
    }

    /** Moves a task to this moment. */
    public ChangeOutcome runNow(long id) {
        return woken(changes.reschedule(id, Optional.empty()));
    }

    /** Gives a DEAD task its turn again, with all its attempts. */
    public ChangeOutcome revive(long id) {
        return woken(changes.revive(id));
    }

    private ChangeOutcome woken(ChangeTable.Done done) {
        done.changed().ifPresent(type -> wake(type.type()));
        return done.outcome();
    }

    private ChangeOutcome wokenSoon(ChangeTable.Done done) {
        done.changed().ifPresent(type -> wakeSoon(type.type()));
        return done.outcome();
    }

    /** Something of this type was committed: have it looked at now, here and in the other processes. */
    public void wake(String type) {
        around.wakeups().wake(topic(type));
    }

    private void wakeSoon(String type) {
        around.wakeups().wakeSoon(topic(type));
    }

    private static String topic(String type) {
        return "task/" + type;
    }

    private static String shareTopic(String type) {
        return "share/" + type;
    }

    /** Cron schedules. */
    public Crons crons() {
        return crons;
    }

    /** Begins to handle tasks of this type in this process. For the facade, which also ends it. */
    public synchronized void handle(String type, TaskOptions options, TaskHandler handler) {
        TypeName name = types.define(type);
        if (handled.stream().anyMatch(one -> one.type().equals(name))) {
            throw new IllegalStateException(
                    "Tasks of type '" + type + "' are handled by this Turno already, and still are."
                            + " For more at once give the type more threads.");
        }
        Worker<Task> worker = worker(name, options, handler);
        Bell bell = around.wakeups().bell(shareTopic(type));
        ShareLoop share = share(name, options, handler, worker, bell);
        handled.add(new Handled(name, options, worker, share, bell));
        worker.start();
        share.start();
    }

    private Worker<Task> worker(TypeName type, TaskOptions options, TaskHandler handler) {
        LagMeter lag = lags.computeIfAbsent(type.type(), key -> new LagMeter());
        Worker.Handler<Task> measured = (task, turn) -> {
            if (turn.attempt() == 1) {
                lag.record(Duration.between(task.at(), clock().now()));
            }
            return handler.handle(task, turn);
        };
        return new Worker<>(
                "task " + type.type(),
                topic(type.type()),
                rows(type, options),
                Worker.Handler.of(measured, handler::isReady),
                options.work(),
                around);
    }

    private ShareLoop share(TypeName type, TaskOptions options, TaskHandler handler, Worker<Task> worker, Bell bell) {
        return new ShareLoop(
                type,
                types,
                new ShareTable(database, type, options.work().longestClaim()),
                options,
                handler,
                worker,
                new ShareLoop.Surroundings(
                        around.heartbeat(),
                        around.time(),
                        around.watcher(),
                        bell,
                        WINDOW,
                        planner::ring,
                        holder -> assigner.leave(type, holder)));
    }

    /** Ends handling tasks of this type: its share goes to the others, what runs may go on for {@code drain}. For the facade. */
    public synchronized void end(String type, Duration drain) {
        List<Handled> ending =
                handled.stream().filter(one -> one.type().type().equals(type)).toList();
        end(ending, drain);
    }

    /** All together have {@code drain}, not each. */
    private void end(List<Handled> ending, Duration drain) {
        long until = System.nanoTime() + drain.toNanos();
        stopTaking(ending);
        for (Handled one : ending) {
            around.wakeups().silence(shareTopic(one.type().type()), one.bell());
            one.worker().close(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
        }
        handled.removeAll(ending);
    }

    private static void stopTaking(List<Handled> ending) {
        ending.forEach(one -> one.worker().stopTaking());
        ending.forEach(one -> one.share().stop());
    }

    private TaskTable rows(TypeName type, TaskOptions options) {
        Wake wake = new Wake(() -> wake(type.type()), () -> wakeSoon(type.type()));
        return new TaskTable(database, type, options, changes.lanes(type), wake);
    }

    /** The claims of a type, for those who take and finish without a worker: tests, and workers outside of this process. */
    public ClaimableRows<Task> rows(String type, TaskOptions options) {
        return rows(types.define(type), options);
    }

    /** Says by hand that {@code holder} can run the type, so that it gets its share. */
    public void canRun(String type, HolderId holder) {
        types.canRun(types.define(type), holder);
    }

    /** Loads by hand up to {@code limit} tasks of the holder's share that are due within {@code ahead}, to be armed later. */
    public List<Taken<Task>> preload(String type, TaskOptions options, HolderId holder, Duration ahead, int limit) {
        ShareTable share = share(type, options);
        return share.load(holder, share.look(holder, ahead, limit));
    }

    /** Arms by hand what was preloaded; answers those that had not changed since. Run none of them early. */
    public List<Taken<Task>> arm(String type, TaskOptions options, HolderId holder, List<Taken<Task>> preloaded) {
        Set<Claim> armed = share(type, options)
                .arm(holder, preloaded.stream().map(Taken::claim).toList());
        return preloaded.stream().filter(one -> armed.contains(one.claim())).toList();
    }

    /** Loads and arms by hand. */
    public List<Taken<Task>> takeShare(String type, TaskOptions options, HolderId holder, Duration ahead, int limit) {
        return arm(type, options, holder, preload(type, options, holder, ahead, limit));
    }

    private ShareTable share(String type, TaskOptions options) {
        return new ShareTable(database, types.define(type), options.work().longestClaim());
    }

    /** Shares out now what is due within {@code window}, of all types; answers how many. The nodes do it by themselves. */
    public int preAssign(Duration window) {
        if (window.isNegative() || window.compareTo(LONGEST_WINDOW) > 0) {
            throw new IllegalArgumentException("The window is " + window + "; use zero to " + LONGEST_WINDOW + ".");
        }
        int count = 0;
        for (TypeName type : types.all()) {
            count += assigner.assign(type, window);
        }
        return count;
    }

    public Optional<StoredTask> find(long id) {
        return browse.find(id);
    }

    public Optional<StoredTask> find(String type, String key) {
        return types.find(type).flatMap(name -> browse.find(name, key));
    }

    /** Tasks in a state: those that wait in the order of their turns, the finished ones newest first. */
    public TaskPage list(String type, TaskState state, Optional<String> text, Optional<String> after, int limit) {
        if (limit < 1 || limit > LONGEST_PAGE) {
            throw new IllegalArgumentException("A page has 1 to " + LONGEST_PAGE + " items, not " + limit + ".");
        }
        Place from = BrowseTable.place(state, after);
        return types.find(type)
                .map(name -> browse.list(name, state, text, from, limit))
                .orElseGet(() -> new TaskPage(List.of(), Optional.empty()));
    }

    /** The types that were ever used in the namespace, by whomever. */
    public List<String> typeNames() {
        return types.all().stream().map(TypeName::type).toList();
    }

    /** How the types stand, also those that nobody handles. */
    public List<TaskFigures> figures() {
        return browse.figures(lags);
    }

    /** How one type stands; empty if nobody has ever used it. */
    public Optional<TaskFigures> figures(String type) {
        return browse.figures(type, lags);
    }

    public boolean isTroubled() {
        return planner.isTroubled()
                || handled.stream()
                        .anyMatch(
                                one -> one.worker().isTroubled() || one.share().isTroubled());
    }

    /**
     * Removes a batch of finished tasks that are older than they are to be kept, of the types that are handled here, and of cron runs that
     * were given up because nobody anywhere handles them all but the newest thousand of a type; true if there may be more.
     */
    public boolean prune() {
        boolean more = false;
        for (Handled one : handled) {
            more |= prune(one, TaskState.DONE);
            more |= prune(one, TaskState.CANCELLED);
        }
        // These come last, so that trouble with them does not stop what matters most.
        return more || crons.prune() || forgetLanes();
    }

    private boolean forgetLanes() {
        boolean more = false;
        for (Handled one : handled) {
            more |= new Lanes("task", one.type().id(), database)
                            .forget(database, one.options().keep().orElse(LANE_KEPT), PRUNED_AT_ONCE)
                    == PRUNED_AT_ONCE;
        }
        return more;
    }

    private boolean prune(Handled one, TaskState state) {
        return database.changeUnlocked(
                        "Old tasks of " + one.type() + " could not be removed; it is tried again.",
                        "task.prune",
                        call -> call.set("type", one.type().id())
                                .set("state", state.name())
                                .set("keep_us", one.options().keep().orElse(Duration.ZERO))
                                .set("limit", PRUNED_AT_ONCE))
                == PRUNED_AT_ONCE;
    }

    /** Takes and starts nothing more; what runs goes on. */
    public void stopTaking() {
        stopTaking(handled);
    }

    /** Gives its share and what has not begun to the others, waits for what runs. Types may be handled anew after that. */
    public synchronized void drain(Duration atMost) {
        end(List.copyOf(handled), atMost);
    }

    /** Ends in order: gives its share and what has not begun to the others, waits for what runs. */
    public void close(Duration drain) {
        stopTaking();
        planner.close();
        drain(drain);
    }
}
