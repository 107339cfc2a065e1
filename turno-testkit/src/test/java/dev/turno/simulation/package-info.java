/**
 * The real statements, driven by dice: several nodes on one H2 in memory, of which exactly one runs at a time, with crashes, pauses, lost
 * answers and passing leases between any two statements.
 *
 * <p><b>What for:</b> orders of events that no test would think of. A seed decides everything, so the same seed is the same run.
 * <b>Start at</b> {@link dev.turno.simulation.SimulationTest}; {@code ./turno simulate} runs as many seeds as wished.
 *
 * <p><b>Promises:</b> the checker trusts nothing of the product's: it counts commits itself, and what is whose follows from their order.
 * <b>Does not</b> show what a database does with two statements at once: for that there are the proofs with real servers.
 */
@NullMarked
package dev.turno.simulation;

import org.jspecify.annotations.NullMarked;
