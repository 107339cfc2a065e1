/**
 * Records as they lie in the store, and the one interface through which all jobs read and judge them.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.record.RecordStore}. A harvest fills a snapshot; validation reads its records page
 * by page and keeps a result for each; indexing reads both together.
 */
@NullMarked
package dev.turno.harvester.record;

import org.jspecify.annotations.NullMarked;
