/**
 * Time as the engine sees it.
 *
 * <p><b>What for:</b> every deadline is computed in SQL from the database's clock; this room only says whether statements
 * ask that clock or are given a moment by a test, and counts elapsed time inside this process.
 *
 * <p><b>Start at</b> {@link dev.turno.time.Time}. <b>Promises:</b> no other room reads a wall clock.
 */
@NullMarked
package dev.turno.time;

import org.jspecify.annotations.NullMarked;
