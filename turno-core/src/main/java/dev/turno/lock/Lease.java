package dev.turno.lock;

import dev.turno.claim.ClaimLostException;
import dev.turno.claim.Finish;
import dev.turno.lock.LockTable.Hold;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A lock in the hands of this process until it is closed or lost. Shared by threads. */
public final class Lease implements AutoCloseable {

    private final Keeper keeper;
    private final Hold hold;
    private final Duration lease;

    private volatile long deadline;
    private volatile long renewAt;
    private volatile boolean lost;
    private volatile boolean closed;
    private volatile boolean guarded;
    private volatile boolean leaving; // given back in a transaction whose end is not known here
    private @Nullable Thread action; // guarded by this
    private boolean interrupted; // guarded by this

    /** @param deadline until when it may be believed in, by this process's clock */
    Lease(Keeper keeper, Hold hold, Duration lease, long asked, long deadline) {
        this.keeper = keeper;
        this.hold = hold;
        this.lease = lease;
        this.deadline = deadline;
        this.renewAt = asked + lease.toNanos() / 3;
    }

    public String name() {
        return hold.name();
    }

    /** Higher than that of every earlier holder of this lock, for good: a system that remembers it can refuse a late writer. */
    public long fence() {
        return hold.fence();
    }

    /** How long it is still held without a renewal, by this process's clock, which is a little earlier than the database's. */
    public Duration remaining() {
        return isClosed() || isLost() ? Duration.ZERO : Duration.ofNanos(Math.max(0, deadline - keeper.nanos()));
    }

    /**
     * True when the lock went to somebody else, or its lease passed without a renewal. It stays true, even if nobody took the
     * lock meanwhile.
     */
    public boolean isLost() {
        if (!lost && !closed && keeper.nanos() - deadline >= 0) {
            lose("its lease of " + lease + " passed without being renewed");
        }
        return lost;
    }

    /**
     * Makes the caller's transaction fail if the lock was lost, and keeps anyone from taking it until that transaction has ended.
     * Call it shortly before the commit: while it stands, the lease cannot be renewed.
     *
     * @throws ClaimLostException if the lock was lost: roll back
     */
    public void guard(Connection connection) throws SQLException {
        requireTransaction(connection);
        guarded = true;
        requireStanding(!isLost() && keeper.table().guard(connection, hold));
    }

    /**
     * Gives the lock back in the caller's transaction: others may take it from the commit on, and the transaction fails if the
     * lock was lost. It is the last use of this lease, which is not renewed any more: commit, and close it or return. If the
     * transaction was rolled back instead, that is found out within a second after the closing, and the lock is given back then.
     *
     * @throws ClaimLostException if the lock was lost: roll back
     */
    public void releaseIn(Connection connection) throws SQLException {
        requireTransaction(connection);
        guarded = true;
        leaving = true;
        keeper.renewNoMore(this);
        requireStanding(!isLost() && keeper.table().releaseIn(connection, hold));
    }

    private void requireTransaction(Connection connection) throws SQLException {
        requireOpen();
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "Lock '" + name() + "' cannot guard a connection in auto-commit mode, where there is no transaction"
                            + " to fail. Call setAutoCommit(false) first. Nothing was changed.");
        }
    }

    private void requireStanding(boolean standing) {
        if (!standing) {
            lose("its row was no longer under its fence when a transaction was to be guarded");
        }
        if (!standing || lost) {
            throw new ClaimLostException(this + " was lost: " + keeper.whoHas(this)
                    + " has it now. Roll this transaction" + " back; whoever has the lock does the work.");
        }
    }

    /**
     * Prolongs it by its lease, from now on, by hand. {@code Lost}: it was no longer ours; {@code Open}: a transaction guards it, and
     * nothing was changed.
     */
    public Finish renew() {
        requireOpen();
        return keeper.renew(this);
    }

    /**
     * Gives the lock back. {@code Kept}: anyone may take it now; {@code Lost}: it was no longer ours; {@code Open}: a transaction
     * still guards it, it is given back when that has ended.
     *
     * @throws IllegalStateException if it was given back before
     * @throws dev.turno.claim.DatabaseAwayException if it could not be given back now: it is tried again until the lease has passed
     */
    public Finish release() {
        if (!closeOnce()) {
            throw alreadyReleased();
        }
        return keeper.release(this);
    }

    /** As {@link #release}, but never fails and may be called again: what goes wrong is told to the watcher. */
    @Override
    public void close() {
        if (closeOnce()) {
            boolean unused = keeper.giveBack(this);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw alreadyReleased();
        }
    }

    private IllegalStateException alreadyReleased() {
        return new IllegalStateException(
                this + " was released already; this lease can do nothing more. Take the lock again.");
    }

    synchronized boolean closeOnce() {
        boolean first = !closed;
        if (first) {
            boolean unused = isLost(); // what passed before the release counts
            closed = true;
        }
        return first;
    }

    Hold hold() {
        return hold;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isGuarded() {
        return guarded;
    }

    boolean isLeaving() {
        return leaving;
    }

    long renewAt() {
        return renewAt;
    }

    long deadline() {
        return deadline;
    }

    /** The renewal was asked for at {@code asked} and granted. */
    void renewed(long asked) {
        deadline = asked + lease.toNanos();
        renewAt = asked + lease.toNanos() / 3;
    }

    /** It could not be renewed this time, because a transaction guards it; look again soon. */
    void postponed(long asked) {
        renewAt = asked + Math.max(lease.toNanos() / 30, Keeper.SOON);
    }

    /** The action begins on the calling thread; false if the lock is lost by now. */
    synchronized boolean begin() {
        if (isLost()) {
            return false;
        }
        action = Thread.currentThread();
        return true;
    }

    /** The action has ended; an interrupt that was meant for it reaches nothing after it. */
    synchronized void end() {
        action = null;
        if (interrupted) {
            interrupted = false;
            Thread.interrupted();
        }
    }

    void lose(String because) {
        if (loseOnce()) {
            keeper.lost(this, because);
        }
    }

    /** The release found that it was no longer ours. */
    void foundLost(String because) {
        lost = true;
        keeper.lost(this, because);
    }

    private synchronized boolean loseOnce() {
        if (lost || closed) {
            return false;
        }
        lost = true;
        if (action != null && keeper.interrupts()) {
            interrupted = true;
            action.interrupt();
        }
        return true;
    }

    @Override
    public String toString() {
        return "Lock '" + name() + "' (fence " + fence() + ")";
    }
}
