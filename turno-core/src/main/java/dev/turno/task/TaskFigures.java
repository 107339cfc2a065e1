package dev.turno.task;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * How one type stands. Counts go up to {@link #MOST}, which means "this many or more".
 *
 * @param byState tasks by state
 * @param overdue tasks whose instant has passed and that nobody has
 * @param runners living processes that can run the type; zero with tasks waiting means that nobody will
 * @param assigned tasks ever shared out
 * @param assignedAt when they were shared out last
 * @param assignment how long that took
 * @param lag from the instant to the start of the handler, in this process since its start
 */
public record TaskFigures(
        String type,
        Map<TaskState, Integer> byState,
        int overdue,
        int runners,
        long assigned,
        Optional<Instant> assignedAt,
        Duration assignment,
        Lag lag) {

    public static final int MOST = 10_000;

    /** How late handlers started. */
    public record Lag(long started, Duration p50, Duration p99, Duration most) {}

    /** Tasks that wait in somebody's share. */
    public int preAssigned() {
        return byState.getOrDefault(TaskState.ASSIGNED, 0);
    }

    /** True if something waits that no living process can run. */
    public boolean isStranded() {
        return runners == 0 && (preAssigned() > 0 || byState.getOrDefault(TaskState.PENDING, 0) > 0);
    }
}
