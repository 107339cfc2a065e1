package dev.turno.server;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One database of each kind for many tests, each in a namespace of its own: to make the tables takes longer than most tests do.
 * Threads may share it.
 */
public final class SharedDatabase {

    private static final Map<TestDatabase, FreshDatabase> ALL = new ConcurrentHashMap<>();

    private SharedDatabase() {}

    public static FreshDatabase on(TestDatabase kind) {
        return ALL.computeIfAbsent(kind, TestDatabase::fresh);
    }

    /** One that nobody has used. */
    public static String namespace() {
        return "n" + UUID.randomUUID().toString().replace("-", "");
    }
}
