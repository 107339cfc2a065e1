/**
 * Turno: every piece of work gets its turn, and one holder at a time.
 *
 * <p><b>Start at</b> {@link dev.turno.Turno}. This package holds the facade alone, with what it takes and gives; nothing imports it.
 */
@NullMarked
package dev.turno;

import org.jspecify.annotations.NullMarked;
