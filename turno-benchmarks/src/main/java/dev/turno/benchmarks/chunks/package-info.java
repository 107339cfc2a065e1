/**
 * Rows read in pages and written back, one transaction a page: Turno's runs, Spring Batch, and a plain JDBC loop, each with a
 * statement per item and with one statement per page. Start at {@link dev.turno.benchmarks.chunks.Chunks}.
 */
@NullMarked
package dev.turno.benchmarks.chunks;

import org.jspecify.annotations.NullMarked;
