package dev.turno.harvester.patience;

import dev.turno.run.RetryLaterException;
import dev.turno.run.RunTurn;
import dev.turno.worker.Backoff;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Parks runs that fail for a reason outside of them, with growing pauses, and ends them when that goes on for too long. Counts in
 * memory: a process that starts anew has new patience. Shared by threads.
 */
public final class Patience {

    private static final int USUAL_FAILURES = 10;

    private final int maxFailures;
    private final Backoff backoff;
    private final Map<Long, Integer> failures = new ConcurrentHashMap<>(); // by run, in a row

    /** @param maxFailures so many in a row end a run */
    public Patience(int maxFailures, Backoff backoff) {
        this.maxFailures = maxFailures;
        this.backoff = backoff;
    }

    /** Some eight minutes. */
    public static Patience usual() {
        return new Patience(USUAL_FAILURES, Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5)));
    }

    /** The run has come further: what failed before is forgotten. */
    public void succeeded(RunTurn run) {
        failures.remove(run.id());
    }

    /** What a run throws that has failed: it parks the run, or is what {@code atLast} makes of the reason and ends it. */
    public RuntimeException failed(RunTurn run, String why, Function<String, RuntimeException> atLast) {
        int now = failures.merge(run.id(), 1, Integer::sum);
        if (now < maxFailures) {
            return new RetryLaterException(backoff.after(now), why);
        }
        failures.remove(run.id());
        return atLast.apply(why + " That was failure " + now + " in a row.");
    }
}
