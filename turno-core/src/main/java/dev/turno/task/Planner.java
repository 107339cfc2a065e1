package dev.turno.task;

import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Plans cron runs and shares tasks out, every few seconds and when somebody came or went. Owns one thread. */
final class Planner {

    private static final Duration EVERY = Duration.ofSeconds(5);

    private final Runnable round;
    private final Watcher watcher;
    private final Semaphore rung = new Semaphore(0);
    private final Thread thread = new Thread(this::loop, "turno-tasks");
    private volatile boolean troubled;
    private volatile boolean closed;

    Planner(Runnable round, Watcher watcher) {
        this.round = round;
        this.watcher = watcher;
        thread.setDaemon(true);
    }

    synchronized void start() {
        if (thread.getState() == Thread.State.NEW) {
            thread.start();
        }
    }

    void ring() {
        rung.release();
    }

    boolean isTroubled() {
        return troubled;
    }

    private void loop() {
        while (!closed) {
            try {
                round.run();
                troubled = false;
                if (rung.tryAcquire(EVERY.toNanos(), TimeUnit.NANOSECONDS)) {
                    rung.drainPermits();
                }
            } catch (Throwable e) {
                survive(e);
            }
        }
    }

    private void survive(Throwable e) {
        if (!closed) {
            troubled = true;
            watcher.on(new WorkEvent.Trouble("tasks", e, EVERY.dividedBy(5)));
            try {
                TimeUnit.NANOSECONDS.sleep(EVERY.dividedBy(5).toNanos());
            } catch (InterruptedException interrupted) {
                // Nobody but a careless library; go on.
            }
        }
    }

    void close() {
        closed = true;
        ring();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
