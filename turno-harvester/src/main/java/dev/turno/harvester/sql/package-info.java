/** The harvester's named statements, one file per feature and dialect, run through Spring's {@code JdbcClient}. */
@NullMarked
package dev.turno.harvester.sql;

import org.jspecify.annotations.NullMarked;
