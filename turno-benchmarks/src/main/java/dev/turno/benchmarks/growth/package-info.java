/**
 * Whether taking stays as cheap as it was when the inbox grows, and after a minute of churn. Start at
 * {@link dev.turno.benchmarks.growth.Growth}.
 */
@NullMarked
package dev.turno.benchmarks.growth;

import org.jspecify.annotations.NullMarked;
