/**
 * Named locks for all instances of an application, with a lease and a fence.
 *
 * <p><b>What for:</b> a piece of code that only one process may run at a time. <b>Start at</b> {@link dev.turno.lock.Locks}:
 * {@code whileHolding} runs an action under a lock and answers {@link dev.turno.lock.LockOutcome}; {@code tryTake} gives a
 * {@link dev.turno.lock.Lease} to whoever wants to hold it for longer than one call.
 *
 * <p><b>Promises:</b> at most one lease of a name is valid at a time. A lock whose lease has passed is taken at once by whoever
 * asks, with or without the clean-up. The fence of a name grows at every taking and never goes back, not by a release, a clean-up
 * or a restart. Renewal keeps a lease while its action runs; when that fails, the action's thread is interrupted, {@code isLost}
 * is true from then on, and the outcome is Lost. "Somebody has it" (Busy) and "nobody could be asked" (Unavailable) are different
 * answers. What is written in a transaction that called {@link dev.turno.lock.Lease#guard} commits only while the lock is held.
 *
 * <p><b>Does not</b> prevent that a process which stood still for longer than its lease goes on for a moment beside the next
 * holder: nobody can. What it writes to the same database is stopped by {@code guard}; what it does elsewhere must carry the
 * fence. Not reentrant: a second taking of the same name by the same process is Busy. Locks are not freed when a process is
 * declared dead: they carry their own lease.
 */
@NullMarked
package dev.turno.lock;

import org.jspecify.annotations.NullMarked;
