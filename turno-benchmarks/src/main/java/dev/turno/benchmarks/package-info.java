/**
 * Every number that the documentation states, by the command that measures it. Start at {@link dev.turno.benchmarks.Bench}.
 *
 * <p>A benchmark has a package of its own and answers a {@link dev.turno.benchmarks.result.Report}. It says what it measured, beside
 * whom and whether the goals were met; it fails only if what it measured was not done right. Contestants run in turns on one
 * server, and ratios are taken within a round, because the machine is never quiet.
 */
@NullMarked
package dev.turno.benchmarks;

import org.jspecify.annotations.NullMarked;
