/**
 * The harvester's named statements, one file per feature for all databases, and its tables, of which each database has its own.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.sql.Sql}.
 */
@NullMarked
package dev.turno.harvester.sql;

import org.jspecify.annotations.NullMarked;
