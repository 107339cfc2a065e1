package dev.turno.contract;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A way to the database on which answers get lost and statements stand still, on demand. Shared by threads. */
final class TrickySource {

    /** Somebody stands before a statement, or after it, until he is told to go on. */
    static final class Halt {

        private final String part;
        private final boolean after;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch go = new CountDownLatch(1);

        private Halt(String part, boolean after) {
            this.part = part;
            this.after = after;
        }

        void awaitSomebody() throws InterruptedException {
            if (!reached.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("Nobody came to '" + part + "'.");
            }
        }

        void goOn() {
            go.countDown();
        }

        private void stand() throws InterruptedException {
            reached.countDown();
            go.await();
        }
    }

    private static final String COMMIT = "commit";

    private final DataSource target;
    private final List<Halt> halts = new ArrayList<>(); // guarded by this
    private final AtomicInteger lost = new AtomicInteger();
    private String loseAnswerTo = ""; // guarded by this
    private volatile Thread losesItsCommit = new Thread(); // nobody's
    private volatile Thread mayNotTouch = new Thread(); // nobody's
    private volatile String untouchable = "";
    private volatile Thread failsAfterItsCommit = new Thread(); // nobody's
    private final Map<Thread, Integer> taken = new ConcurrentHashMap<>();
    private final Map<String, Integer> executed = new ConcurrentHashMap<>();
    private volatile boolean cut;
    private volatile String noMemoryFor = "";
    private volatile UnaryOperator<String> rewritten = UnaryOperator.identity();

    TrickySource(DataSource target) {
        this.target = target;
    }

    DataSource source() {
        return proxy(DataSource.class, (self, method, arguments) -> {
            if (cut && method.getName().equals("getConnection")) {
                // As a pool says it, with the state of what it heard last: MariaDB's driver has this one for a closed
                // connection.
                throw new SQLTransientConnectionException("The way to the database is cut.", "42000");
            }
            Object result = call(target, method, arguments);
            if (result instanceof Connection connection) {
                taken.merge(Thread.currentThread(), 1, Integer::sum);
                return connection(connection);
            }
            return result;
        });
    }

    /** The next update with this word in it is carried out and committed, but whoever asked for it never hears of it. */
    synchronized void loseTheNextAnswerTo(String table) {
        loseAnswerTo = table;
    }

    /** The next commit of the calling thread is carried out, but it hears of an error that tells nothing. */
    void loseMyNextCommit() {
        losesItsCommit = Thread.currentThread();
    }

    /** The calling thread's next statement with these words in it is refused; its transaction stays open. */
    void refuseMyNext(String part) {
        untouchable = part;
        mayNotTouch = Thread.currentThread();
    }

    /** The next commit of the calling thread is carried out and answered; then something is wrong with the connection. */
    void failAfterMyNextCommit() {
        failsAfterItsCommit = Thread.currentThread();
    }

    /** How many connections the calling thread has taken so far. */
    int takenByMe() {
        return taken.getOrDefault(Thread.currentThread(), 0);
    }

    /** How often a statement with these words in it was executed so far. */
    int asked(String part) {
        return executed.entrySet().stream()
                .filter(one -> one.getKey().contains(part))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    int answersLost() {
        return lost.get();
    }

    Halt haltBeforeCommit() {
        return haltBefore(COMMIT);
    }

    /** The next statement with these words in it waits. */
    Halt haltBefore(String part) {
        return halt(new Halt(part, false));
    }

    /** Whoever executes the next statement with these words in it waits when it was carried out. */
    Halt haltAfter(String part) {
        return halt(new Halt(part, true));
    }

    private synchronized Halt halt(Halt halt) {
        halts.add(halt);
        return halt;
    }

    /** There is no memory for the answer to the next statement with these words in it. */
    void runOutOfMemoryAt(String part) {
        noMemoryFor = part;
    }

    /** What statements become on their way to the server, from now on. */
    void rewrite(UnaryOperator<String> change) {
        rewritten = change;
    }

    void cut() {
        cut = true;
    }

    void mend() {
        cut = false;
    }

    private Connection connection(Connection connection) {
        return proxy(Connection.class, (self, method, arguments) -> {
            boolean commits = method.getName().equals(COMMIT);
            if (commits) {
                stand(COMMIT, false);
            }
            if (method.getName().equals("prepareStatement") && arguments != null) {
                arguments[0] = rewritten.apply(String.valueOf(arguments[0]));
            }
            Object result = call(connection, method, arguments);
            if (commits && losesItsCommit.equals(Thread.currentThread())) {
                losesItsCommit = new Thread();
                throw new SQLException("Something went wrong.", "HY000");
            }
            if (method.getName().equals("setAutoCommit")
                    && Boolean.TRUE.equals(arguments == null ? null : arguments[0])
                    && failsAfterItsCommit.equals(Thread.currentThread())) {
                failsAfterItsCommit = new Thread();
                throw new SQLException("Something went wrong.", "HY000");
            }
            if (commits && isToBeLost(COMMIT)) {
                throw lost();
            }
            return result instanceof PreparedStatement statement && arguments != null
                    ? statement(statement, String.valueOf(arguments[0]))
                    : result;
        });
    }

    private PreparedStatement statement(PreparedStatement statement, String sql) {
        return proxy(PreparedStatement.class, (self, method, arguments) -> {
            boolean executes = method.getName().startsWith("execute");
            if (executes) {
                executed.merge(sql, 1, Integer::sum);
                stand(sql, false);
                throwIfRefused(sql);
            }
            Object result = call(statement, method, arguments);
            if (executes) {
                stand(sql, true);
            }
            if (executes && !noMemoryFor.isEmpty() && sql.contains(noMemoryFor)) {
                noMemoryFor = "";
                throw new OutOfMemoryError("so it is said");
            }
            if (executes && sql.contains("update ") && isToBeLost(sql)) {
                if (statement.getConnection().getAutoCommit()) {
                    throw lost();
                }
                loseTheNextAnswerTo(COMMIT);
            }
            return result;
        });
    }

    private void throwIfRefused(String sql) throws SQLException {
        if (mayNotTouch.equals(Thread.currentThread()) && sql.contains(untouchable)) {
            mayNotTouch = new Thread();
            throw new SQLException("It is refused.", "HY000");
        }
    }

    private SQLException lost() {
        lost.incrementAndGet();
        return new SQLException("The answer was lost.", "08006");
    }

    private void stand(String sql, boolean after) throws InterruptedException {
        for (Halt halt : reachedBy(sql, after)) {
            halt.stand();
        }
    }

    private synchronized List<Halt> reachedBy(String sql, boolean after) {
        List<Halt> reached = halts.stream()
                .filter(halt -> halt.after == after && sql.contains(halt.part))
                .toList();
        halts.removeAll(reached);
        return reached;
    }

    private synchronized boolean isToBeLost(String sql) {
        boolean is = !loseAnswerTo.isEmpty() && sql.contains(loseAnswerTo);
        if (is) {
            loseAnswerTo = "";
        }
        return is;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
