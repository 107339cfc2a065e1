/**
 * Every feature under {@link dev.turno.testkit.chaos.Chaos}: {@code ./turno chaos}.
 *
 * <p>{@link dev.turno.chaos.Workload} is what a feature is given to do, how the processes do it, and what has to be true of it in the end.
 * The checks trust neither the product's books nor its fences: effects are written to a table without a key, so that whatever happens twice
 * stands there twice, and {@link dev.turno.chaos.Books triggers} note what the database accepted, and under whose name.
 * {@link dev.turno.chaos.ChaosCommand} is where to start.
 */
@NullMarked
package dev.turno.chaos;

import org.jspecify.annotations.NullMarked;
