/**
 * The service's statements in files, one folder per dialect, run by Spring's JdbcClient.
 *
 * <p><b>Start at</b> {@link dev.turno.certification.sql.Sql}. <b>Promises:</b> values are bound, never glued; <code>{now}</code> is
 * the database's clock.
 */
@NullMarked
package dev.turno.certification.sql;

import org.jspecify.annotations.NullMarked;
