/** What a benchmark answers: figures with their spread, ratios, goals, violations; and how that is printed. */
@NullMarked
package dev.turno.benchmarks.result;

import org.jspecify.annotations.NullMarked;
