/**
 * The idea of Turno: a claim is one holder's exclusive right to one row, proved by a fence.
 *
 * <p><b>What for:</b> the few values that every feature shares. A row has {@code turn_at} (from this moment anyone may take
 * it), {@code fence} (grows at each taking, never goes back) and {@code holder} (who has it).
 *
 * <p><b>Start at</b> {@link dev.turno.claim.ClaimableRows}, the four acts on a claim, and {@link dev.turno.claim.Turn},
 * what a handler sees of one.
 *
 * <p><b>Promises:</b> each item has at most one valid holder at a time; a holder that lost its claim cannot record a result;
 * an effect written to the same database in the handler's transaction happens once; an effect outside can repeat after a
 * crash, with the same key and a higher fence.
 *
 * <p><b>Does not</b> talk to a database.
 */
@NullMarked
package dev.turno.claim;

import org.jspecify.annotations.NullMarked;
