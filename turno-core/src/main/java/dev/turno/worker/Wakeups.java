package dev.turno.worker;

import dev.turno.sql.Database;
import dev.turno.watch.Watcher;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who wants to be woken for what. Polling stays as the net: a lost wake-up costs time, never work. Shared by threads. */
public final class Wakeups implements AutoCloseable {

    /** Tells other processes; may drop or join what it is given. */
    interface Post extends AutoCloseable {
        void send(String topic);

        /** The topic's change commits at an unknown moment within the next second or so. */
        void sendSoon(String topic);

        @Override
        void close();
    }

    private final Map<String, List<Bell>> bells = new ConcurrentHashMap<>();
    private volatile Post post = new NoPost();

    public Wakeups() {}

    /** From now on other processes are woken too, where database and driver can do it. */
    @SuppressWarnings("exports") // called by the facade alone
    public void tellOthers(Database database, String namespace, Watcher watcher) {
        if (database.canNotify()) {
            PostgresPost postgres = new PostgresPost(database, namespace, this, watcher);
            postgres.start();
            post = postgres;
        }
    }

    /** Rings when something for {@code topic} was committed. */
    public Bell bell(String topic) {
        Bell bell = new Bell();
        bellsOf(topic).add(bell);
        return bell;
    }

    public void silence(String topic, Bell bell) {
        bellsOf(topic).remove(bell);
    }

    /** Something for {@code topic} was committed. */
    public void wake(String topic) {
        ring(topic);
        post.send(topic);
    }

    /** Something for {@code topic} stands in a transaction that its owner will commit. */
    public void wakeSoon(String topic) {
        bellsOf(topic).forEach(Bell::hurry);
        post.sendSoon(topic);
    }

    /** Everybody here should look. */
    public void ringAll() {
        bells.values().forEach(all -> all.forEach(Bell::ring));
    }

    /** Another process says that something was committed. */
    public void ring(String topic) {
        bellsOf(topic).forEach(Bell::ring);
    }

    @Override
    public void close() {
        post.close();
    }

    private List<Bell> bellsOf(String topic) {
        return bells.computeIfAbsent(topic, key -> new CopyOnWriteArrayList<>());
    }

    private static final class NoPost implements Post {
        @Override
        public void send(String topic) {}

        @Override
        public void sendSoon(String topic) {}

        @Override
        public void close() {}
    }
}
