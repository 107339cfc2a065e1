package dev.turno;

import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Removes what is older than it is to be kept, and what the dead have left, now and then, on one thread of its own. */
final class Retention implements AutoCloseable {

    private static final Duration EVERY = Duration.ofMinutes(1);

    /** Soon: of processes that do not live for a minute none would ever remove anything. */
    private static final Duration FIRST = Duration.ofSeconds(5);

    private static final Duration BETWEEN_BATCHES = Duration.ofMillis(20);

    private final Map<String, BooleanSupplier> batches = new ConcurrentHashMap<>();
    private final Watcher watcher;
    private final Thread thread = new Thread(this::loop, "turno-retention");
    private volatile boolean closed;

    Retention(Watcher watcher) {
        this.watcher = watcher;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** @param batch removes a batch and says whether there may be more */
    void of(String what, BooleanSupplier batch) {
        batches.put(what, batch);
    }

    private void loop() {
        LockSupport.parkNanos(FIRST.toNanos());
        while (!closed) {
            batches.forEach(this::prune);
            LockSupport.parkNanos(EVERY.toNanos());
        }
    }

    private void prune(String what, BooleanSupplier batch) {
        try {
            while (!closed && batch.getAsBoolean()) {
                LockSupport.parkNanos(BETWEEN_BATCHES.toNanos());
            }
        } catch (Throwable e) {
            watcher.on(new WorkEvent.Trouble("retention of " + what, e, EVERY));
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
