package dev.turno.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Connections to an H2 in a file of this process, on which nobody writes while one of them commits: H2 stores its tables and indexes one
 * after the other, and of whoever writes meanwhile a half is stored, which stays after {@code kill -9}. Readers are in nobody's way.
 *
 * <p>Who waits for a row does not wait inside of H2, where it would keep that row's owner from committing, but tries again and again for as
 * long as H2 would wait. A connection belongs to one thread at a time.
 */
public final class WholeCommits {

    /** So that whoever has one can be found behind a pool. */
    interface Guarded {

        /** While nobody else writes or commits. */
        boolean alone(BooleanSupplier work);
    }

    /** One for each file in this process, however many pools lead to it: it is the file's, not theirs. */
    private static final Map<String, ReentrantReadWriteLock> OF_FILES = new ConcurrentHashMap<>();

    private static final int LOCK_TIMEOUT = 50200;
    private static final long SHORTEST_REST = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long LONGEST_REST = TimeUnit.MICROSECONDS.toNanos(2_500);

    private final Connection connection;
    private final ReentrantReadWriteLock lock;
    private final long patience;
    private final Connection guarded;
    private boolean hasWritten;

    private WholeCommits(Connection connection, ReentrantReadWriteLock lock, long patience) {
        this.connection = connection;
        this.lock = lock;
        this.patience = patience;
        this.guarded = (Connection) proxy(this::onConnection, Connection.class, Guarded.class);
    }

