package dev.turno.sql;

import dev.turno.claim.DatabaseAwayException;
import dev.turno.claim.DatabaseRefusedException;
import dev.turno.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The door to the database: short units of work on connections of the user's pool. Shared by threads. */
public final class Database {

    /** The user's work on one connection. */
    @FunctionalInterface
    public interface UserWork<T> {
        T on(Session session) throws Exception;
    }

    /** Work on one connection. */
    @FunctionalInterface
    public interface Work<T> {
        T on(Session session) throws SQLException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    private static final int TRIES = 5;
    private static final List<String> FEATURES =
            List.of("holder", "lane", "inbox", "lock", "buffer", "task", "run", "action");

    private final DataSource source;
    private final Dialect dialect;
    private final Statements statements;
    private final Time time;
    private final Duration limit;

    private Database(DataSource source, Dialect dialect, Statements statements, Time time, Duration limit) {
        this.source = source;
        this.dialect = dialect;
        this.statements = statements;
        this.time = time;
        this.limit = limit;
    }

    /**
     * @param limit how long one answer may take, and how long a transaction may idle: below the lease, so that a partition
     *     or a frozen process cannot hide rows for longer
     */
    public static Database open(DataSource source, Time time, Duration limit) {
        try (Connection connection = source.getConnection()) {
            Dialect dialect = Dialect.of(connection);
            String clock = time.now().isPresent() ? dialect.movedClock() : dialect.clock();
            Statements statements = Statements.load(dialect.folder(), FEATURES, clock);
            return new Database(source, dialect, statements, time, limit);
        } catch (SQLException e) {
            throw new DatabaseAwayException(
                    "Turno could not reach the database at start-up: " + e.getMessage()
                            + ". Check the URL, the account and that the server runs, then start again.",
                    e);
        }
    }

    public Dialect dialect() {
        return dialect;
    }

    public Statements statements() {
        return statements;
    }

    public Time time() {
        return time;
    }

    /** True if the database can wake other processes and its driver lets us hear them. */
    public boolean canNotify() {
        if (!(dialect instanceof PostgreSql)) {
            return false;
        }
        try (Connection connection = source.getConnection()) {
            return connection.isWrapperFor(PGConnection.class);
        } catch (SQLException | NoClassDefFoundError e) {
            return false;
        }
    }

    /** Makes room that the database does not make by itself; true if there may be more to do. */
    public boolean tidy() {
        return once(
                "Nothing is lost, and the file of the database is larger than it need be.",
                session -> dialect.tidy(session.connection()));
    }

    /** How moments travel to the database. */
    public static long micros(Instant instant) {
        return Call.micros(instant);
    }

    /** How durations travel to the database. */
    public static long micros(Duration duration) {
        return Call.micros(duration);
    }

    /** What the database's clock shows: the one by which all turns are given. */
    public Instant now(String ifItFails) {
        return once(
                ifItFails,
                session -> session.sql("holder.now")
                        .first(row -> row.instant("now_at"))
                        .orElseThrow());
    }

    /** The caller's connection: its transaction, its commit. */
    public Session on(Connection connection) {
        return new Session(connection, this);
    }

    /**
     * One statement, committed by itself.
     *
     * @param ifItFails the sentence that tells the reader in what state things are then, and what to do
     */
    public <T> T once(String ifItFails, Work<T> work) {
        return repeating(ifItFails, () -> {
            try (Connection connection = source.getConnection()) {
                return limited(connection, () -> autoCommitted(connection, work));
            }
        });
    }

    /** Several statements in one short transaction. No user code may run inside. */
    public <T> T transaction(String ifItFails, Work<T> work) {
        return repeating(ifItFails, () -> {
            try (Connection connection = source.getConnection()) {
                return limited(connection, () -> inTransaction(connection, work));
            }
        });
    }

    /**
     * A transaction in which the user's code runs: never repeated by itself, and ended by the server if it stands idle for
     * longer than {@code idle}. What the user's code throws comes out as it is.
     */
    public <T> T userTransaction(Duration idle, UserWork<T> work) throws Exception {
        try (Connection connection = source.getConnection()) {
            int before = networkTimeout(connection);
            setNetworkTimeout(connection, (int) Math.min(Integer.MAX_VALUE, idle.toMillis()));
            try {
                return inUserTransaction(connection, idle, work);
            } finally {
                setNetworkTimeout(connection, before);
            }
        }
    }

    private <T> T inUserTransaction(Connection connection, Duration idle, UserWork<T> work) throws Exception {
        boolean auto = connection.getAutoCommit();
        connection.setAutoCommit(false);
        boolean usable = true;
        try {
            dialect.begin(connection, idle);
            T value = work.on(on(connection));
            commit(connection);
            return value;
        } catch (Throwable e) {
            usable = rollBack(connection);
            throw e;
        } finally {
            if (usable && !connection.isClosed()) {
                connection.setAutoCommit(auto);
            }
        }
    }

