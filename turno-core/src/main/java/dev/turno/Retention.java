package dev.turno;

import dev.turno.buffer.Buffers;
import dev.turno.inbox.Inbox;
import dev.turno.task.Tasks;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Removes what is older than it is to be kept, now and then, on one thread of its own. */
final class Retention implements AutoCloseable {

    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final Duration BETWEEN_BATCHES = Duration.ofMillis(20);

    private final Map<String, Inbox> inboxes;
    private final Map<String, Buffers> buffers;
    private final Tasks tasks;
    private final Watcher watcher;
    private final Thread thread = new Thread(this::loop, "turno-retention");
    private volatile boolean closed;

    Retention(Map<String, Inbox> inboxes, Map<String, Buffers> buffers, Tasks tasks, Watcher watcher) {
        this.inboxes = inboxes;
        this.buffers = buffers;
        this.tasks = tasks;
        this.watcher = watcher;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void loop() {
        while (!closed) {
            LockSupport.parkNanos(EVERY.toNanos());
            inboxes.values().forEach(inbox -> prune("inbox " + inbox.name(), inbox::prune));
            buffers.values().forEach(buffer -> prune("buffer " + buffer.name(), buffer::prune));
            prune("tasks", tasks::prune);
        }
    }

    private void prune(String who, BooleanSupplier batch) {
        try {
            while (!closed && batch.getAsBoolean()) {
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
