/**
 * Statements in files, run over plain JDBC. Not exported: the other rooms' tables are its only readers.
 *
 * <p><b>What for:</b> whole named statements live in {@code dev/turno/sql/<dialect>/<feature>.sql} and are read as SQL; this
 * room loads them, binds values, and knows what differs between databases. <b>Start at</b> {@link dev.turno.sql.Database}.
 *
 * <p><b>Promises:</b> values are bound, never glued; a transaction opened here is short, READ COMMITTED, and rolled back by
 * the server if this process freezes inside it; statements that lost a deadlock are repeated.
 */
@NullMarked
package dev.turno.sql;

import org.jspecify.annotations.NullMarked;
