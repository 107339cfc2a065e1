/**
 * Real databases for tests: H2, PostgreSQL and MariaDB, empty and at once.
 *
 * <p><b>What for.</b> What Turno promises is decided by locks, clocks and crashes of a database, none of which a fake has. So each
 * test gets a database of its own on a real server: a few milliseconds, because the server is started once for the JVM.
 *
 * <p><b>Where to start.</b> {@link dev.turno.testkit.database.OnEveryDatabase @OnEveryDatabase} on a test class that takes a
 * {@link dev.turno.testkit.database.FreshDatabase} in its constructor; or
 * {@link dev.turno.testkit.database.TestDatabase#fresh() TestDatabase.POSTGRESQL.fresh()} anywhere.
 * To crash the server, take one of your own: {@link dev.turno.testkit.database.TestDatabase#newServer()}, or a
 * {@link dev.turno.testkit.database.PostgreSqlPair} with a standby. To cut the network, put a
 * {@link dev.turno.testkit.database.TcpProxy} before it.
 *
 * <p><b>What it promises.</b> The servers flush at every commit, as in production: fsync and synchronous_commit are on, H2 has
 * WRITE_DELAY=0. They listen on the loopback address only and are gone when the JVM is, however it ended. Applications are no
 * superusers. MariaDB keeps its default isolation, REPEATABLE READ.
 *
 * <p><b>What it does not do.</b> Prove anything about power loss: killing a server leaves the kernel's memory intact. Windows.
 * Other versions of the servers than those on the class path.
 */
@NullMarked
package dev.turno.testkit.database;

import org.jspecify.annotations.NullMarked;
