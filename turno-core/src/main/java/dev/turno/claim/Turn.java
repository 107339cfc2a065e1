package dev.turno.claim;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** What a handler knows about its claim while it runs. May be read from any thread. */
public interface Turn {

    /** The same at every retry of this item and never used for another: an idempotency key for outside systems. */
    String key();

    /** Grows at every taking. An outside system that remembers the highest fence can refuse a late writer. */
    long fence();

    /** 1 at the first try. */
    int attempt();

    /** Time left before the claim lapses and this handler is interrupted; never negative. */
    Duration remaining();

    /**
     * True once the claim must be taken for lost: it passed its maximum run time, or this process was declared dead. The
     * thread was interrupted too. What the handler returns is refused if somebody took the item over by then.
     */
    boolean isLost();

    /** True while the database cannot be reached for longer than the lease: the claim may be lost by now. */
    boolean isInDoubt();

    /**
     * Finishes the item inside the handler's own transaction, so that its effects and the finish happen together or not at
     * all. Call it once, last, then commit and return done.
     *
     * @throws ClaimLostException if the claim was lost: roll back
     */
    void finishIn(Connection connection) throws SQLException;

    /**
     * Finishes the item and commits the handler's own transaction: {@link #finishIn} and {@code connection.commit()}, in one
     * round trip where the database can. Call it last, then return done.
     *
     * @throws ClaimLostException if the claim was lost: nothing was committed, the transaction was rolled back
     * @throws SQLException if it failed, or no answer came: whether it was committed is looked up; if not, it was rolled
     *     back and the item's turn comes again
     */
    void commit(Connection connection) throws SQLException;
}
