package dev.turno.run;

import dev.turno.worker.Backoff;
import java.time.Duration;

/**
 * What happens when an item fails: it is tried again {@code retries} times, and if it still fails, {@code then}. While it
 * waits for the next try no transaction is open, and a stop is obeyed.
 *
 * @param limit the most items of one run that are skipped or parked; one more fails the run
 */
public record ItemPolicy(int retries, Backoff backoff, Then then, long limit) {

    /** What becomes of an item that failed for good. */
    public enum Then {
        /** The run is DEAD; resumed, it begins with the page of this item. */
        FAIL,
        /** The item is passed over and counted. */
        SKIP,
        /** The item is written to the run's list of parked items, with its key and the error, and can be revived. */
        PARK
    }

    private static final Backoff QUICK = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10));

    public ItemPolicy {
        if (retries < 0 || retries > 100 || limit < 0) {
            throw new IllegalArgumentException("An item is tried again 0 to 100 times, and the limit is not negative: "
                    + retries + " and " + limit + ".");
        }
    }

    public static ItemPolicy fail() {
        return new ItemPolicy(0, QUICK, Then.FAIL, 0);
    }

    public static ItemPolicy skipUpTo(long limit) {
        return new ItemPolicy(0, QUICK, Then.SKIP, limit);
    }

    public static ItemPolicy parkUpTo(long limit) {
        return new ItemPolicy(0, QUICK, Then.PARK, limit);
    }

    public ItemPolicy retrying(int times, Backoff wished) {
        return new ItemPolicy(times, wished, then, limit);
    }

    public ItemPolicy retrying(int times) {
        return retrying(times, backoff);
    }

    boolean forgives() {
        return then != Then.FAIL || retries > 0;
    }
}
