/**
 * How many times a second a lock is taken and given back: Turno, the two statements alone, ShedLock, and Spring Integration's
 * JdbcLockRegistry. Start at {@link dev.turno.benchmarks.locks.LockRates}.
 */
@NullMarked
package dev.turno.benchmarks.locks;

import org.jspecify.annotations.NullMarked;
