package dev.turno.watch;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts events, under the names that the meters have where a meter counts the same. Runs that ended are counted by state, as {@code
 * turno.runs.done} and so on, where the meter is {@code turno.runs.ended} with a tag; {@code turno.runs.dead} is thus not the gauge of
 * that name, which tells how many are dead now. {@code turno.task.assignment.us} is the sum, in microseconds, of what the timer {@code
 * turno.task.assignment} measures. Shared by threads; starts at zero with the process.
 */
public final class Counters implements Watcher {

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    public Counters() {}

    /** How often {@code name} happened, for example {@code turno.claims.lost}; 0 if never. */
    public long count(String name) {
        LongAdder adder = counts.get(name);
        return adder == null ? 0 : adder.sum();
    }

    public Map<String, Long> all() {
        Map<String, Long> all = new TreeMap<>();
        counts.forEach((name, adder) -> all.put(name, adder.sum()));
        return all;
    }

    @Override
    public void on(WorkEvent event) {
        if (event instanceof WorkEvent.Taken taken) {
            add("turno.taken", taken.count());
        } else if (event instanceof WorkEvent.Finished finished) {
            add("turno.done", finished.done());
            add("turno.again", finished.again());
            add("turno.dead", finished.dead());
            add("turno.claims.unknown", finished.unknown());
        } else if (event instanceof WorkEvent.Failed) {
            add("turno.failed", 1);
        } else if (event instanceof WorkEvent.Lost) {
            add("turno.claims.lost", 1);
        } else if (event instanceof WorkEvent.Overran) {
            add("turno.overran", 1);
        } else if (event instanceof WorkEvent.GivenBack given) {
            add("turno.given.back", given.count());
        } else if (event instanceof WorkEvent.Reaped) {
            add("turno.holders.reaped", 1);
        } else if (event instanceof WorkEvent.Freed freed) {
            add("turno.freed", freed.count());
        } else if (event instanceof WorkEvent.Assigned assigned) {
            add("turno.task.assigned", assigned.count());
            add("turno.task.assignment.us", assigned.took().toNanos() / 1_000);
        } else if (event instanceof WorkEvent.Armed armed) {
            add("turno.task.armed", armed.count());
            add("turno.task.armed.refused", armed.refused());
        } else if (event instanceof WorkEvent.Planned planned) {
            add("turno.cron.planned", planned.count());
        } else if (event instanceof WorkEvent.DeclaredDead) {
            add("turno.holder.declared.dead", 1);
        } else if (event instanceof WorkEvent.LockTaken) {
            add("turno.locks.taken", 1);
        } else if (event instanceof WorkEvent.LockBusy) {
            add("turno.locks.busy", 1);
        } else if (event instanceof WorkEvent.LockUnavailable) {
            add("turno.locks.unavailable", 1);
        } else if (event instanceof WorkEvent.LockLost) {
            add("turno.locks.lost", 1);
        } else if (event instanceof WorkEvent.LockForced) {
            add("turno.locks.forced", 1);
        } else if (event instanceof WorkEvent.RunStarted) {
            add("turno.runs.started", 1);
        } else if (event instanceof WorkEvent.RunEnded ended) {
            add("turno.runs." + ended.state().toLowerCase(Locale.ROOT), 1);
        } else if (event instanceof WorkEvent.RunParked) {
            add("turno.runs.parked", 1);
        } else if (event instanceof WorkEvent.ScheduleRefused) {
            add("turno.schedules.refused", 1);
        } else if (event instanceof WorkEvent.Trouble) {
            add("turno.trouble", 1);
        }
    }

    private void add(String name, long n) {
        counts.computeIfAbsent(name, key -> new LongAdder()).add(n);
    }
}
