package dev.turno.testkit.node;

import dev.turno.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A time that stands still until it is moved, for all nodes that share it. Shared by threads. */
public final class SettableTime implements Time {

    private Instant now;
    private long nanos;

    public SettableTime(Instant start) {
        this.now = start;
    }

    @Override
    public synchronized Optional<Instant> now() {
        return Optional.of(now);
    }

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    public synchronized void forward(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("Time goes forward, not by " + by + ".");
        }
        now = now.plus(by);
        nanos += by.toNanos();
    }

    public synchronized void setTo(Instant moment) {
        forward(Duration.between(now, moment));
    }
}
