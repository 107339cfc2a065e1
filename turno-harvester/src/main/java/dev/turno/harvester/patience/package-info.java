/**
 * What jobs do when a disk is full, or an index or a source is away: wait and try again, for a while.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.patience.Patience}.
 */
@NullMarked
package dev.turno.harvester.patience;

import org.jspecify.annotations.NullMarked;
