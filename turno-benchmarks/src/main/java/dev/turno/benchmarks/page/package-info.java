/** {@code docs/performance.md} and its plots, from the results of a run. Start at {@link dev.turno.benchmarks.page.PerformancePage}. */
@NullMarked
package dev.turno.benchmarks.page;

import org.jspecify.annotations.NullMarked;
