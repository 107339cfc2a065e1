package dev.turno.harvester.oai;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** How exact a source's datestamps are. */
public enum Granularity {
    DAY(ChronoUnit.DAYS),
    SECOND(ChronoUnit.SECONDS);

    private final ChronoUnit unit;

    Granularity(ChronoUnit unit) {
        this.unit = unit;
    }

    /** As Identify says it; anything else is taken for the day, which every source understands. */
    static Granularity of(String text) {
        return text.strip().equalsIgnoreCase("YYYY-MM-DDThh:mm:ssZ") ? SECOND : DAY;
    }

    public Duration unit() {
        return unit.getDuration();
    }

    /** A moment as an argument of a request, in UTC. */
    public String format(Instant moment) {
        Instant cut = moment.truncatedTo(unit);
        return this == DAY ? LocalDate.ofInstant(cut, ZoneOffset.UTC).toString() : cut.toString();
    }

    /** A datestamp of either kind; empty if it is neither, or lies outside of the years with four digits. */
    public static Optional<Instant> parse(String text) {
        String stripped = text.strip();
        if (stripped.isEmpty() || !Character.isDigit(stripped.charAt(0))) {
            return Optional.empty(); // years with a sign
        }
        try {
            return Optional.of(
                    stripped.length() == 10
                            ? LocalDate.parse(stripped)
                                    .atStartOfDay(ZoneOffset.UTC)
                                    .toInstant()
                            : OffsetDateTime.parse(stripped).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
