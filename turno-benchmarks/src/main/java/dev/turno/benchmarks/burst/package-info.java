/**
 * Thousands of tasks for one instant: how late does each start? Two processes each, Turno beside db-scheduler, Quartz and JobRunr.
 * Start at {@link dev.turno.benchmarks.burst.Burst}.
 */
@NullMarked
package dev.turno.benchmarks.burst;

import org.jspecify.annotations.NullMarked;
