package dev.turno.worker;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * How much to have in hand: what the handlers get through in about a second, and at least one item for each thread. More
 * would only sit here while another process could run it. {@link #ran} is shared by threads, the rest belongs to the loop.
 */
final class Pace {

    private static final long WINDOW = Duration.ofMillis(100).toNanos();

    private final int least;
    private final int most;
    private final LongAdder ran = new LongAdder();
    private long windowStart;
    private long ranBefore;
    private double perSecond;

    Pace(int least, int most, long now) {
        this.least = least;
        this.most = Math.max(least, most);
        this.windowStart = now;
    }

    void ran() {
        ran.increment();
    }

    int capacity(long now) {
        long elapsed = now - windowStart;
        if (elapsed >= WINDOW) {
            long sum = ran.sum();
            perSecond = (perSecond + (sum - ranBefore) * 1e9 / elapsed) / 2;
            ranBefore = sum;
            windowStart = now;
        }
        return (int) Math.max(least, Math.min(most, perSecond));
    }
}
