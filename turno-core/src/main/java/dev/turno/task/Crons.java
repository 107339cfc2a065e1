package dev.turno.task;

import dev.turno.time.Time;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Cron schedules of the namespace: each run becomes a task, once in the whole cluster, ahead of its instant. Shared by threads.
 */
public final class Crons {

    public static final int MOST_RUNS_SHOWN = 1_000;
    private static final int SCHEDULES_AT_ONCE = 1_000;
    private static final long MISSED_EVERY = Duration.ofMinutes(1).toNanos();

    private final CronTable table;
    private final Watcher watcher;
    private final Consumer<TypeName> wake;
    private final Runnable planSoon;
    private final Time time;
    private Optional<Long> lookedForMissedAt = Optional.empty(); // guarded by this

    Crons(CronTable table, Time time, Watcher watcher, Consumer<TypeName> wake, Runnable planSoon) {
        this.table = table;
        this.time = time;
        this.watcher = watcher;
        this.wake = wake;
        this.planSoon = planSoon;
    }

    /**
     * Defines a schedule, or changes the one of this name: runs that were planned and have not begun are withdrawn then. Every
     * node may define the same one at its start. False if it stands there exactly like this.
     */
    public boolean define(NewSchedule schedule) {
        boolean changed = table.define(schedule);
        planSoon.run();
        return changed;
    }

    /** Defines a schedule unless one of this name stands there already: for those who may add, but not change. */
    public AddOutcome add(NewSchedule schedule) {
        AddOutcome outcome = table.add(schedule);
        planSoon.run();
        return outcome;
    }

    public List<StoredSchedule> list() {
        return table.list();
    }

    /** The next runs, to be shown with {@link CronRun#words}; none while it is paused; empty if there is no such schedule. */
    public Optional<List<CronRun>> nextRuns(String name, int count) {
        if (count < 1 || count > MOST_RUNS_SHOWN) {
            throw new IllegalArgumentException("Show 1 to " + MOST_RUNS_SHOWN + " runs, not " + count + ".");
        }
        return table.nextRuns(name, count);
    }

    /** No more runs until {@link #resume}; those planned that have not begun are withdrawn. False if there is no such one. */
    public boolean pause(String name) {
        return table.pause(name);
    }

    /** Goes on from now: what fell into the pause is not made up for. False if there is no such schedule. */
    public boolean resume(String name) {
        boolean resumed = table.resume(name);
        planSoon.run();
        return resumed;
    }

    /** Forgets the schedule; runs planned that have not begun are withdrawn. False if there is no such schedule. */
    public boolean remove(String name) {
        return table.remove(name);
    }

    /** A run beside the plan, now; the id of its task, empty if there is no such schedule. */
    public Optional<Long> runNow(String name) {
        Optional<CronTable.Asked> asked = table.runNow(name);
        asked.ifPresent(run -> wake.accept(run.type()));
        return asked.map(CronTable.Asked::task);
    }

    /**
     * Makes runs that are due within {@code ahead} into tasks; answers how many. Gives up what was planned, has not begun, and is missed
     * by now. The nodes do it by themselves.
     */
    public int plan(Duration ahead) {
        withdrawMissed();
        int count = 0;
        for (int i = 0; i < SCHEDULES_AT_ONCE; i++) {
            Optional<CronTable.Planned> planned = table.planOne(ahead);
            if (planned.isEmpty()) {
                break;
            }
            CronTable.Planned one = planned.get();
            if (one.count() > 0 || one.skipped()) {
                watcher.on(new WorkEvent.Planned(one.schedule(), one.count(), one.skipped()));
                wake.accept(one.type());
            }
            count += one.count();
        }
        return count;
    }

    /** Removes a batch of runs that were given up of types that nobody handles, all but the newest; true if there may be more. */
    boolean prune() {
        return table.removeSurplus();
    }

    private synchronized void withdrawMissed() {
        long now = time.nanos();
        if (lookedForMissedAt.isEmpty() || now - lookedForMissedAt.get() >= MISSED_EVERY) {
            table.withdrawMissed().forEach(name -> watcher.on(new WorkEvent.Planned(name, 0, true)));
            lookedForMissedAt = Optional.of(now);
        }
    }
}
