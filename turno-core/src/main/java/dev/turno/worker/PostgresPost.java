package dev.turno.worker;

import dev.turno.sql.Database;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes other processes by NOTIFY on PostgreSQL. Never inside a user's commit, where it takes a lock of the whole cluster,
 * but from one thread, joined, at most a hundred times a second. Behind a pooler nobody listens, and polling does the work. Owns
 * two threads and keeps one connection.
 */
final class PostgresPost implements Wakeups.Post {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresPost.class);
    private static final String CHANNEL = "turno";
    private static final Duration BETWEEN_SENDS = Duration.ofMillis(10);
    private static final int LISTEN_FOR = 500;
    private static final Duration ASK_EVERY = Duration.ofSeconds(2);

    /** Nothing in it has to be on the disk, and those whose commits are would wait for it. */
    private static final String NOTIFY =
            "select pg_notify(?, t) from set_config('synchronous_commit', 'off', true), unnest(?) t";

    private static final List<Long> SOON = List.of(10L, 50L, 200L, 1_000L);

    private record Soon(long since, int fired) {}

    private static final Backoff TROUBLE = Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(5));

    private final Database database;
    private final String namespace;
    private final Wakeups wakeups;
    private final Watcher watcher;
    private final String self = UUID.randomUUID().toString().substring(0, 8);
    private final Set<String> toSend = ConcurrentHashMap.newKeySet();
    private final Map<String, Soon> soon = new ConcurrentHashMap<>();
    private final Thread sender = new Thread(this::sendLoop, "turno-notify");
    private final Thread listener = new Thread(this::listenLoop, "turno-listen");
    private volatile boolean closed;

    PostgresPost(Database database, String namespace, Wakeups wakeups, Watcher watcher) {
        this.database = database;
        this.namespace = namespace;
        this.wakeups = wakeups;
        this.watcher = watcher;
        sender.setDaemon(true);
        listener.setDaemon(true);
    }

    void start() {
        sender.start();
        listener.start();
    }

    @Override
    public void send(String topic) {
        if (toSend.add(topic)) {
            LockSupport.unpark(sender);
        }
    }

    @Override
    public void sendSoon(String topic) {
        long now = System.nanoTime();
        // One that was not fired yet stays: else a steady stream of them would never be.
        soon.merge(topic, new Soon(now, 0), (old, fresh) -> old.fired() == 0 ? old : fresh);
        LockSupport.unpark(sender);
    }

    private void sendLoop() {
        int failures = 0;
        while (!closed) {
            try {
                collectSoon();
                flush();
                failures = 0;
                rest();
            } catch (Throwable e) {
                // A wake-up may be lost: the others poll.
                trouble("notify", e, TROUBLE.after(++failures));
            }
        }
    }

    /** Between two sends, not before one: what comes after a pause goes out at once. */
    private void rest() {
        long until = System.nanoTime() + BETWEEN_SENDS.toNanos();
        for (long left = BETWEEN_SENDS.toNanos(); left > 0 && !closed; left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
        while (toSend.isEmpty() && soon.isEmpty() && !closed) {
            LockSupport.park(this);
        }
    }

    /** The moment of a caller's commit is unknown, so a few shots are fired over the next second. */
    private void collectSoon() {
        long now = System.nanoTime();
        soon.forEach((topic, one) -> {
            long age = Duration.ofNanos(now - one.since()).toMillis();
            int due = (int) SOON.stream().filter(shot -> shot <= age).count();
            if (due > one.fired()) {
                toSend.add(topic);
                if (due == SOON.size()) {
                    soon.remove(topic, one);
                } else {
                    soon.replace(topic, one, new Soon(one.since(), due));
                }
            }
        });
    }

    private void flush() {
        if (toSend.isEmpty()) {
            return;
        }
        List<String> topics = List.copyOf(toSend);
        topics.forEach(toSend::remove);
        database.once(
                "Other processes could not be told of " + topics + "; they find it when they look.",
                session -> send(session.connection(), topics));
    }

    private boolean send(Connection connection, List<String> topics) throws SQLException {
        try (PreparedStatement notify = connection.prepareStatement(NOTIFY)) {
            notify.setString(1, CHANNEL);
            notify.setArray(
                    2,
                    connection.createArrayOf(
                            "text", topics.stream().map(this::payload).toArray()));
            return notify.execute();
        }
    }

    private String payload(String topic) {
        return self + " " + namespace + " " + topic;
    }

    private void listenLoop() {
        int failures = 0;
        boolean heard = true;
        while (!closed && heard) {
            try {
                heard = database.once(
                        "Wake-ups of other processes are not heard; what they put is found by polling.",
                        session -> listen(session.connection()));
                failures = 0;
            } catch (Throwable e) {
                trouble("listen", e, TROUBLE.after(++failures));
            }
        }
    }

    /** False if nothing could ever be heard here. */
    private boolean listen(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        if (isPooled(connection, postgres)) {
            LOG.info("The database is reached through a pooler, which gives no session of its own to listen in: puts of"
                    + " other processes are found by polling.");
            return false;
        }
        execute(connection, "listen " + CHANNEL);
        while (!closed) {
            hear(connection, postgres);
        }
        execute(connection, "unlisten " + CHANNEL);
        return true;
    }

    /** A network that fell silent looks like one on which nobody has anything to say: now and then it has to answer. */
    private void hear(Connection connection, PGConnection postgres) throws SQLException {
        long since = System.nanoTime();
        while (!closed && System.nanoTime() - since < ASK_EVERY.toNanos()) {
            deliver(postgres.getNotifications(LISTEN_FOR));
        }
        execute(connection, "select 1");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * True if another process of the server answers than the one that welcomed us. A LISTEN would stay behind in a session
     * that the pooler lends to others, and each notification would be a line in its log.
     */
    private static boolean isPooled(Connection connection, PGConnection postgres) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            return !row.next() || row.getInt(1) != postgres.getBackendPID();
        }
    }

    private void deliver(PGNotification[] notifications) {
        if (notifications == null) {
            return;
        }
        for (PGNotification notification : notifications) {
            String[] parts = notification.getParameter().split(" ", 3);
            if (parts.length == 3 && !parts[0].equals(self) && parts[1].equals(namespace)) {
                wakeups.ring(parts[2]);
            }
        }
    }

    private void trouble(String what, Throwable e, Duration wait) {
        if (!closed) {
            watcher.on(new WorkEvent.Trouble(what, e, wait));
            LockSupport.parkNanos(wait.toNanos());
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(sender);
        LockSupport.unpark(listener);
        try {
            listener.join(2L * LISTEN_FOR);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
