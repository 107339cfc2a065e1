/**
 * Turno and its peers behind one small interface: each stores numbered items and runs them, in its best documented configuration.
 * Start at {@link dev.turno.benchmarks.runners.Runner}.
 */
@NullMarked
package dev.turno.benchmarks.runners;

import org.jspecify.annotations.NullMarked;
