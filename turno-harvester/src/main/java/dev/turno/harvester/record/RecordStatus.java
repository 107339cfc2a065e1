package dev.turno.harvester.record;

/** What is known about a record of a snapshot. */
public enum RecordStatus {
    /** No rule has looked at it yet. */
    UNTESTED,
    VALID,
    INVALID,
    /** Its source does not have it any more. */
    DELETED
}
