package dev.turno.sql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Waits for rows that are locked, in line with those who lock them. Never for long, since somebody may keep a transaction open: a row that
 * was waited for in vain is left alone for a while, the longer the more of them there are, so that all together cost the others little.
 * And after a wait in vain nobody waits for a moment, so that a batch with many such rows waits for one of them. Shared by threads.
 */
public final class LockedRows {

    private static final long MOMENT = Duration.ofMillis(50).toNanos();
    private static final long REST = Duration.ofSeconds(2).toNanos();
    private static final int LONGEST_REST = 30; // times as long
    private static final int MOST = 1_000; // more are not remembered

    private final Database database;
    private final String statement;
    private final Map<Long, Long> restsUntil = new ConcurrentHashMap<>();
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

    /** Whether it is time to wait for this row. */
    public boolean isOpen(long row) {
        long now = database.time().nanos();
        Long until = restsUntil.get(row);
        return now - openAt >= 0 && (until == null || now - until >= 0);
    }

    /** What {@code work} answers under the row's lock; empty if somebody kept locked the row, or what the work needs beside it. */
    public <T> Optional<T> await(String ifItFails, long row, Database.Work<T> work) {
        Optional<T> done = database.transaction(ifItFails, session -> underLock(session, row, work));
        if (done.isEmpty()) {
            rest(row);
        }
        return done;
    }

    private void rest(long row) {
        long now = database.time().nanos();
        openAt = now + MOMENT;
        restsUntil.values().removeIf(until -> now - until >= 0);
        int others = restsUntil.size();
        if (others < MOST) {
            restsUntil.put(row, now + REST * Math.min(LONGEST_REST, others + 1));
        }
    }

    /** The statement's limit may hold until the end of the transaction. */
    private <T> Optional<T> underLock(Session session, long row, Database.Work<T> work) throws SQLException {
        try {
            session.sql(statement).set("row", row).list(found -> found.longValue("id"));
            return Optional.of(work.on(session));
        } catch (SQLException e) {
            if (database.dialect().isLocked(e)) {
                session.connection().rollback(); // what failed cannot be committed
                return Optional.empty();
            }
            throw e;
        }
    }
}
