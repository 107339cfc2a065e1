/**
 * The tables of the HTTP API itself: tokens and audit; and of the dashboard: history and failures.
 *
 * <p><b>Start at</b> {@link dev.turno.web.tables.WebTables}. <b>Promises:</b> whole named statements for each of the three databases,
 * moments by the database's clock.
 */
@NullMarked
package dev.turno.web.tables;

import org.jspecify.annotations.NullMarked;
