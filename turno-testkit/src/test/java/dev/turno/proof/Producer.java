package dev.turno.proof;

import dev.turno.claim.DatabaseAwayException;
import dev.turno.inbox.Inbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Puts messages from two threads of its own until it is closed, each message again and again until it is stored. */
final class Producer implements AutoCloseable {

    private static final long BETWEEN_PUTS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final long AFTER_A_FAILURE = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long PATIENCE_MS = 60_000;

    private final Inbox inbox;
    private final Set<String> stored = ConcurrentHashMap.newKeySet();
    private final Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;
    private volatile boolean abandoned;

    private Producer(Inbox inbox) {
        this.inbox = inbox;
    }

    static Producer start(Inbox inbox) {
        Producer producer = new Producer(inbox);
        for (String name : List.of(inbox.name() + "-p", inbox.name() + "-q")) {
            Thread thread = new Thread(() -> producer.produce(name), "producer-" + name);
            producer.threads.add(thread);
            thread.start();
        }
        return producer;
    }

    /** Those that were acknowledged. */
    Set<String> stored() {
        return Set.copyOf(stored);
    }

    /** How many puts failed and were repeated. */
    int failures() {
        return failures.get();
    }

    /** Anything but the one exception that says that the database is away. */
    List<Throwable> surprises() {
        return List.copyOf(surprises);
    }

    private void produce(String name) {
        try {
            for (int n = 0; !closed; n++) {
                putUntilStored(name + n);
                LockSupport.parkNanos(BETWEEN_PUTS);
            }
        } catch (RuntimeException | Error surprise) {
            surprises.add(surprise);
        }
    }

    void putUntilStored(String id) {
        while (!stored.contains(id) && !abandoned) {
            try {
                inbox.put(id, "{}");
                stored.add(id);
            } catch (DatabaseAwayException away) {
                failures.incrementAndGet();
                LockSupport.parkNanos(AFTER_A_FAILURE);
            }
        }
    }

    /** Returns when every message that was begun is stored; fails if the database does not come back for that. */
    @Override
    public void close() throws InterruptedException {
        closed = true;
        for (Thread thread : threads) {
            thread.join(PATIENCE_MS);
        }
        abandoned = true;
        if (threads.stream().anyMatch(Thread::isAlive)) {
            throw new AssertionError(
                    "The database did not come back within " + PATIENCE_MS + " ms; the last put was given up.");
        }
    }
}
