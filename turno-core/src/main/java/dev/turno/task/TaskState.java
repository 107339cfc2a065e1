package dev.turno.task;

import java.util.EnumSet;
import java.util.Set;

/** The states of a task and the arrows between them; the statements' {@code where} clauses enforce them. */
public enum TaskState {
    /** Waits for its instant, or for its next try. */
    PENDING,
    /** Waits for its instant in the share of one holder. */
    ASSIGNED,
    /** In the hands of a holder: armed for the instant that comes, or running. */
    DOING,
    /** Handled. */
    DONE,
    /** Parked for a person, with the error. */
    DEAD,
    /** Given up by a person, or replaced by another task with its key. */
    CANCELLED;

    public Set<TaskState> next() {
        return switch (this) {
            case PENDING -> EnumSet.of(PENDING, ASSIGNED, DOING, CANCELLED); // PENDING again: rescheduled
            case ASSIGNED -> EnumSet.of(PENDING, ASSIGNED, DOING, CANCELLED); // ASSIGNED again: given to another holder
            case DOING -> EnumSet.of(DOING, PENDING, DONE, DEAD); // DOING again: a lapsed claim taken over
            case DEAD -> EnumSet.of(PENDING, CANCELLED); // revived, or given up, by a person
            case DONE, CANCELLED -> EnumSet.noneOf(TaskState.class);
        };
    }
}
