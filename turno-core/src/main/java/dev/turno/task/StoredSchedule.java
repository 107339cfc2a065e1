package dev.turno.task;

import java.time.Instant;
import java.util.Optional;

/**
 * A cron schedule as it stands in the database.
 *
 * @param last the name of the last run that was made into a task; empty: none yet
 * @param next when the first run is that is not a task yet; empty: it is paused
 */
public record StoredSchedule(
        String name,
        String type,
        String line,
        String zone,
        NewSchedule.Missed missed,
        boolean paused,
        Optional<String> last,
        Optional<Instant> next) {}
