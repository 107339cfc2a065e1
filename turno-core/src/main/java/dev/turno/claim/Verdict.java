package dev.turno.claim;

import java.time.Duration;

/** What shall become of a claimed row: a handler's {@link Result} after the policy for attempts and backoff was applied. */
public sealed interface Verdict {

    Claim claim();

    /** How long until its turn comes again, if it does. */
    default Duration in() {
        return Duration.ZERO;
    }

    /** What went wrong; empty if nothing did. */
    default String error() {
        return "";
    }

    /** Finished for good. */
    record Done(Claim claim) implements Verdict {}

    /** Its turn comes again after {@code in}. */
    record Again(Claim claim, Duration in, String error) implements Verdict {}

    /** Parked for a person. */
    record Dead(Claim claim, String error) implements Verdict {}

    /**
     * The handler finished it in a transaction of its own. If that transaction rolled back the row is still claimed, and
     * its turn comes again after {@code in}.
     *
     * @param last its attempts are used up: the row stays claimed, to be parked with the error
     */
    record Settle(Claim claim, Duration in, String error, boolean last) implements Verdict {

        public Settle(Claim claim, Duration in, String error) {
            this(claim, in, error, false);
        }
    }
}
