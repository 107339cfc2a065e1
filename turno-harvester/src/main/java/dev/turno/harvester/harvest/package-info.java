/**
 * Harvesting as a job of Turno: pages from the source to the spool, from the spool to parts, and at the end, in one transaction, the
 * snapshot becomes the last good one.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.harvest.HarvestJob}. <b>Promises:</b> a crash costs at most the page that was being
 * fetched; nothing is lost and nothing counts twice; a run that was stopped or failed never becomes the last good one; a source that
 * suddenly has much less than before needs a person's word.
 */
@NullMarked
package dev.turno.harvester.harvest;

import org.jspecify.annotations.NullMarked;
