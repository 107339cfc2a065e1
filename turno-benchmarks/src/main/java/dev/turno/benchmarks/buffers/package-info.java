/**
 * What a buffer can take, and what an add costs when a burst is long and keys are many. Start at
 * {@link dev.turno.benchmarks.buffers.BufferRates}.
 */
@NullMarked
package dev.turno.benchmarks.buffers;

import org.jspecify.annotations.NullMarked;
