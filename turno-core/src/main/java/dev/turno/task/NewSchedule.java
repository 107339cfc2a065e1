package dev.turno.task;

import dev.turno.sql.StorableText;
import java.time.Instant;
import java.time.ZoneId;

/**
 * A cron schedule to be defined: its runs become tasks of {@code type} with {@code body}.
 *
 * @param name of the schedule in the namespace
 * @param line of five or six fields, as in {@link Cron}
 * @param missed what to do about runs whose time passed while nobody was there to plan them
 * @param missedLimit with {@link Missed#ALL}, the most runs that are made up for, the newest
 */
public record NewSchedule(
        String name, String line, ZoneId zone, String type, String body, int priority, Missed missed, int missedLimit) {

    /** What to do about runs whose time passed while nobody was there to plan them. */
    public enum Missed {
        /** Nothing. */
        SKIP,
        /** One run for all of them. */
        ONCE,
        /** Each of them, up to the limit. */
        ALL
    }

    public static final int LONGEST_NAME = 100;
    private static final int MOST_MISSED = 10_000;
    private static final int USUAL_LIMIT = 100;

    public NewSchedule {
        StorableText.require("name of a schedule", name, LONGEST_NAME);
        Cron.of(line, zone);
        NewTask.at(type, body, Instant.EPOCH).withPriority(priority).requireFits();
        if (missedLimit < 1 || missedLimit > MOST_MISSED) {
            throw new IllegalArgumentException(
                    "The limit for missed runs is " + missedLimit + "; use 1 to " + MOST_MISSED + ".");
        }
    }

    /** With the zone by its name, and nothing made up for but one run. */
    public static NewSchedule of(String name, String line, String zone, String type, String body) {
        return new NewSchedule(
                name, line, Cron.zone(zone), type, body, NewTask.USUAL_PRIORITY, Missed.ONCE, USUAL_LIMIT);
    }

    public NewSchedule withPriority(int wished) {
        return new NewSchedule(name, line, zone, type, body, wished, missed, missedLimit);
    }

    public NewSchedule ifMissed(Missed wished) {
        return new NewSchedule(name, line, zone, type, body, priority, wished, missedLimit);
    }

    /** Every missed run is made up for, but not more than the newest {@code limit}. */
    public NewSchedule ifMissedAll(int limit) {
        return new NewSchedule(name, line, zone, type, body, priority, Missed.ALL, limit);
    }
}
