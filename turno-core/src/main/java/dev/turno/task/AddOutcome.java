package dev.turno.task;

/** What became of a schedule that was only to be added. */
public enum AddOutcome {
    /** It is new. */
    ADDED,
    /** It stands there exactly like this. */
    SAME,
    /** Another one has its name; nothing was changed. */
    OTHER
}
