package dev.turno.task;

/** What became of a cancelling or rescheduling. */
public sealed interface ChangeOutcome {

    record Changed() implements ChangeOutcome {}

    /** It is armed, running or over; nothing was changed. */
    record TooLate(TaskState state) implements ChangeOutcome {}

    /** There is no such task in this namespace: it never was, or its time to be kept has passed. */
    record Unknown() implements ChangeOutcome {}
}
