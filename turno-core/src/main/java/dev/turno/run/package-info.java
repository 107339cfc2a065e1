/**
 * Long paged work with checkpoints: at most one run per lane, across all instances.
 *
 * <p><b>What for:</b> a job reads pages from a source and hands their items to a step; a run is one execution of it. Submit
 * it anywhere, one of the instances works it, page by page; it can be stopped and resumed, it survives crashes, and limits
 * hold for the whole cluster. <b>Start at</b> {@link dev.turno.run.Runs} and {@link dev.turno.run.Job}.
 *
 * <p><b>Promises:</b> what a page wrote in its transaction and the place where the next page begins are stored together, under
 * the run's fence, so no item is skipped and none is stored twice; a stopped or failed run is never taken for a finished one;
 * at most one run of a subject, or of any other lane, is under way at a time, in the order in which they were submitted;
 * everything in {@code docs/guarantees.md}.
 *
 * <p><b>Does not</b> undo what a step did outside of the database: after a crash the page is done again, with a higher fence.
 */
@NullMarked
package dev.turno.run;

import org.jspecify.annotations.NullMarked;
