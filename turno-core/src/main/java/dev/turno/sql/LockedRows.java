package dev.turno.sql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Waits for rows that are locked, in line with those who lock them. Never for long, since somebody may keep a transaction open:
 * after one wait in vain it is closed for a while, so that a stuck row costs the others little. Shared by threads.
 */
public final class LockedRows {

    private static final long REST = Duration.ofSeconds(2).toNanos();

    private final Database database;
    private final String statement;
    private volatile long openAt;

    /**
     * @param statement locks the row with the id {@code :row}, and fails if that takes too long
     */
    public LockedRows(Database database, String statement) {
        this.database = database;
        this.statement = statement;
        this.openAt = database.time().nanos();
        database.statements().require(statement);
    }

    public boolean isOpen() {
        return database.time().nanos() - openAt >= 0;
    }

    /** What {@code work} answers under the row's lock; empty if somebody kept it locked. */
    public <T> Optional<T> await(String ifItFails, long row, Database.Work<T> work) {
        Optional<T> done = database.transaction(
                ifItFails, session -> lock(session, row) ? Optional.of(work.on(session)) : Optional.empty());
        if (done.isEmpty()) {
            openAt = database.time().nanos() + REST;
        }
        return done;
    }

    private boolean lock(Session session, long row) throws SQLException {
        try {
            session.sql(statement).set("row", row).list(found -> found.longValue("id"));
            return true;
        } catch (SQLException e) {
            if (database.dialect().isLocked(e)) {
                session.connection().rollback(); // what failed cannot be committed
                return false;
            }
            throw e;
        }
    }
}
