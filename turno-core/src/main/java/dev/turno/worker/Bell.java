package dev.turno.worker;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Wakes one loop. Rings that come while nobody waits are remembered as one. Shared by threads. */
public final class Bell {

    private static final long HURRY = Duration.ofSeconds(1).toNanos();

    private final Semaphore rung = new Semaphore(0);
    private volatile long hurryUntil = System.nanoTime();

    Bell() {}

    public void ring() {
        if (rung.availablePermits() == 0) {
            rung.release();
        }
    }

    /** Something will be committed by somebody else in a moment: look often for the next second. Who does so already is not woken. */
    void hurry() {
        long now = System.nanoTime();
        boolean isHurried = hurryUntil - now > HURRY / 2;
        hurryUntil = now + HURRY;
        if (!isHurried) {
            ring();
        }
    }

    boolean isHurried() {
        return System.nanoTime() - hurryUntil < 0;
    }

    /** True if it rang. */
    public boolean await(Duration atMost) throws InterruptedException {
        boolean rang = rung.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
        if (rang) {
            rung.drainPermits();
        }
        return rang;
    }
}
