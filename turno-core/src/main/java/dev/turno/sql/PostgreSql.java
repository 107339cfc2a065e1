package dev.turno.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

final class PostgreSql implements Dialect {

    private static final String WAITS_FOR_STANDBY = "SyncRepWaitForLSN";
    private static final String RESOLUTION_UNKNOWN = "08007";
    private static final Set<String> FOREIGN_SESSION = Set.of("26000", "42P05");

    @Override
    public String folder() {
        return "postgresql";
    }

    @Override
    public String clock() {
        // clock_timestamp() cannot be an index condition, and now() stands still inside a transaction.
        return "statement_timestamp()";
    }

    @Override
    public String movedClock() {
        return "(timestamptz 'epoch' + cast(:now_us as bigint) * interval '1 microsecond')";
    }

    @Override
    public boolean takesInOneStatement() {
        return true;
    }

    @Override
    public Object array(Connection connection, List<? extends @Nullable Object> values, Columns.Type type)
            throws SQLException {
        // The driver sends arrays of these classes in binary; those of mere objects as text, which both sides spell out
        // and parse.
        return type == Columns.Type.TEXT
                ? connection.createArrayOf("text", values.toArray(new String[0]))
                : connection.createArrayOf("int8", values.toArray(new Long[0]));
    }

    @Override
    public Instant instant(Object columnValue) {
        return ((OffsetDateTime) columnValue).toInstant();
    }

    @Override
    public Class<?> timestampClass() {
        return OffsetDateTime.class;
    }

    @Override
    public void begin(Connection connection, Duration idleLimit) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // One round trip for all; "local" leaves nothing behind for the next user of a pooled connection. Without a
            // limit a statement whose answer nobody awaits any more would go on, and keep its rows from everybody.
            statement.execute("set transaction isolation level read committed; "
                    + "set local idle_in_transaction_session_timeout = " + idleLimit.toMillis()
                    + "; set local statement_timeout = " + idleLimit.toMillis());
        }
    }

    @Override
    public void commit(Connection connection) throws SQLException {
        connection.clearWarnings();
        connection.commit();
        requireConfirmed(connection.getWarnings());
    }

    @Override
    public void requireSafe(Statement executed) throws SQLException {
        requireConfirmed(executed.getWarnings());
    }

    /**
     * Who cancels what waits for a synchronous standby ends only the wait: the server reports success, with a warning, for what a
     * promotion would lose. Told by the routine that warns: its words may be in any language.
     */
    private static void requireConfirmed(@Nullable SQLWarning first) throws SQLException {
        for (SQLWarning each = first; each != null; each = each.getNextWarning()) {
            if (ServerWarning.routineOf(each).equals(WAITS_FOR_STANDBY)) {
                throw new SQLException(
                        "The commit is stored on the primary, but its standby has not confirmed it: a promotion would lose it.",
                        RESOLUTION_UNKNOWN,
                        each);
            }
        }
    }

    @Override
    public void end(Connection connection) {}

    @Override
    public boolean isLocked(SQLException e) {
        return "55P03".equals(e.getSQLState());
    }

    @Override
    public boolean isForbidden(SQLException e) {
        return "42501".equals(e.getSQLState());
    }

    @Override
    public String advice(SQLException e) {
        return FOREIGN_SESSION.contains(String.valueOf(e.getSQLState()))
                ? " Prepared statements belong to a session, and a pooler such as PgBouncer lends another one to each"
                        + " transaction: add prepareThreshold=0 to the JDBC URL, or let the pooler look after them"
                        + " (max_prepared_statements)."
                : "";
    }
}
