package dev.turno.task;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * How late handlers started, in buckets that grow by a quarter: a share of all is known to within that. Shared by threads, and
 * without a lock: it is called at the very moment that it measures.
 */
final class LagMeter {

    private static final int BUCKETS = 128;
    private static final double GROWTH = Math.log(1.25);

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);
    private final LongAccumulator most = new LongAccumulator(Math::max, 0);

    void record(Duration late) {
        long micros = Math.max(0, late.toNanos() / 1_000);
        most.accumulate(micros);
        counts.incrementAndGet(Math.min(BUCKETS - 1, (int) (Math.log1p((double) micros) / GROWTH)));
    }

    TaskFigures.Lag lag() {
        long all = 0;
        for (int i = 0; i < BUCKETS; i++) {
            all += counts.get(i);
        }
        return new TaskFigures.Lag(all, share(all, 0.5), share(all, 0.99), micros(most.get()));
    }

    /** The upper end of the bucket in which this share of all is reached. */
    private Duration share(long all, double share) {
        long passed = 0;
        for (int i = 0; i < BUCKETS; i++) {
            passed += counts.get(i);
            if (passed > 0 && passed >= all * share) {
                return micros(Math.min(most.get(), (long) Math.expm1((i + 1) * GROWTH)));
            }
        }
        return Duration.ZERO;
    }

    private static Duration micros(long micros) {
        return Duration.ofNanos(micros * 1_000);
    }
}
