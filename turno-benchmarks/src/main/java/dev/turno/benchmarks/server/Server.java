package dev.turno.benchmarks.server;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.RestartableServer;
import dev.turno.testkit.database.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The database server of one benchmark, and its administrator. Not shared by threads. What only PostgreSQL can tell (commits, bytes of
 * the log) is asked of PostgreSQL only.
 */
public final class Server implements AutoCloseable {

    private static final List<String> SETTINGS = List.of(
            "server_version",
            "fsync",
            "synchronous_commit",
            "full_page_writes",
            "wal_sync_method",
            "shared_buffers",
            "max_wal_size",
            "checkpoint_timeout",
            "autovacuum",
            "autovacuum_naptime");
    private static final int LOOKS = 100;

    private static final List<String> MARIADB_SETTINGS = List.of(
            "version", "innodb_flush_log_at_trx_commit", "innodb_buffer_pool_size", "innodb_log_file_size", "log_bin");

    private final TestDatabase kind;
    private final RestartableServer server;

    private Server(TestDatabase kind, RestartableServer server) {
        this.kind = kind;
        this.server = server;
    }

    public static Server start() throws SQLException {
        return start(TestDatabase.POSTGRESQL);
    }

    /** Starts it, and refuses to measure anything on a server that does not write to the disk. */
    public static Server start(TestDatabase kind) throws SQLException {
        Server started = new Server(kind, kind.newServer());
        if (kind == TestDatabase.POSTGRESQL) {
            started.require("fsync", "on");
            started.require("synchronous_commit", "on");
        }
        return started;
    }

    private void require(String setting, String wanted) throws SQLException {
        String found = text("show " + setting);
        if (!found.equals(wanted)) {
            close();
            throw new IllegalStateException("The server has " + setting + " = " + found + "; a benchmark needs "
                    + wanted + ". Look at the options in turno-testkit's PostgreSqlEngine.");
        }
    }

    /** An empty database, to be closed. */
    public FreshDatabase fresh() {
        return server.fresh();
    }

    /** The same for all contestants, in the server's own words. */
    public String settings() throws SQLException {
        return switch (kind) {
            case POSTGRESQL -> "PostgreSQL" + postgresSettings();
            case MARIADB -> "MariaDB" + mariaDbSettings();
            case H2 -> "H2 " + fromFresh("select h2version()") + " WRITE_DELAY=0, a server process with a file";
        };
    }

    private String postgresSettings() throws SQLException {
        StringBuilder all = new StringBuilder();
        for (String setting : SETTINGS) {
            all.append(' ').append(setting).append('=').append(text("show " + setting));
        }
        return all.toString();
    }

    private String mariaDbSettings() throws SQLException {
        StringBuilder all = new StringBuilder();
        for (String setting : MARIADB_SETTINGS) {
            all.append(' ').append(setting).append('=').append(fromFresh("select @@" + setting));
        }
        return all.toString();
    }

    private String fromFresh(String sql) throws SQLException {
        try (FreshDatabase database = fresh();
                Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    /** Everybody starts from here: nothing left to be written for those before. */
    public void checkpoint() throws SQLException {
        if (kind == TestDatabase.POSTGRESQL) {
            execute("checkpoint");
        }
    }

    /** Without full-page images what is written to the log depends on the work alone, not on the moment of a checkpoint. */
    public void fullPageWrites(boolean on) throws SQLException {
        String wanted = on ? "on" : "off";
        execute("alter system set full_page_writes = " + wanted);
        execute("select pg_reload_conf()");
        for (int look = 0; !text("show full_page_writes").equals(wanted); look++) {
            if (look == LOOKS) {
                throw new IllegalStateException("The server did not switch full_page_writes " + wanted + ".");
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        checkpoint();
    }

    /** How many bytes were ever written to the log. */
    public long walBytes() throws SQLException {
        return Long.parseLong(text("select cast(pg_current_wal_insert_lsn() - pg_lsn '0/0' as bigint)"));
    }

    /** Commits in a database so far. A session reports its own at its end at the latest: close the pools before asking. */
    public long commits(String database) throws SQLException {
        return Long.parseLong(
                text("select xact_commit from pg_stat_database where datname = '" + database.replace("'", "''") + "'"));
    }

    /** Sessions in a database: a backend lives on for a moment after its connection was closed. */
    public void awaitNoSessions(String database) throws SQLException {
        String sessions = "select count(*) from pg_stat_activity where backend_type = 'client backend' and datname = '"
                + database.replace("'", "''") + "'";
        for (int look = 0; look < LOOKS && !text(sessions).equals("0"); look++) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String text(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    /** In a database of its own, so that its commits are not counted among the contestants'. */
    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres", "postgres", "");
    }

    @Override
    public void close() {
        server.close();
    }
}
