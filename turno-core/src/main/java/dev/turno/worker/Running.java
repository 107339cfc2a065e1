package dev.turno.worker;

import dev.turno.claim.Claim;
import dev.turno.claim.ClaimLostException;
import dev.turno.claim.ClaimableRows;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.holder.Heartbeat;
import dev.turno.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One claim in the hands of this process, from the take until its verdict is written. Shared by threads. */
final class Running<R> implements LongTurn {

    private static final String ROLLED_BACK = " This transaction was rolled back;";

    final Taken<R> taken;
    final HolderId holder;
    private final ClaimableRows<R> rows;
    private final Heartbeat heartbeat;
    private final Time time;
    private final long startBy;
    private final Duration maxRun;
    private final boolean interrupts;

    private @Nullable Thread thread; // guarded by this
    private boolean begun; // guarded by this
    private long begunAt; // guarded by this
    private Duration spent = Duration.ZERO; // guarded by this
    private volatile long deadline;
    private volatile boolean progressed;
    private volatile boolean lost;
    private volatile boolean finishedInTransaction;
    private volatile boolean committed;

    Running(
            Taken<R> taken,
            HolderId holder,
            ClaimableRows<R> rows,
            Heartbeat heartbeat,
            Time time,
            long takenAt,
            Duration maxRun,
            boolean interrupts) {
        this.taken = taken;
        this.holder = holder;
        this.rows = rows;
        this.heartbeat = heartbeat;
        this.time = time;
        this.startBy = takenAt + WorkerSettings.PATIENCE.toNanos();
        this.maxRun = maxRun;
        this.interrupts = interrupts;
        this.deadline = startBy + maxRun.toNanos();
    }

    Claim claim() {
        return taken.claim();
    }

    @Override
    public String key() {
        return taken.key();
    }

    @Override
    public long fence() {
        return taken.claim().fence();
    }

    @Override
    public int attempt() {
        return progressed ? 1 : taken.attempt();
    }

    /** Nothing was stored on the way in so many attempts. */
    boolean hasUsedUp(int attempts) {
        return !progressed && taken.attempt() >= attempts;
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadline - time.nanos()));
    }

    @Override
    public void renewedFrom(long before) {
        deadline = before + maxRun.toNanos();
    }

    @Override
    public void progressed() {
        progressed = true;
    }

    @Override
    public boolean isLost() {
        return lost;
    }

    @Override
    public boolean isInDoubt() {
        return lost || !heartbeat.mayTake();
    }

    @Override
    public void finishIn(Connection connection) throws SQLException {
        requireTransaction(connection);
        requireKept(rows.finishIn(connection, holder, claim()), " Roll this transaction back;");
        finishedInTransaction = true;
    }

    @Override
    public void commit(Connection connection) throws SQLException {
        requireTransaction(connection);
        finishedInTransaction = true; // perhaps: an answer that does not come is no answer, and is looked up later
        try {
            Optional<Finish> finish = rows.commit(connection, holder, taken);
            if (finish.isPresent()) {
                requireKept(finish.get(), ROLLED_BACK);
                committed = true;
            } else {
                requireKept(rows.finishIn(connection, holder, claim()), ROLLED_BACK);
                connection.commit();
            }
        } catch (SQLException | RuntimeException e) {
            rollBack(connection, e);
            throw e;
        }
    }

    /** What the handler wrote must not wait in its connection for the next commit. */
    private static void rollBack(Connection connection, Exception because) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    private void requireTransaction(Connection connection) throws SQLException {
        if (finishedInTransaction) {
            throw new IllegalStateException(
                    key() + " was finished in a transaction already, or its commit failed. Finish it once; if that"
                            + " failed, throw, and its turn comes again.");
        }
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    key() + " cannot be finished on a connection in auto-commit mode, where there is"
                            + " no transaction to join. Call setAutoCommit(false) first. Nothing was changed.");
        }
    }

    private void requireKept(Finish finish, String whatToDo) {
        if (!(finish instanceof Finish.Kept)) {
            // Also when it cannot be told who ended it: this transaction has not, and its effects must not be
            // committed.
            lost = true;
            String because = finish instanceof Finish.Lost gone ? gone.because() : "Somebody else has ended it.";
            throw new ClaimLostException(key() + " lost its claim with fence " + fence() + ": " + because + whatToDo
                    + " whoever has or had the item does the work.");
        }
    }

    boolean isFinishedInTransaction() {
        return finishedInTransaction;
    }

    /** Finished, and known to be: nothing has to be written or looked up. */
    boolean isCommitted() {
        return committed;
    }

    boolean isOverdue() {
        return deadline - time.nanos() <= 0;
    }

    /** Half of a maximum run is left of its claim, or less. */
    boolean isToBeRenewed() {
        return remaining().compareTo(maxRun.dividedBy(2)) <= 0;
    }

    /** It waited for a thread for too long to be started now. */
    boolean isStale() {
        return startBy - time.nanos() < 0;
    }

    /** The handler begins on the calling thread; false if the claim is lost by now, or has waited for too long. */
    synchronized boolean begin() {
        if (lost || isStale()) {
            return false;
        }
        begunAt = time.nanos();
        deadline = begunAt + maxRun.toNanos();
        thread = Thread.currentThread();
        begun = true;
        return true;
    }

    /** The handler has returned; an interrupt meant for it does not reach the next one. */
    synchronized void end() {
        thread = null;
        spent = Duration.ofNanos(time.nanos() - begunAt);
        Thread.interrupted();
    }

    /** How long its handler ran. */
    synchronized Duration spent() {
        return spent;
    }

    /** Tells the handler that it lost its item; true the first time. */
    synchronized boolean lose() {
        if (lost) {
            return false;
        }
        lost = true;
        interrupt();
        return true;
    }

    /** Keeps it from ever starting; false if it has begun. */
    synchronized boolean withdraw() {
        if (begun) {
            return false;
        }
        lost = true;
        return true;
    }

    /** If the database survives it; else the handler has to ask whether it is lost. */
    synchronized void interrupt() {
        if (thread != null && interrupts) {
            thread.interrupt();
        }
    }

    synchronized boolean isUnderWay() {
        return thread != null;
    }
}
