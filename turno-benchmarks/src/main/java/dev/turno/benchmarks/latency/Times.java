package dev.turno.benchmarks.latency;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** When each item was stored and when it started, in microseconds. Shared by threads. */
final class Times {

    private final AtomicLongArray put;
    private final AtomicLongArray started;
    private final AtomicIntegerArray runs;
    private final AtomicInteger total = new AtomicInteger();

    Times(int items) {
        this.put = new AtomicLongArray(items);
        this.started = new AtomicLongArray(items);
        this.runs = new AtomicIntegerArray(items);
    }

    void put(int number, long micros) {
        put.set(number, micros);
    }

    void started(int number, long micros) {
        started.compareAndSet(number, 0, micros);
        runs.incrementAndGet(number);
        total.incrementAndGet();
    }

    void await(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (total.get() < runs.length() && System.nanoTime() < end) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /** Some handlers start before the put has returned: that is no time at all. */
    double[] millis(int from, int to) {
        return IntStream.range(from, to)
                .mapToDouble(number -> Math.max(0, started.get(number) - put.get(number)) / 1_000.0)
                .toArray();
    }

    List<String> violations(String who) {
        long never =
                IntStream.range(0, runs.length()).filter(n -> runs.get(n) == 0).count();
        long twice =
                IntStream.range(0, runs.length()).filter(n -> runs.get(n) > 1).count();
        List<String> violations = new ArrayList<>();
        if (never > 0) {
            violations.add(who + ": " + never + " items never ran");
        }
        if (twice > 0) {
            violations.add(who + ": " + twice + " items ran more than once");
        }
        return violations;
    }
}
