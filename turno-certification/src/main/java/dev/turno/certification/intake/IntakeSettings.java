package dev.turno.certification.intake;

import dev.turno.lock.LockTerms;
import java.time.Duration;

/**
 * How the intake works.
 *
 * @param terms of the worker's lock: lease, how long a busy one is waited for, service and user
 * @param process whose calendar is followed, for example P00020
 * @param keep how long answers are kept
 */
public record IntakeSettings(LockTerms terms, String process, Duration keep) {

    public IntakeSettings {
        if (keep.toDays() < 1 || keep.toDays() > 3_650) {
            throw new IllegalArgumentException("Answers are kept for " + keep + "; use 1 to 3650 days.");
        }
    }

    /** The operation that identities and locks are for. */
    String operation() {
        return terms.service();
    }
}