    /** The connection itself where there is nothing to guard. */
    public static Connection guard(Connection connection) throws SQLException {
        if (!H2.isInFileHere(connection.getMetaData().getURL())) {
            return connection;
        }
        try {
            return guardInFile(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private static Connection guardInFile(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            String file;
            long patience;
            try (ResultSet row = statement.executeQuery("select database_path(), lock_timeout()")) {
                row.next();
                file = row.getString(1);
                patience = TimeUnit.MILLISECONDS.toNanos(row.getLong(2));
            }
            statement.execute("set lock_timeout 1"); // a millisecond; H2 takes 0 to be its default of two seconds
            ReentrantReadWriteLock lock = OF_FILES.computeIfAbsent(file, any -> new ReentrantReadWriteLock());
            return new WholeCommits(connection, lock, patience).guarded;
        }
    }

    /** While nobody writes or commits, if the connection is guarded. */
    static boolean alone(Connection connection, BooleanSupplier work) throws SQLException {
        return isGuarded(connection) ? connection.unwrap(Guarded.class).alone(work) : work.getAsBoolean();
    }

    static boolean isGuarded(Connection connection) throws SQLException {
        return connection.isWrapperFor(Guarded.class);
    }

    private @Nullable Object onConnection(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws Exception {
        Object first = arguments == null || arguments.length == 0 ? null : arguments[0];
        return switch (method.getName()) {
            case "alone" -> under(lock.writeLock(), ((BooleanSupplier) Objects.requireNonNull(first))::getAsBoolean);
            case "isWrapperFor" -> first == Guarded.class || connection.isWrapperFor((Class<?>) first);
            case "unwrap" -> first == Guarded.class ? self : on(connection, method, arguments);
            case "equals" -> first == self;
            // For H2 the latter are statements like those that change tables.
            case "commit", "setSchema", "setReadOnly", "setTransactionIsolation" -> commit(method, arguments);
            case "setAutoCommit" ->
                Boolean.TRUE.equals(first) ? commit(method, arguments) : on(connection, method, arguments);
            case "rollback", "close", "abort" -> under(lock.readLock(), () -> on(connection, method, arguments));
            case "createStatement" -> guarded(on(connection, method, arguments), H2Sql.ANYTHING);
            case "prepareStatement", "prepareCall" ->
                guarded(on(connection, method, arguments), H2Sql.of(String.valueOf(first)));
            default -> on(connection, method, arguments);
        };
    }

    private @Nullable Object commit(Method method, @Nullable Object @Nullable [] arguments) throws Exception {
        if (!hasWritten) {
            return on(connection, method, arguments);
        }
        Object nothing = under(lock.writeLock(), () -> on(connection, method, arguments));
        hasWritten = false;
        return nothing;
    }

    private Object guarded(@Nullable Object statement, H2Sql sql) {
        Class<?> type = statement instanceof CallableStatement
                ? CallableStatement.class
                : statement instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
        return proxy((self, method, arguments) -> onStatement(self, statement, sql, method, arguments), type);
    }

    private @Nullable Object onStatement(
            Object self,
            @Nullable Object statement,
            H2Sql prepared,
            Method method,
            @Nullable Object @Nullable [] arguments)
            throws Exception {
        Object first = arguments == null || arguments.length == 0 ? null : arguments[0];
        String name = method.getName();
        if (name.equals("getConnection")) {
            return guarded;
        }
        if (name.equals("equals")) {
            return first == self;
        }
        H2Sql sql = first instanceof String text ? H2Sql.of(text) : prepared;
        if (!name.startsWith("execute") || sql.onlyReads()) {
            return on(statement, method, arguments);
        }
        Callable<@Nullable Object> work = () -> on(statement, method, arguments);
        // A batch is not there any more when a part of it has failed, and by itself H2 commits the rest of it.
        return name.endsWith("Batch")
                ? write(sql.commits() || connection.getAutoCommit(), false, work)
                : write(sql.commits(), !sql.neverWaits(), work);
    }

    private @Nullable Object write(boolean endsTransaction, boolean mayWait, Callable<@Nullable Object> statement)
            throws Exception {
        if (endsTransaction) {
            hasWritten = false;
            return patiently(lock.writeLock(), mayWait, statement);
        }
        if (connection.getAutoCommit()) {
            return writeAndCommit(mayWait, statement);
        }
        hasWritten = true;
        return patiently(lock.readLock(), mayWait, statement);
    }

    /** In two steps, because only the second one has to be alone. */
    private @Nullable Object writeAndCommit(boolean mayWait, Callable<@Nullable Object> statement) throws Exception {
        connection.setAutoCommit(false);
        try {
            Object answer = patiently(lock.readLock(), mayWait, statement);
            under(lock.writeLock(), () -> {
                connection.commit();
                return true;
            });
            return answer;
        } catch (Exception | Error e) {
            rollBack(e);
            throw e;
        } finally {
            if (!connection.isClosed()) {
                connection.setAutoCommit(true);
            }
        }
    }

    private void rollBack(Throwable because) throws Exception {
        under(lock.readLock(), () -> {
            try {
                connection.rollback();
            } catch (SQLException e) {
                because.addSuppressed(e);
            }
            return true;
        });
    }

    private @Nullable Object patiently(Lock mine, boolean mayWait, Callable<@Nullable Object> statement)
            throws Exception {
        long begun = System.nanoTime();
        while (true) {
            try {
                return under(mine, statement);
            } catch (SQLException e) {
                if (e.getErrorCode() != LOCK_TIMEOUT || !mayWait || System.nanoTime() - begun > patience) {
                    throw e;
                }
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(SHORTEST_REST, LONGEST_REST));
        }
    }

    /** Code that H2 calls in the middle of a statement may have a connection of its own, and must not wait for itself. */
    private <T extends @Nullable Object> T under(Lock mine, Callable<T> work) throws Exception {
        if (lock.getReadHoldCount() > 0) {
            return work.call();
        }
        mine.lock();
        try {
            return work.call();
        } finally {
            mine.unlock();
        }
    }

    private static Object proxy(InvocationHandler handler, Class<?>... types) {
        return Proxy.newProxyInstance(WholeCommits.class.getClassLoader(), types, handler);
    }

    private static @Nullable Object on(@Nullable Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Exception {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (Exception) Objects.requireNonNull(e.getCause());
        }
    }
}
