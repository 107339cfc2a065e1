package dev.turno.claim;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Rows that can be claimed. The features implement this over their tables, and one loop drives them all. May be shared by
 * threads. Every method is a short transaction of its own and throws {@link DatabaseAwayException} if it could not be
 * carried out; all but {@link #take} may then simply be repeated.
 */
public interface ClaimableRows<R> {

    /** Takes up to {@code limit} rows whose turn has come; nothing if {@code holder} was declared dead. */
    List<Taken<R>> take(HolderId holder, int limit);

    /** Writes the verdicts whose fence is still good; answers in the order given. */
    List<Finish> finish(HolderId holder, List<? extends Verdict> verdicts);

    /** Finishes one row as done inside the caller's transaction. */
    Finish finishIn(Connection connection, HolderId holder, Claim claim) throws SQLException;

    /**
     * Finishes one row as done and commits the caller's transaction with it, or rolls it back if the row is not kept. Empty if
     * that is not possible at once for this row; then nothing was done.
     */
    default Optional<Finish> commit(Connection connection, HolderId holder, Taken<R> taken) throws SQLException {
        return Optional.empty();
    }

    /**
     * Prolongs claims whose verdict cannot be written yet because somebody holds what the row stands in ({@link Finish.Open}): each lasts
     * the maximum run time from now, if nobody took it over. Passes over rows that are locked themselves; does nothing where it is
     * always the row that is, and where a verdict is never kept waiting. Answers how many were prolonged.
     */
    default int renew(HolderId holder, Collection<Claim> claims) {
        return 0;
    }

    /** Returns rows that were taken but not run, so that anyone may take them now. The attempt is returned too. */
    int giveBack(HolderId holder, Collection<Claim> claims);

    /**
     * Returns all rows of {@code holder} that are not among {@code known}: the answer of a take was lost on the way, so
     * nobody works on them.
     */
    int giveBackUnknown(HolderId holder, Collection<Claim> known);

    /** How long until the next row's turn comes, measured by the database; empty if nothing waits for a moment. */
    Optional<Duration> untilNextTurn();
}
