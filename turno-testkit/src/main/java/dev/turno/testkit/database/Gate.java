package dev.turno.testkit.database;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** One direction of a {@link TcpProxy}: open, slow or shut. Threads share it. */
final class Gate {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private boolean open = true;
    private Duration delay = Duration.ZERO;

    void open(Duration newDelay) {
        lock.lock();
        try {
            open = true;
            delay = newDelay;
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void shut() {
        lock.lock();
        try {
            open = false;
        } finally {
            lock.unlock();
        }
    }

    void pass() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(delayWhenOpen().toNanos());
    }

    private Duration delayWhenOpen() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!open) {
                opened.await();
            }
            return delay;
        } finally {
            lock.unlock();
        }
    }
}
