package dev.turno;

import dev.turno.inbox.Inbox;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Removes what is older than it is to be kept, now and then, on one thread of its own. */
final class Retention implements AutoCloseable {

    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final Duration BETWEEN_BATCHES = Duration.ofMillis(20);

    private final Map<String, Inbox> inboxes;
    private final Map<String, BooleanSupplier> others = new ConcurrentHashMap<>();
    private final Watcher watcher;
    private final Thread thread = new Thread(this::loop, "turno-retention");
    private volatile boolean closed;

    Retention(Map<String, Inbox> inboxes, Watcher watcher) {
        this.inboxes = inboxes;
        this.watcher = watcher;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void loop() {
        while (!closed) {
            LockSupport.parkNanos(EVERY.toNanos());
            inboxes.forEach((name, inbox) -> prune("inbox " + name, inbox::prune));
            others.forEach(this::prune);
        }
    }

    /** Something else that removes a batch at a time and says whether there may be more. */
    void also(String who, BooleanSupplier prune) {
        others.put(who, prune);
    }

    private void prune(String who, BooleanSupplier prune) {
        try {
            while (!closed && prune.getAsBoolean()) {
                LockSupport.parkNanos(BETWEEN_BATCHES.toNanos());
            }
        } catch (Throwable e) {
            watcher.on(new WorkEvent.Trouble("retention of " + who, e, EVERY));
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
