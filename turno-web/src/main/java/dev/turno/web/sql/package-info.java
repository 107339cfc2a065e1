/**
 * Statements in files for the rooms above the engine, whose own SQL is not open to them.
 *
 * <p><b>Start at</b> {@link dev.turno.web.sql.SqlFile}. <b>Promises:</b> values are bound, never glued; <code>{now}</code> is the
 * database's clock. <b>Does not</b> know any table: each room has its files beside its classes.
 */
@NullMarked
package dev.turno.web.sql;

import org.jspecify.annotations.NullMarked;
