/** What every workload is told: how much to do, on which database, and how long it may take. Start at {@link dev.turno.benchmarks.run.Setup}. */
@NullMarked
package dev.turno.benchmarks.run;

import org.jspecify.annotations.NullMarked;
