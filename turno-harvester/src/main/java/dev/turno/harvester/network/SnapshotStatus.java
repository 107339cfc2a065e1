package dev.turno.harvester.network;

import java.util.EnumSet;
import java.util.Set;

/** The states of a snapshot and the arrows between them. */
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

    public Set<SnapshotStatus> next() {
        return switch (this) {
            case HARVESTING, RETRYING -> EnumSet.of(HARVESTING, RETRYING, HARVEST_FAILED, HARVESTED, STOPPED, EMPTY);
            case HARVEST_FAILED, STOPPED -> EnumSet.of(HARVESTING);
            case HARVESTED, EMPTY, VALIDATED, INDEXED, INDEX_FAILED -> EnumSet.of(VALIDATED, INDEXING);
            case INDEXING -> EnumSet.of(INDEXING, INDEX_FAILED, INDEXED);
        };
    }

    /** True if the harvest behind it is complete, so that the next one may build on it. */
    public boolean isGood() {
        return switch (this) {
            case HARVESTED, VALIDATED, INDEXING, INDEX_FAILED, INDEXED, EMPTY -> true;
            case HARVESTING, RETRYING, HARVEST_FAILED, STOPPED -> false;
        };
    }
}
