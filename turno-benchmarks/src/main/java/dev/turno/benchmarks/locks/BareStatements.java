package dev.turno.benchmarks.locks;

import dev.turno.testkit.database.FreshDatabase;
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
            update bare_lock set fence = fence + 1, owner = ?, expires_at = statement_timestamp() + interval '30 seconds'
             where name = ? and expires_at <= statement_timestamp() returning fence""";
    private static final String RELEASE =
            "update bare_lock set expires_at = statement_timestamp() where name = ? and owner = ? and fence = ?";

    @Override
    public String who() {
        return "two statements";
    }

    @Override
    public Instance open(FreshDatabase database) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table bare_lock (name varchar(255) collate \"C\" primary key, fence bigint not null,"
                            + " owner bigint, expires_at timestamptz not null) with (fillfactor = 50)");
            for (String name : LockRates.names()) {
                statement.execute("insert into bare_lock values ('" + name + "', 0, null, now())");
            }
        }
        return new Instance() {
            @Override
            public Client client() throws SQLException {
                return new Bare(connect(database));
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

        Bare(Connection connection) throws SQLException {
            this.connection = connection;
            this.take = connection.prepareStatement(TAKE);
            this.release = connection.prepareStatement(RELEASE);
        }

        @Override
        public void cycle(String name, Runnable inside) throws SQLException, InterruptedException {
            long fence = take(name);
            while (fence == 0) {
                LockRates.backOff(Duration.ofMillis(5), Duration.ofMillis(20));
                fence = take(name);
            }
            inside.run();
            release.setString(1, name);
            release.setLong(2, owner);
            release.setLong(3, fence);
            if (release.executeUpdate() != 1) {
                throw new IllegalStateException("The bare lock was lost.");
            }
        }

        private long take(String name) throws SQLException {
            take.setLong(1, owner);
            take.setString(2, name);
            try (ResultSet result = take.executeQuery()) {
                return result.next() ? result.getLong(1) : 0;
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
