/**
 * The records of all snapshots, in files. Pages of a harvest go to a spool that survives a crash; from it parts are built, which are plain
 * Parquet with the XML inside, readable by any tool.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.store.ParquetStore}. A file counts only if a row of {@code turno_part} names it, and
 * that row is written in the transaction that moves the run on. File names carry the fence of the run that wrote them, so a late writer
 * never overwrites anything.
 */
@NullMarked
package dev.turno.harvester.store;

import org.jspecify.annotations.NullMarked;
