package dev.turno.benchmarks.burst;

import java.time.Duration;
import java.time.Instant;

/** {@code tasks} for one instant, numbered from 0, after a smaller peak that warms the processes up, numbered behind them. */
record Plan(int tasks, Instant at, int warmUp) {

    private static final Duration WARM_UP_AHEAD = Duration.ofSeconds(8);

    Instant warmUpAt() {
        return at.minus(WARM_UP_AHEAD);
    }

    int all() {
        return tasks + warmUp;
    }

    Instant at(int number) {
        return number < tasks ? at : warmUpAt();
    }
}
