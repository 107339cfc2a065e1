package dev.turno.run;

import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import dev.turno.worker.Backoff;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tells the runs under way in this process that somebody wishes them to stop: one question for all of them, twice a second, so that
 * also an item that takes long can learn it. Shared by threads; has a thread of its own, which ends when no run is under way: the
 * thread that takes may be gone by then, and a page must not need a second connection while it has one.
 */
final class StopLooks {

    private static final String WHO = "stops of runs";
    private static final Duration EVERY = Duration.ofMillis(500);
    private static final Backoff TROUBLE = Backoff.exponential(EVERY, Duration.ofSeconds(5));

    private final Function<Collection<Long>, Set<Long>> wished;
    private final Watcher watcher;
    private final Map<Long, RunTurn> underWay = new ConcurrentHashMap<>();
    private @Nullable Thread looker; // guarded by this
    private int failures; // of the looker alone, one after the other

    /** @param wished those of some runs that somebody wishes to stop */
    StopLooks(Function<Collection<Long>, Set<Long>> wished, Watcher watcher) {
        this.wished = wished;
        this.watcher = watcher;
    }

    /** Looks at once: the wish may be older than this taking. */
    synchronized void begins(RunTurn turn) {
        underWay.put(turn.id(), turn);
        if (looker != null && looker.isAlive()) {
            LockSupport.unpark(looker);
        } else {
            Thread begun = new Thread(this::loop, "turno-stops");
            begun.setDaemon(true);
            begun.start();
            looker = begun;
        }
    }

    void ends(RunTurn turn) {
        underWay.remove(turn.id(), turn);
    }

    /** Of a run that may be under way here: it need not be looked up. */
    void wish(long run) {
        Optional.ofNullable(underWay.get(run)).ifPresent(RunTurn::wishStop);
    }

    private void loop() {
        while (isNeeded()) {
            LockSupport.parkNanos(look().toNanos());
        }
    }

    private synchronized boolean isNeeded() {
        if (underWay.isEmpty()) {
            looker = null;
        }
        return looker != null;
    }

    /** Answers how long to wait for the next look. */
    private Duration look() {
        try {
            // Those that were under way before the question: a wish that was obeyed meanwhile is none for the run
            // resumed.
            Map<Long, RunTurn> asked = Map.copyOf(underWay);
            if (!asked.isEmpty()) {
                wished.apply(asked.keySet()).forEach(run -> tell(asked.get(run)));
            }
            recovered();
            return EVERY;
        } catch (Throwable e) {
            return survived(e);
        }
    }

    private static void tell(@Nullable RunTurn turn) {
        if (turn != null) {
            turn.wishStop();
        }
    }

    private Duration survived(Throwable e) {
        Duration wait = TROUBLE.after(++failures);
        watcher.on(new WorkEvent.Trouble(WHO, e, wait));
        return wait;
    }

    private void recovered() {
        if (failures > 0) {
            failures = 0;
            watcher.on(new WorkEvent.Recovered(WHO));
        }
    }
}
