package dev.turno.harvester.provider;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The protocol's two ways to write a moment: a day, or a second in UTC. */
final class Datestamps {

    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
    private static final int DAY_LENGTH = 10;

    private Datestamps() {}

    static String of(Instant moment) {
        return SECOND.format(moment);
    }

    /** The range that two arguments mean, in seconds. */
    static void requireRange(Optional<String> from, Optional<String> until) {
        boolean mixed = from.isPresent()
                && until.isPresent()
                && (from.get().length() == DAY_LENGTH) != (until.get().length() == DAY_LENGTH);
        if (mixed) {
            throw new OaiProblem("badArgument", "'from' and 'until' have different granularities.");
        }
        Optional<Instant> start = from.map(text -> start("from", text));
        Optional<Instant> end = until.map(text -> end("until", text));
        if (start.isPresent() && end.isPresent() && start.get().isAfter(end.get())) {
            throw new OaiProblem("badArgument", "'from' is later than 'until'.");
        }
    }

    static Instant start(String argument, String text) {
        try {
            return text.length() == DAY_LENGTH
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : SECOND.parse(text, Instant::from);
        } catch (DateTimeParseException e) {
            throw new OaiProblem(
                    "badArgument",
                    "'" + argument + "' is '" + OaiArguments.shortened(text)
                            + "'; write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.");
        }
    }

    /** A day means all of it. */
    static Instant end(String argument, String text) {
        Instant start = start(argument, text);
        return text.length() == DAY_LENGTH ? start.plus(1, ChronoUnit.DAYS).minusSeconds(1) : start;
    }
}
