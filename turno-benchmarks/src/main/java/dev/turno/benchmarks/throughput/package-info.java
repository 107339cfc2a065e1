/**
 * How many messages with nothing to do a node gets through: Turno, a bare JDBC loop with Turno's own statements, and db-scheduler.
 * Start at {@link dev.turno.benchmarks.throughput.Throughput}.
 */
@NullMarked
package dev.turno.benchmarks.throughput;

import org.jspecify.annotations.NullMarked;
