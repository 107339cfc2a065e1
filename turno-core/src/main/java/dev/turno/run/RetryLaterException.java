package dev.turno.run;

import java.time.Duration;

/**
 * Thrown by a source or a step that has to wait for something outside, such as a server that answered with Retry-After. The
 * page is rolled back and the run PARKED: it keeps its lanes, holds no slot and costs no attempt.
 */
public final class RetryLaterException extends RuntimeException {

    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final Duration in;

    public RetryLaterException(Duration in, String because) {
        super(because);
        if (in.isNegative() || in.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("A run is parked for zero to 100 years, not " + in + ".");
        }
        this.in = in;
    }

    public Duration in() {
        return in;
    }
}
