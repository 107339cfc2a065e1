package dev.turno.harvester.network;

/** The states of a snapshot. */
public enum SnapshotStatus {
    /** Its harvest is under way. */
    HARVESTING,
    /** Its harvest waits for the source. */
    RETRYING,
    /** Its harvest failed; resumed, it goes on where it was. */
    HARVEST_FAILED,
    /** Its harvest is complete: the last good one until the next is. */
    HARVESTED,
    /** Its harvest was stopped by a person; it never counts as complete. */
    STOPPED,
    /** All its records were judged. */
    VALIDATED,
    INDEXING,
    INDEX_FAILED,
    INDEXED,
    /** Its harvest is complete and brought nothing. */
    EMPTY;

    /** True if the harvest behind it is complete, so that the next one may build on it. */
    public boolean isGood() {
        return switch (this) {
            case HARVESTED, VALIDATED, INDEXING, INDEX_FAILED, INDEXED, EMPTY -> true;
            case HARVESTING, RETRYING, HARVEST_FAILED, STOPPED -> false;
        };
    }
}
