/**
 * What happens inside, told to whoever listens.
 *
 * <p><b>What for:</b> logs, meters and the dashboard all hang on one {@link dev.turno.watch.Watcher}. <b>Start at</b>
 * {@link dev.turno.watch.WorkEvent}. <b>Promises:</b> events come per batch where there are many, a watcher that throws
 * harms nobody. <b>Does not</b> keep anything but {@link dev.turno.watch.Counters}.
 */
@NullMarked
package dev.turno.watch;

import org.jspecify.annotations.NullMarked;
