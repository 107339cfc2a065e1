package dev.turno.simulation;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One node's way to the database, on which it can be stopped, cut off or killed after every statement and before and after every commit. */
final class Way implements DataSource {

    /** What happens to a node on its way. */
    interface Weather {

        /** Between two statements; in a transaction its locks stand meanwhile. May throw. */
        void between(Link link) throws SQLException;

        /** True if the connection breaks here. */
        boolean breaks();

        /** A statement has been carried out. */
        void done(String sql, List<Object> values, int changed);

        /** A transaction has been committed, in which rows were changed or not. */
        void committed(boolean changed);

        /** A row is locked; returns when it is worth trying again, false if this one is to give way. */
        boolean blocked();
    }

    private static final int LOCK_TIMEOUT = 50200;
    private static final int CONCURRENT_UPDATE = 90131;
    private static final int DEADLOCK = 40001;

    /** Some do not wait for long. */
    private static final String A_MOMENT = " wait 0.25";

    private final Stage stage;
    private final Broken broken;
    private final Weather weather;
    private final List<Link> open = new ArrayList<>();
    private boolean dead;

    Way(Stage stage, Broken broken, Weather weather) {
        this.stage = stage;
        this.broken = broken;
        this.weather = weather;
    }

    /** The process is gone, and what it had not committed with it. */
    void cut() throws SQLException {
        dead = true;
        for (Link link : List.copyOf(open)) {
            link.lose();
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        Link link = new Link(stage.borrow());
        open.add(link);
        try {
            weather.between(link);
            if (dead || weather.breaks()) {
                throw new SQLException("The database could not be reached.", "08001");
            }
        } catch (SQLException | Error e) {
            link.lose();
            throw e;
        }
        return proxy(Connection.class, link);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(Way.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
            throws SQLException {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException refused) {
                throw refused;
            }
            throw new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A connection as the node sees it. */
    final class Link implements InvocationHandler {

        private final Stage.Raw raw;
        private boolean lost;
        private boolean changed;
        private boolean undone;

        private Link(Stage.Raw raw) {
            this.raw = raw;
        }

        boolean isInTransaction() throws SQLException {
            return !lost && !raw.connection().getAutoCommit();
        }

        /** The server has noticed that nobody is there any more. */
        void lose() throws SQLException {
            if (!lost) {
                lost = true;
                open.remove(this);
                boolean locked = !raw.connection().getAutoCommit();
                if (locked) {
                    raw.connection().rollback();
                    raw.connection().setAutoCommit(true);
                    weather.committed(false);
                }
                stage.giveBack(raw);
            }
        }

        private void requireThere() throws SQLException {
            if (lost) {
                throw new SQLException("The connection is broken.", "08003");
            }
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws SQLException {
            if (method.getName().equals("isClosed")) {
                return lost;
            }
            if (method.getName().equals("close")) {
                lose();
                return null;
            }
            if (method.getName().endsWith("NetworkTimeout")) {
                return method.getName().startsWith("get") ? 0 : null;
            }
            requireThere();
            if (method.getName().equals("prepareStatement") && arguments != null) {
                return proxy(PreparedStatement.class, asked((String) arguments[0]));
            }
            if (method.getName().equals("commit")) {
                commit();
                return null;
            }
            if (method.getName().equals("rollback") && arguments == null) {
                raw.connection().rollback();
                changed = false;
                undone = false;
                weather.committed(false);
                return null;
            }
            return call(raw.connection(), method, arguments);
        }

        private Asked asked(String text) throws SQLException {
            boolean waits = !text.contains(A_MOMENT);
            String sql = broken.change(text.replace(A_MOMENT, ""));
            return new Asked(this, sql, raw.prepare(sql), waits);
        }

        private void commit() throws SQLException {
            breakMaybe();
            raw.connection().commit();
            undone = false;
            answered();
        }

        /** What was done is done; the answer may be lost on its way. */
        private void answered() throws SQLException {
            weather.committed(changed);
            changed = false;
            breakMaybe();
        }

        private void breakMaybe() throws SQLException {
            if (weather.breaks()) {
                lose();
                throw new SQLException("The answer was lost on its way.", "08006");
            }
        }

        /**
         * Returns when it is worth trying again. In a transaction that is another one: H2 lets those who wait for a transaction that has
         * undone a statement run in circles until it ends, and here it stands still meanwhile.
         */
        private void failed(SQLException e, boolean waits) throws SQLException {
            boolean locked = e.getErrorCode() == LOCK_TIMEOUT || e.getErrorCode() == CONCURRENT_UPDATE;
            boolean inTransaction = isInTransaction();
            undone |= inTransaction;
            if (!locked) {
                throw e;
            }
            if (inTransaction) {
                raw.connection().rollback();
                undone = false;
                weather.committed(false);
            }
            boolean goesOn = weather.blocked();
            requireThere();
            if (!waits) {
                throw e;
            }
            if (inTransaction || !goesOn) {
                LockSupport.unpark(Thread.currentThread()); // the pause before the next try is a real one
                throw new SQLException("Two wait for each other.", "40001", DEADLOCK);
            }
        }

        private void ran(String sql, List<Object> values, int count) throws SQLException {
            changed |= count > 0;
            weather.done(sql, values, count);
            if (raw.connection().getAutoCommit()) {
                answered();
            } else if (!undone) {
                weather.between(this);
                requireThere();
                breakMaybe();
            }
        }
    }

    /** A statement as the node sees it. */
    private static final class Asked implements InvocationHandler {

        private final Link link;
        private final String sql;
        private final PreparedStatement target;
        private final boolean waits;
        private final List<Object> values = new ArrayList<>();

        private Asked(Link link, String sql, PreparedStatement target, boolean waits) {
            this.link = link;
            this.sql = sql;
            this.target = target;
            this.waits = waits;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws SQLException {
            if (method.getName().equals("close")) {
                return null;
            }
            link.requireThere();
            if (method.getName().startsWith("set") && arguments != null && arguments.length == 2) {
                values.add(arguments[1]);
            }
            return method.getName().startsWith("execute")
                    ? execute(method, arguments)
                    : call(target, method, arguments);
        }

        private @Nullable Object execute(Method method, Object @Nullable [] arguments) throws SQLException {
            Object answer = unlessLocked(method, arguments);
            int changed = answer instanceof Integer count ? count : sql.contains("final table") ? 1 : 0;
            link.ran(sql, values, changed);
            return answer;
        }

        /** A row that somebody else has locked is waited for, as the database would. */
        private @Nullable Object unlessLocked(Method method, Object @Nullable [] arguments) throws SQLException {
            for (; ; ) {
                try {
                    return call(target, method, arguments);
                } catch (SQLException e) {
                    link.failed(e, waits);
                }
            }
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("There is nothing inside.");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
