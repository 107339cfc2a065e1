package dev.turno.action;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** When something happens again and again. */
@FunctionalInterface
public interface Schedule {

    /** The first moment after this one; empty: never again. */
    Optional<Instant> after(Instant moment);

    /** Makes a schedule of its text, or throws an {@link IllegalArgumentException} that says what is wrong with it. */
    @FunctionalInterface
    interface Reader {
        Schedule read(String text);
    }

    /** Every so often, counted from 1970, so that all processes agree. */
    static Schedule every(Duration period) {
        if (period.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("A schedule's period is at least a second, not " + period + ".");
        }
        long seconds = period.toSeconds();
        return moment ->
                Optional.of(Instant.ofEpochSecond((Math.floorDiv(moment.getEpochSecond(), seconds) + 1) * seconds));
    }

    /** Reads periods such as {@code PT1H}. */
    static Schedule ofPeriod(String text) {
        try {
            return every(Duration.parse(text));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a period; write for example PT1H for every hour, or P1D for every day.", e);
        }
    }
}
