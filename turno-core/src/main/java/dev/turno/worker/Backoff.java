package dev.turno.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait after a failure: {@code first}, then {@code factor} times longer each time, up to {@code most}, each
 * shortened at random by up to the share {@code jitter}, so that what failed together does not come back together.
 */
public record Backoff(Duration first, double factor, Duration most, double jitter) {

    private static final Duration LONGEST = Duration.ofDays(366);

    public Backoff {
        if (first.isNegative() || most.compareTo(first) < 0 || most.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("A backoff starts at zero or more, ends no lower and at a year at most: "
                    + first + " to " + most + ".");
        }
        if (!(factor >= 1 && factor <= 100) || !(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException("A backoff has a factor from 1 to 100 and a jitter from 0 to 1, not "
                    + factor + " and " + jitter + ".");
        }
    }

    public static Backoff exponential(Duration first, Duration most) {
        return new Backoff(first, 2, most, 0.25);
    }

    /** The wait after failure number {@code failures}, counted from 1. */
    public Duration after(int failures) {
        double longest = (double) first.toNanos() * Math.pow(factor, Math.max(0, failures - 1));
        double capped = Math.min(longest, (double) most.toNanos());
        return Duration.ofNanos(
                (long) (capped * (1 - jitter * ThreadLocalRandom.current().nextDouble())));
    }
}
