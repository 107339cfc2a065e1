package dev.turno.harvester.record;

import java.util.OptionalLong;

/**
 * Which records of a snapshot are read.
 *
 * @param since only what harvests after this snapshot brought; empty: everything
 * @param deleted whether deleted records are given too
 */
public record Selection(OptionalLong since, boolean deleted) {

    /** All live records. */
    public static Selection live() {
        return new Selection(OptionalLong.empty(), false);
    }

    /** What is new, changed or deleted after a snapshot, deletions included. */
    public static Selection changedSince(long snapshot) {
        return new Selection(OptionalLong.of(snapshot), true);
    }
}
