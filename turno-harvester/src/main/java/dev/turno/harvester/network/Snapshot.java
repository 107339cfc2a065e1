package dev.turno.harvester.network;

import java.time.Instant;
import java.util.Optional;

/**
 * What one harvest of a network brought.
 *
 * @param previous the last good snapshot when it began
 * @param full it stands alone; else it lies over {@code previous}
 * @param run the run that harvests it
 * @param untilAt up to this moment of the source's clock its records are complete: the next harvest begins here
 * @param size records that it brought, deletions not counted
 * @param deleted deletions that it brought
 * @param total live records that it shows, with those of the snapshots below; known when it is complete
 * @param error why it failed, or what a person has to decide
 */
public record Snapshot(
        long id,
        long network,
        Optional<Long> previous,
        boolean full,
        long run,
        SnapshotStatus status,
        Instant startedAt,
        Optional<Instant> finishedAt,
        Optional<Instant> untilAt,
        long size,
        long deleted,
        long valid,
        long transformed,
        long quarantined,
        long total,
        Optional<String> error) {}
