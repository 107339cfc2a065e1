package dev.turno.lock;

import java.time.Instant;
import java.util.function.Function;

/** What became of an attempt to take a lock, or several. {@code L} is {@link Lease} or {@link Leases}. */
public sealed interface TakeOutcome<L> {

    /** It is the caller's now, who has to close it. */
    record Taken<L>(L lease) implements TakeOutcome<L> {}

    /** Somebody has it. A moment in the past: a transaction of that holder's still guards it. */
    record Busy<L>(String holder, Instant until) implements TakeOutcome<L> {}

    /** The database could not be asked. */
    record Unavailable<L>(String why) implements TakeOutcome<L> {}

    /** Java 17 cannot switch over types; this makes every caller answer every case. */
    default <R> R fold(
            Function<Taken<L>, R> taken, Function<Busy<L>, R> busy, Function<Unavailable<L>, R> unavailable) {
        if (this instanceof Taken<L> it) {
            return taken.apply(it);
        } else if (this instanceof Busy<L> it) {
            return busy.apply(it);
        }
        return unavailable.apply((Unavailable<L>) this);
    }

    /** The lease, for those who cannot go on without it. */
    default L orElseThrow() {
        if (this instanceof Taken<L> it) {
            return it.lease();
        }
        throw new IllegalStateException("The lock was not taken: " + this + ". Nothing is held; try again later.");
    }
}
