package dev.turno.buffer;

import dev.turno.sql.Database;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Waits for rows of keys that are locked, in line with those who add to them. Never for long, since somebody may keep a transaction
 * open: after one wait in vain it is closed for a while, so that a stuck key costs the others little. Shared by threads.
 */
final class LockedKeys {

    private static final long REST = Duration.ofSeconds(2).toNanos();

    private final Database database;
    private volatile long openAt;

    LockedKeys(Database database) {
        this.database = database;
        this.openAt = database.time().nanos();
        database.statements().require("buffer.lock-wait");
    }

    boolean isOpen() {
        return database.time().nanos() - openAt >= 0;
    }

    /** What {@code work} answers under the row's lock; empty if somebody kept it locked. */
    <T> Optional<T> await(String ifItFails, long row, Database.Work<T> work) {
        Optional<T> done = database.transaction(
                ifItFails, session -> lock(session, row) ? Optional.of(work.on(session)) : Optional.empty());
        if (done.isEmpty()) {
            openAt = database.time().nanos() + REST;
        }
        return done;
    }

    private boolean lock(Session session, long row) throws SQLException {
        try {
            session.sql("buffer.lock-wait").set("row", row).list(found -> found.longValue("id"));
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
