/**
 * Who is alive.
 *
 * <p><b>What for:</b> one row per process, renewed every third of the lease, keeps everything that the process holds; a
 * process that stops renewing is declared dead by whoever notices, and its rows can be taken over.
 *
 * <p><b>Start at</b> {@link dev.turno.holder.Heartbeat}. <b>Promises:</b> a holder declared dead can take nothing more; a
 * holder that lapsed unnoticed loses nothing; a process that was itself away declares nobody dead until it has renewed for a
 * whole lease, so an outage of the database does not make everybody repeat everything.
 *
 * <p><b>Does not</b> see a handler that hangs in a living process: its row's own maximum run time does.
 */
@NullMarked
package dev.turno.holder;

import org.jspecify.annotations.NullMarked;
