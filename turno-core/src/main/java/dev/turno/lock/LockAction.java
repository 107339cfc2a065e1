package dev.turno.lock;

import org.jspecify.annotations.Nullable;

/** What runs under a lock. It is interrupted when the lock is lost. */
@FunctionalInterface
public interface LockAction<L, T extends @Nullable Object, E extends Exception> {

    T run(L lease) throws E;
}
