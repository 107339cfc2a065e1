/**
 * Hours of moderate load on everything, by processes that nothing happens to: {@code ./turno soak --minutes 60 --db postgresql}. What
 * grows slowly is seen here.
 *
 * <p><b>Start at</b> {@link dev.turno.soak.Soak}.
 */
@NullMarked
package dev.turno.soak;

import org.jspecify.annotations.NullMarked;
