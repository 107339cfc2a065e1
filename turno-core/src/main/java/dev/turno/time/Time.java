package dev.turno.time;

import java.time.Instant;
import java.util.Optional;

/** Where "now" comes from. May be shared by threads. */
public interface Time {

    /** The moment that statements take for now; empty means that each statement asks the database's own clock. */
    Optional<Instant> now();

    /** Nanoseconds that only move forward, for deadlines inside this process. Never compare them between processes. */
    long nanos();

    /** The time for production: the database's clock decides, this process only measures durations. */
    static Time ofDatabase() {
        return new DatabaseTime();
    }
}
