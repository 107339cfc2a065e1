package dev.turno.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class MariaDb implements Dialect {

    private static final int DUPLICATE = 1062;
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int DEADLOCK = 1213;
    private static final int RECORD_CHANGED = 1020;
    private static final int NO_SAVEPOINT = 1305;
    private static final int STATEMENT_TIMEOUT = 1969; // max_statement_time
    private static final List<Integer> FORBIDDEN = List.of(1044, 1142, 1227);

    @Override
    public String folder() {
        return "mariadb";
    }

    @Override
    public String clock() {
        // now(6) follows the session's time zone.
        return "utc_timestamp(6)";
    }

    @Override
    public String movedClock() {
        return "(timestamp'1970-01-01 00:00:00.000000' + interval :now_us microsecond)";
    }

    @Override
    public boolean takesInOneStatement() {
        return false;
    }

    @Override
    public boolean updatesReturn() {
        return false;
    }

    /** MariaDB has no arrays: they travel as JSON text, and {@code json_table} unfolds them. */
    @Override
    public Object array(Connection connection, List<? extends @Nullable Object> values, Columns.Type type) {
        return Json.array(values);
    }

    @Override
    public Instant instant(Object columnValue) {
        return ((LocalDateTime) columnValue).toInstant(ZoneOffset.UTC);
    }

    @Override
    public Class<?> timestampClass() {
        return LocalDateTime.class;
    }

    @Override
    public void begin(Connection connection, Duration idleLimit) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // The default, REPEATABLE READ, locks gaps: a take would then block a put.
            statement.execute("set transaction isolation level read committed");
            statement.execute("set session idle_transaction_timeout = " + Math.max(1, idleLimit.toSeconds()));
        }
    }

    @Override
    public void end(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("set session idle_transaction_timeout = default");
        }
    }

    /**
     * The handlers of a compound statement do not run if it is killed between two instructions. As text, since a driver sends nothing
     * for a rollback if it thinks that nothing is open.
     */
    @Override
    public void undo(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("rollback");
        }
    }

    @Override
    public void undoTo(String savepoint, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("rollback to savepoint " + savepoint);
            statement.execute("release savepoint " + savepoint);
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SAVEPOINT) { // else nothing was begun, or it was undone already
                throw e;
            }
        }
    }

    @Override
    public boolean isDuplicate(SQLException e) {
        return e.getErrorCode() == DUPLICATE;
    }

    @Override
    public boolean isWorthRepeating(SQLException e) {
        int code = e.getErrorCode();
        return code == DEADLOCK || code == LOCK_WAIT_TIMEOUT || code == RECORD_CHANGED;
    }

    @Override
    public boolean locksGaps() {
        return true; // in REPEATABLE READ, the default of the caller's transactions
    }

    @Override
    public boolean isLocked(SQLException e) {
        return e.getErrorCode() == LOCK_WAIT_TIMEOUT || e.getErrorCode() == STATEMENT_TIMEOUT;
    }

    @Override
    public boolean isForbidden(SQLException e) {
        return FORBIDDEN.contains(e.getErrorCode());
    }
}
