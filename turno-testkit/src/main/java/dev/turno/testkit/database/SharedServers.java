package dev.turno.testkit.database;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One server of each kind for the whole JVM, started when first asked for. The only static state here, and on purpose: starting
 * one takes longer than most tests. They end with the JVM, by its {@link dev.turno.testkit.process.RunDirectory}.
 */
final class SharedServers {

    private static final Map<TestDatabase, RestartableServer> STARTED = new EnumMap<>(TestDatabase.class);

    private static @Nullable PgBouncer pgBouncer;

    private SharedServers() {}

    static synchronized PgBouncer pgBouncer() {
        PgBouncer started = pgBouncer == null ? PgBouncer.before(of(TestDatabase.POSTGRESQL)) : pgBouncer;
        pgBouncer = started;
        return started;
    }

    static synchronized RestartableServer of(TestDatabase kind) {
        return STARTED.computeIfAbsent(kind, TestDatabase::newServer);
    }
}
