package dev.turno.benchmarks.locks;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * The fewest statements that make a lock with a lease and a fence: one conditional update to take it, one to give it back,
 * prepared once, on a connection per thread that is never given away. No queue, no renewal, no pool.
 */
final class BareStatements implements Contestant {

    private static final String TAKE = """
            update bare_lock set fence = fence + 1, owner = ?, expires_at = {now} + {lease}
             where name = ? and expires_at <= {now}""";
    private static final String RELEASE = "update bare_lock set expires_at = {now} where name = ? and owner = ?";

    private static String in(TestDatabase kind, String sql) {
        return switch (kind) {
            case POSTGRESQL ->
                sql.replace("{now}", "statement_timestamp()")
                        .replace("{lease}", "interval '30 seconds'")
                        .replace("{moment}", "timestamptz");
            case MARIADB ->
                sql.replace("{now}", "utc_timestamp(6)")
                        .replace("{lease}", "interval 30 second")
                        .replace("{moment}", "datetime(6)");
            case H2 ->
                sql.replace("{now}", "current_timestamp(6)")
                        .replace("{lease}", "interval '30' second")
                        .replace("{moment}", "timestamp(6) with time zone");
        };
    }

    @Override
    public String who() {
        return "two statements";
    }

    @Override
    public Instance open(FreshDatabase database) throws SQLException {
        TestDatabase kind = database.kind();
        boolean isPostgres = kind == TestDatabase.POSTGRESQL;
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute(in(
                            kind,
                            "create table bare_lock (name varchar(255) primary key, fence bigint not null, owner bigint,"
                                    + " expires_at {moment} not null)")
                    + (isPostgres ? " with (fillfactor = 50)" : ""));
            for (String name : LockRates.names()) {
                statement.execute(in(kind, "insert into bare_lock values ('" + name + "', 0, null, {now})"));
            }
        }
        return new Instance() {
            @Override
            public Client client() throws SQLException {
                return new Bare(connect(database), kind);
            }

            @Override
            public void close() {}
        };
    }

    private static Connection connect(FreshDatabase database) throws SQLException {
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    private static final class Bare implements Client {

        private final Connection connection;
        private final PreparedStatement take;
        private final PreparedStatement release;
        private final long owner = Thread.currentThread().getId();

        Bare(Connection connection, TestDatabase kind) throws SQLException {
            this.connection = connection;
            // The fence comes back in the same statement where the database can do that; else nobody gets to know it.
            String fence = kind == TestDatabase.POSTGRESQL ? " returning fence" : "";
            this.take = connection.prepareStatement(in(kind, TAKE) + fence);
            this.release = connection.prepareStatement(in(kind, RELEASE));
        }

        @Override
        public void cycle(String name, Runnable inside) throws SQLException, InterruptedException {
            while (!take(name)) {
                LockRates.backOff(Duration.ofMillis(5), Duration.ofMillis(20));
            }
            inside.run();
            release.setString(1, name);
            release.setLong(2, owner);
            if (release.executeUpdate() != 1) {
                throw new IllegalStateException("The bare lock was lost.");
            }
        }

        private boolean take(String name) throws SQLException {
            take.setLong(1, owner);
            take.setString(2, name);
            if (!take.execute()) {
                return take.getUpdateCount() == 1;
            }
            try (ResultSet result = take.getResultSet()) {
                return result.next() && result.getLong(1) > 0;
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
