package dev.turno.task;

/** What became of a scheduling. */
public sealed interface ScheduleOutcome {

    /** The task that has the key now, or that was stored. */
    long id();

    /** It was stored now. */
    record Scheduled(long id) implements ScheduleOutcome {}

    /** It was stored now, and {@code old}, which had its key, was given up or had ended before. */
    record Replaced(long id, long old) implements ScheduleOutcome {}

    /** A task with this key stands there already and was not touched; nothing was stored. */
    record Kept(long id, TaskState state) implements ScheduleOutcome {}

    /** The task with this key is armed or running and cannot be replaced any more; nothing was stored. */
    record TooLate(long id) implements ScheduleOutcome {}
}
