package dev.turno.proof;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;

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
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        config.setInitializationFailTimeout(patience);
        // It also bounds how long the pool rests between its tries to reach a server that is away.
        config.setConnectionTimeout(TIMEOUT_MS);
        config.setValidationTimeout(TIMEOUT_MS / 2);
        config.setExceptionOverride(new BrokenConnections());
        return new HikariDataSource(config);
    }

    /** Hikari does not know by which code H2 says that a connection is broken, and would hand it out again and again. */
    private static final class BrokenConnections implements SQLExceptionOverride {

        @java.lang.Override
        public SQLExceptionOverride.Override adjudicate(SQLException failure) {
            return failure instanceof SQLNonTransientConnectionException
                    ? SQLExceptionOverride.Override.MUST_EVICT
                    : SQLExceptionOverride.Override.CONTINUE_EVICT;
        }
    }
}
