package dev.turno.chaos;

import dev.turno.claim.DatabaseAwayException;
import dev.turno.testkit.chaos.Chaos;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Puts a workload's items from a thread of its own, at a steady rate, each until it is acknowledged; waits while too many wait. */
final class Pump implements AutoCloseable {

    private static final int FEW = 200;
    private static final long A_MOMENT = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int MANY = 100;
    private static final long PATIENCE_MS = 60_000;

    private final Workload workload;
    private final Chaos.Put put;
    private final double perSecond;
    private final Thread thread;
    private int number; // of the thread alone, as is the next
    private int failures;
    private volatile long waiting;
    private volatile boolean closed;
    private volatile @Nullable Throwable surprise;

    private Pump(String name, Workload workload, Chaos.Put put, double perSecond) {
        this.workload = workload;
        this.put = put;
        this.perSecond = perSecond;
        this.thread = new Thread(this::run, "pump-" + name);
    }

    /** @param put how it is put: here, or in a process */
    static Pump start(String name, Workload workload, Chaos.Put put, double perSecond) {
        Pump pump = new Pump(name, workload, put, perSecond);
        pump.thread.setDaemon(true);
        pump.thread.start();
        return pump;
    }

    void waiting(long count) {
        waiting = count;
    }

    private void run() {
        try {
            long due = System.nanoTime();
            while (!closed) {
                Optional<Integer> items = waiting > mostWaiting() ? Optional.empty() : put();
                if (items.isPresent()) {
                    // What could not be put in time is not made up for at once.
                    due = Math.max(due, System.nanoTime() - TimeUnit.SECONDS.toNanos(1))
                            + (long) (items.get() / perSecond * TimeUnit.SECONDS.toNanos(1));
                }
                LockSupport.parkNanos(items.isEmpty() ? A_MOMENT : Math.max(0, due - System.nanoTime()));
            }
        } catch (Exception | Error e) {
            surprise = e;
        }
    }

    /** Half a second's work: of more than can be done something is left, besides what is in hand. */
    private double mostWaiting() {
        return Math.max(FEW, perSecond / 2);
    }

    private Optional<Integer> put() throws Exception {
        try {
            put.put(number);
            failures = 0;
            return Optional.of(workload.stored(number++));
        } catch (DatabaseAwayException | SQLException away) {
            if (++failures % MANY == 0) {
                System.out.println(thread.getName() + ": part " + number + " has failed " + failures
                        + " times in a row, the last time because of " + away);
            }
            number += workload.isPutAgain() ? 0 : 1;
            return Optional.empty();
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join(PATIENCE_MS);
        if (surprise != null || thread.isAlive()) {
            throw new AssertionError(thread.getName() + " failed in an unexpected way.", surprise);
        }
    }
}
