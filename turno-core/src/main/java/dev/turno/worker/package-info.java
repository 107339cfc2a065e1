/**
 * The loop that drives all features: take in batches, run handlers, finish in batches.
 *
 * <p><b>What for:</b> a feature brings its {@link dev.turno.claim.ClaimableRows} and a handler; this room brings threads,
 * wake-ups, backoff, deadlines and an orderly end. <b>Start at</b> {@link dev.turno.worker.Worker}.
 *
 * <p><b>Promises:</b> the loop never dies; no transaction is open while a handler runs; no more is taken than can be started
 * within about a second; what was taken but not run is given back at the end.
 */
@NullMarked
package dev.turno.worker;

import org.jspecify.annotations.NullMarked;
