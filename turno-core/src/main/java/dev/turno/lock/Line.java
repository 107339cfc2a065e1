package dev.turno.lock;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Threads of one process that wait for one lock, first come first served. Only the first in line asks the database; a release in
 * this process wakes it at once. So that the threads here cannot hand the lock to one another for ever, they let those of other
 * processes go first from time to time. Shared by threads.
 */
final class Line {

    private static final long LEAST_SHARE = Duration.ofMillis(100).toNanos();
    private static final long MOST_SHARE = Duration.ofSeconds(2).toNanos();
    private static final long LONGEST_LOOK = Duration.ofMillis(20).toNanos();
    private static final long SHORTEST_LOOK = Duration.ofMillis(5).toNanos();

    private final Semaphore front = new Semaphore(1, true);
    private final Semaphore bell = new Semaphore(0);
    private int standing; // written under the lock of the map that has the line
    private boolean oursNow; // the rest belongs to the first in line
    private boolean sharing;
    private long sharingSince;
    private long share = LEAST_SHARE;

    void enter() {
        standing++;
    }

    void leave() {
        standing--;
    }

    boolean isEmpty() {
        return standing == 0;
    }

    /** Waits to be the first in line; false if that took too long. */
    boolean reachFront(long nanos) throws InterruptedException {
        return front.tryAcquire(nanos, TimeUnit.NANOSECONDS);
    }

    void leaveFront() {
        front.release();
    }

    void ring() {
        if (bell.availablePermits() == 0) {
            bell.release();
        }
    }

    /** True if the thread that was first before has just taken the lock: no use in asking at once. */
    boolean wasJustTaken() {
        boolean taken = oursNow;
        oursNow = false;
        return taken;
    }

    /** Waits for a release in this process, at most until it is time to look whether another process released it. */
    boolean awaitRelease(long nanos) throws InterruptedException {
        long look = ThreadLocalRandom.current().nextLong(SHORTEST_LOOK, LONGEST_LOOK);
        return bell.tryAcquire(Math.min(nanos, look), TimeUnit.NANOSECONDS) && !letOthersGoFirst(nanos);
    }

    /** Longer than any other process rests between two looks. If none comes, they are let go less often. */
    private boolean letOthersGoFirst(long nanos) throws InterruptedException {
        if (!sharing || System.nanoTime() - sharingSince < share) {
            return false;
        }
        sharing = false;
        share = Math.min(MOST_SHARE, share * 2);
        TimeUnit.NANOSECONDS.sleep(Math.min(nanos, LONGEST_LOOK + SHORTEST_LOOK));
        return true;
    }

    void takenHere() {
        oursNow = true;
        if (!sharing) {
            sharing = true;
            sharingSince = System.nanoTime();
        }
    }

    void takenElsewhere() {
        sharing = false;
        share = LEAST_SHARE;
    }
}
