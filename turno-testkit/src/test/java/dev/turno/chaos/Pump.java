package dev.turno.chaos;

import dev.turno.claim.DatabaseAwayException;
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
    private final double perSecond;
    private final Thread thread;
    private int failures; // of the thread alone
    private volatile long waiting;
    private volatile boolean closed;
    private volatile @Nullable Throwable surprise;

    private Pump(String name, Workload workload, double perSecond) {
        this.workload = workload;
        this.perSecond = perSecond;
        this.thread = new Thread(this::run, "pump-" + name);
    }

    static Pump start(String name, Workload workload, double perSecond) {
        Pump pump = new Pump(name, workload, perSecond);
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
            for (int number = 0; !closed; ) {
                Optional<Integer> items = waiting > mostWaiting() ? Optional.empty() : put(number);
                if (items.isPresent()) {
                    number++;
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

    private Optional<Integer> put(int number) throws Exception {
        try {
            Optional<Integer> items = Optional.of(workload.put(number));
            failures = 0;
            return items;
        } catch (DatabaseAwayException | SQLException away) {
            if (++failures % MANY == 0) {
                System.out.println(thread.getName() + ": part " + number + " has failed " + failures
                        + " times in a row, the last time because of " + away);
            }
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
