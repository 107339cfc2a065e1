package dev.turno.lock;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What became of an action that was to run under a lock. */
public sealed interface LockOutcome<T extends @Nullable Object> {

    /** It ran, and the lock was held all the time. */
    record Ran<T extends @Nullable Object>(T value) implements LockOutcome<T> {}

    /** Somebody has the lock; the action was not run. A moment in the past: a transaction of that holder's still guards it. */
    record Busy<T extends @Nullable Object>(String holder, Instant until) implements LockOutcome<T> {}

    /**
     * The lock was lost before the action ended: somebody else may have run at the same time.
     *
     * @param value what the action returned; empty if it threw, returned null, or was not begun
     * @param newHolder who has the lock now, or {@code nobody}
     * @param failure what the action threw, perhaps because it was interrupted
     */
    record Lost<T extends @Nullable Object>(Optional<T> value, String newHolder, Optional<Exception> failure)
            implements LockOutcome<T> {}

    /** The database could not be asked; the action was not run. */
    record Unavailable<T extends @Nullable Object>(String why) implements LockOutcome<T> {}

    /** Java 17 cannot switch over types; this makes every caller answer every case. */
    default <R extends @Nullable Object> R fold(
            Function<Ran<T>, R> ran,
            Function<Busy<T>, R> busy,
            Function<Lost<T>, R> lost,
            Function<Unavailable<T>, R> unavailable) {
        if (this instanceof Ran<T> it) {
            return ran.apply(it);
        } else if (this instanceof Busy<T> it) {
            return busy.apply(it);
        } else if (this instanceof Lost<T> it) {
            return lost.apply(it);
        }
        return unavailable.apply((Unavailable<T>) this);
    }
}
