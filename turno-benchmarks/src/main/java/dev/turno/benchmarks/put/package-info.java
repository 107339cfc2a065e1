/** How many items a second are stored: one at a time, a thousand at a time, in the caller's transaction. Start at {@link dev.turno.benchmarks.put.PutRates}. */
@NullMarked
package dev.turno.benchmarks.put;

import org.jspecify.annotations.NullMarked;