    /** A commit without an answer is nobody's fault but the database's: the user's work must not be done again for it. */
    private void commit(Connection connection) {
        try {
            dialect.commit(connection);
            dialect.end(connection);
        } catch (SQLException e) {
            throw new DatabaseAwayException(
                    "A transaction may or may not have been committed; look at what is stored before going on. The database"
                            + " said: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Changes rows that nobody else has locked right now: in one statement where the dialect can, else by finding them
     * ({@code name-find}) and marking them ({@code name-mark}) in one transaction. Answers how many.
     */
    public int changeUnlocked(String ifItFails, String name, UnaryOperator<Call> values) {
        if (dialect.takesInOneStatement()) {
            return once(ifItFails, session -> session.changeUnlocked(name, values));
        }
        return transaction(ifItFails, session -> session.changeUnlocked(name, values));
    }

    private <T> T autoCommitted(Connection connection, Work<T> work) throws SQLException {
        boolean auto = connection.getAutoCommit();
        if (!auto) {
            connection.setAutoCommit(true);
        }
        boolean usable = true;
        try {
            return work.on(on(connection));
        } catch (Throwable e) {
            usable = undone(connection, () -> dialect.undo(connection));
            throw e;
        } finally {
            if (usable && !auto && !connection.isClosed()) {
                connection.setAutoCommit(false);
            }
        }
    }

    private <T> T inTransaction(Connection connection, Work<T> work) throws SQLException {
        boolean auto = connection.getAutoCommit();
        connection.setAutoCommit(false);
        boolean usable = true;
        try {
            dialect.begin(connection, limit);
            T value = work.on(on(connection));
            dialect.commit(connection);
            dialect.end(connection);
            return value;
        } catch (Throwable e) {
            usable = rollBack(connection);
            throw e;
        } finally {
            if (usable && !connection.isClosed()) { // else this would hide why it is
                connection.setAutoCommit(auto);
            }
        }
    }

    private boolean rollBack(Connection connection) {
        return undone(connection, () -> {
            connection.rollback();
            dialect.end(connection);
        });
    }

    /**
     * After a failure in the caller's transaction, which may go on: nothing stays of what a statement did after the savepoint that it made
     * itself.
     */
    public void undoTo(String savepoint, Connection connection) {
        undone(connection, () -> dialect.undoTo(savepoint, connection));
    }

    /** False if that failed: then the connection is ended, since what it holds must not be committed by whoever uses it next. */
    private static boolean undone(Connection connection, Undo undo) {
        try {
            undo.run();
            return true;
        } catch (SQLException e) {
            LOG.debug("The connection is ended, and its transaction with it: {}", e.toString());
            abort(connection);
            return false;
        }
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debug("The connection is gone already: {}", e.toString());
        }
    }

    @FunctionalInterface
    private interface Undo {
        void run() throws SQLException;
    }

    /** Without a limit a silent partition would hang the thread for good: drivers wait for ever by default. */
    private <T> T limited(Connection connection, Attempt<T> attempt) throws SQLException {
        int before = networkTimeout(connection);
        setNetworkTimeout(connection, (int) limit.toMillis());
        try {
            return attempt.run();
        } finally {
            setNetworkTimeout(connection, before);
        }
    }

    private static int networkTimeout(Connection connection) throws SQLException {
        try {
            return connection.getNetworkTimeout();
        } catch (SQLFeatureNotSupportedException e) {
            return 0;
        }
    }

    private static void setNetworkTimeout(Connection connection, int millis) {
        try {
            if (!connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, millis);
            }
        } catch (SQLException e) {
            LOG.debug("This driver takes no network timeout: {}", e.toString());
        }
    }

    @FunctionalInterface
    private interface Attempt<T> {
        T run() throws SQLException;
    }

    private <T> T repeating(String ifItFails, Attempt<T> attempt) {
        for (int tries = 1; ; tries++) {
            try {
                return attempt.run();
            } catch (SQLException e) {
                if (isRefused(e) && !dialect.isWorthRepeating(e)) {
                    throw new DatabaseRefusedException(
                            "The database refused what was asked, and would refuse it again; nothing was changed. It said: "
                                    + e.getMessage() + dialect.advice(e),
                            e);
                }
                if (tries == TRIES || !dialect.isWorthRepeating(e)) {
                    throw new DatabaseAwayException(
                            ifItFails + " The database said: " + e.getMessage() + dialect.advice(e), e);
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000, 10_000_000L * tries));
            }
        }
    }

    /**
     * Data that does not fit, a broken rule, a missing table or right: by the classes of the SQL standard. What a pool says that has no
     * connection is none of these, although it may bear the state of whatever it heard last.
     */
    private static boolean isRefused(SQLException e) {
        String state = e.getSQLState();
        return state != null
                && !(e instanceof SQLTransientConnectionException)
                && (state.startsWith("22") || state.startsWith("23") || state.startsWith("42"));
    }
}
