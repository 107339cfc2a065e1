/**
 * Walking through the records of a network's last good snapshot, page by page: what validation, indexing and the others have in common.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.walk.SnapshotWalk}. <b>Promises:</b> a run that was interrupted goes on with the
 * snapshot with which it began, although a newer one may be there by then.
 */
@NullMarked
package dev.turno.harvester.walk;

import org.jspecify.annotations.NullMarked;
