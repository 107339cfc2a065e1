package dev.turno.proof;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.FreshDatabase;

/** Connections as an application would have them, with timeouts below the short leases of the proofs. */
final class Pools {

    private static final long TIMEOUT_MS = 1_000;
    private static final long TESTS_TIMEOUT_MS = 5_000;
    private static final long START_MS = 20_000;

    private Pools() {}

    /** Also while the server is down. */
    static HikariDataSource open(String url, String user, String password, int connections) {
        return open(url, user, password, connections, -1, TIMEOUT_MS);
    }

    /** For a node that starts: on a busy machine the first connection may take longer than any later one is allowed to. */
    static HikariDataSource openPatiently(String url, String user, String password, int connections) {
        return open(url, user, password, connections, START_MS, TIMEOUT_MS);
    }

    /** For the test itself, which has no lease to keep: a machine that stands still for a moment must not fail it. */
    static HikariDataSource openForTheTest(FreshDatabase database, int connections) {
        return open(database.url(), database.user(), database.password(), connections, START_MS, TESTS_TIMEOUT_MS);
    }

    private static HikariDataSource open(
            String url, String user, String password, int connections, long patience, long timeout) {
        HikariConfig config = FreshDatabase.poolOf(url, user, password);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        config.setInitializationFailTimeout(patience);
        config.setConnectionTimeout(timeout);
        config.setValidationTimeout(timeout / 2);
        return new HikariDataSource(config);
    }
}
