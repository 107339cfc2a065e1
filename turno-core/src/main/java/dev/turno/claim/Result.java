package dev.turno.claim;

import java.time.Duration;
import java.util.Optional;

/** What a handler says about its item. Throwing is the same as {@link #retry(String)} with the exception's text. */
public sealed interface Result {

    Duration LONGEST_RETRY = Duration.ofDays(36_500);

    /** The work is done. */
    record Done() implements Result {}

    /** Try again: after {@code in} if given, else after the configured backoff, until the attempts are used up. */
    record Retry(Optional<Duration> in, String because) implements Result {
        public Retry {
            in.filter(wait -> wait.isNegative() || wait.compareTo(LONGEST_RETRY) > 0)
                    .ifPresent(wait -> {
                        throw new IllegalArgumentException("A retry lies zero to 100 years ahead, not " + wait + ".");
                    });
        }
    }

    /** Hopeless: park it as DEAD at once, for a person to look at. */
    record Reject(String because) implements Result {}

    static Result done() {
        return new Done();
    }

    static Result retry(String because) {
        return new Retry(Optional.empty(), because);
    }

    static Result retryIn(Duration in, String because) {
        return new Retry(Optional.of(in), because);
    }

    static Result reject(String because) {
        return new Reject(because);
    }
}
