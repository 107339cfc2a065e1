/**
 * Who may run beside whom, in the whole cluster.
 *
 * <p><b>What for:</b> a lane is a name under which at most one thing runs, in the order in which things came; a slot is one
 * of K places. Both are rows: counting what runs would be racy. <b>Start at</b> {@link dev.turno.lane.Lanes} and
 * {@link dev.turno.lane.Slots}; {@link dev.turno.lane.LaneTurns} hands the turn on in the lanes of a feature, and
 * {@link dev.turno.lane.Finishes} writes its verdicts, which is when the turn is handed on.
 *
 * <p><b>Promises:</b> the order of a lane is the order of the commits, because drawing its sequence locks the lane until
 * the commit. <b>Does not</b> know what waits in a lane: the features do.
 */
@NullMarked
package dev.turno.lane;

import org.jspecify.annotations.NullMarked;
