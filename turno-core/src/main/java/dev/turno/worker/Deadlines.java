package dev.turno.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks many times a second whether a handler has run for too long. One thread for all workers. Shared by threads. */
public final class Deadlines implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);
    private static final Duration EVERY = Duration.ofMillis(50);

    private final List<Runnable> checks = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::loop, "turno-deadlines");
    private volatile boolean closed;

    public Deadlines() {
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Runs {@code check} many times a second, on the watching thread: it must be quick. */
    public void watch(Runnable check) {
        checks.add(check);
    }

    public void forget(Runnable check) {
        checks.remove(check);
    }

    private void loop() {
        while (!closed) {
            checks.forEach(Deadlines::run);
            LockSupport.parkNanos(EVERY.toNanos());
        }
    }

    private static void run(Runnable check) {
        try {
            check.run();
        } catch (Throwable e) {
            LOG.warn("A deadline could not be checked; it is checked again in {}.", EVERY, e);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
