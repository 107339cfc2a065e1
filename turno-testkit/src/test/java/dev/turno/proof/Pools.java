package dev.turno.proof;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.FreshDatabase;

/** Connections as an application would have them, with timeouts below the short leases of the proofs. */
final class Pools {

    private static final long TIMEOUT_MS = 1_000;
    private static final long START_MS = 20_000;

    private Pools() {}

    /** Also while the server is down. */
    static HikariDataSource open(String url, String user, String password, int connections) {
        return open(url, user, password, connections, -1);
    }

    /** For a node that starts: on a busy machine the first connection may take longer than any later one is allowed to. */
    static HikariDataSource openPatiently(String url, String user, String password, int connections) {
        return open(url, user, password, connections, START_MS);
    }

    private static HikariDataSource open(String url, String user, String password, int connections, long patience) {
        HikariConfig config = FreshDatabase.poolOf(url, user, password);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        config.setInitializationFailTimeout(patience);
        config.setConnectionTimeout(TIMEOUT_MS);
        config.setValidationTimeout(TIMEOUT_MS / 2);
        return new HikariDataSource(config);
    }
}
