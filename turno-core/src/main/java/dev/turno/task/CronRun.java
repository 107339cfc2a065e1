package dev.turno.task;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * One run of a cron line.
 *
 * @param name by which it is unique: the local date-time if the hours are fixed, else the instant
 * @param at when it runs
 * @param local what the line says in local time; in the hour that a clock change skips, {@code at} is the first instant after it
 */
public record CronRun(String name, Instant at, LocalDateTime local, ZoneId zone) {

    private static final DateTimeFormatter DAY_AND_TIME =
            DateTimeFormatter.ofPattern("EEEE, d MMMM uuuu, HH:mm:ss", Locale.ENGLISH);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ENGLISH);

    /** For example {@code Sunday, 29 March 2026, 03:00:00 Europe/Berlin (02:30:00 does not exist on that day)}. */
    public String words() {
        ZonedDateTime there = at.atZone(zone);
        String words = DAY_AND_TIME.format(there) + " " + zone;
        if (!there.toLocalDateTime().equals(local)) {
            return words + " (" + TIME.format(local) + " does not exist on that day)";
        }
        return zone.getRules().getValidOffsets(local).size() > 1
                ? words + " (" + there.getOffset() + "; the hour comes twice on that day)"
                : words;
    }
}
