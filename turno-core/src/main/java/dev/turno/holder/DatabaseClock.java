package dev.turno.holder;

import dev.turno.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * What the database's clock shows, told by this process's own: for starting things on the dot and never early. Shared by threads.
 *
 * <p>A reading was taken before its answer came. So at the moment of the answer the database's clock showed at least what was
 * read, and the best of several readings is the one that claims the most.
 */
public final class DatabaseClock {

    private record Reading(Instant moment, long nanos) {

        /** By how much it claims more than {@code other}. */
        Duration ahead(Reading other) {
            return Duration.between(other.moment, moment).minusNanos(nanos - other.nanos);
        }
    }

    private static final int READINGS = 3;

    private final Supplier<Instant> ask;
    private final Time time;
    private volatile Reading best;

    DatabaseClock(Supplier<Instant> ask, Time time) {
        this.ask = ask;
        this.time = time;
        this.best = new Reading(Instant.EPOCH, time.nanos()); // a clock that runs late starts nothing early
    }

    /** Asks the database a few times. */
    public void measure() {
        Reading chosen = read();
        for (int i = 1; i < READINGS; i++) {
            Reading next = read();
            chosen = next.ahead(chosen).isNegative() ? chosen : next;
        }
        best = chosen;
    }

    private Reading read() {
        Instant moment = ask.get();
        return new Reading(moment, time.nanos());
    }

    /** The latest moment that the database's clock has certainly reached. */
    public Instant now() {
        Reading reading = best;
        return reading.moment().plusNanos(time.nanos() - reading.nanos());
    }

    /** When, in {@link Time#nanos}, the database's clock has certainly reached {@code moment}. */
    public long nanosAt(Instant moment) {
        Reading reading = best;
        return reading.nanos() + Duration.between(reading.moment(), moment).toNanos();
    }
}
