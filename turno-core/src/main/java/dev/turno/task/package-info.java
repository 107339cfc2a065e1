/**
 * Work for an instant.
 *
 * <p><b>What for:</b> thousands of tasks are due at ten o'clock sharp. Before that moment they are shared out evenly over the
 * processes that can run them, each loads its share into memory, and starts it on the dot without asking the database. What
 * comes late, or is left over by somebody who died, is taken dynamically. And cron lines, each run once in the whole cluster.
 *
 * <p><b>Start at</b> {@link dev.turno.task.Tasks}: schedule, cancel, reschedule, handle, cron, look.
 *
 * <p><b>Promises:</b> a task never starts before its instant by the database's clock; a task that was cancelled, rescheduled or
 * given to another holder never runs from an old copy in memory; a cron line with fixed hours runs once per local day through
 * both clock changes; everything in {@code docs/guarantees.md}.
 *
 * <p><b>Does not</b> promise an order among tasks of one instant beyond priority and lane, and does not read bodies: they are text.
 */
@NullMarked
package dev.turno.task;

import org.jspecify.annotations.NullMarked;
