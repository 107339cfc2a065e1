/** How long after it was stored an item starts on an idle node. Start at {@link dev.turno.benchmarks.latency.Latency}. */
@NullMarked
package dev.turno.benchmarks.latency;

import org.jspecify.annotations.NullMarked;
