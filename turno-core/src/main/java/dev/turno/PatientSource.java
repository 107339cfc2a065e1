package dev.turno;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * New connections for a pool, tried for ten times a second while the server is away. A pool such as Hikari rests after each try that failed,
 * in the end for five seconds, and nothing goes on meanwhile although the server may be back; so a try does not fail that soon. Only the
 * first one does: the pool can say why there is no connection, and a start without a server fails at once.
 *
 * <p>Give it to the pool as its data source, each pool one of its own. Threads may share it.
 */
public final class PatientSource implements DataSource {

    /** The tenth try that fails brings Hikari's rest to five seconds: so it does, but not before three quarters of an hour. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final long REST_MS = 100;

    /** The server is there, and has its reasons, such as too many connections. */
    private static final String REJECTED = "08004";

    private final DataSource source;
    private volatile boolean isAway;

    /** @param source without a pool: the driver's */
    public PatientSource(DataSource source) {
        this.source = source instanceof PatientSource other ? other.source : source;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return patiently(source::getConnection);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return patiently(() -> source.getConnection(user, password));
    }

    private Connection patiently(Way way) throws SQLException {
        long begun = System.nanoTime();
        while (true) {
            try {
                Connection connection = way.connect();
                isAway = false;
                return connection;
            } catch (SQLException e) {
                boolean wasAway = isAway;
                isAway = isAway(e);
                boolean again = wasAway && isAway && System.nanoTime() - begun < PATIENCE.toNanos();
                if (!again || !rest()) {
                    throw e;
                }
            }
        }
    }

    private static boolean isAway(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        boolean isUnreachable = e instanceof SQLNonTransientConnectionException || state.startsWith("08");
        boolean isStarting = state.startsWith("57P"); // or shutting down, says PostgreSQL
        return (isUnreachable || isStarting) && !state.equals(REJECTED);
    }

    /** Answers false if somebody wants this thread to end: the pool is being closed. */
    private static boolean rest() {
        try {
            Thread.sleep(REST_MS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @FunctionalInterface
    private interface Way {
        Connection connect() throws SQLException;
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return source.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(source) ? type.cast(source) : source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(source) || source.isWrapperFor(type);
    }

    @Override
    public String toString() {
        return "patient " + source;
    }
}
