/**
 * How many waiting messages a node gets through: Turno, a bare JDBC loop with Turno's own statements, what the machine commits, and the
 * peers. Start at {@link dev.turno.benchmarks.throughput.Throughput}.
 */
@NullMarked
package dev.turno.benchmarks.throughput;

import org.jspecify.annotations.NullMarked;
