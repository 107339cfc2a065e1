package dev.turno.benchmarks.put;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.benchmarks.runners.Sql;
import dev.turno.testkit.database.TestDatabase;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * The plainest insert into Turno's own table: nothing is looked up, a duplicate would be an error. Prepared once, on a connection that is
 * never given away. Many at once by one statement over arrays where the database has them, else as a JDBC batch.
 */
final class BareInserts implements Contestant {

    static final String INBOX = "bench";

    @Override
    public String who() {
        return "bare insert";
    }

    @Override
    public boolean joinsTransactions() {
        return true;
    }

    static String id(int number) {
        return "order-" + number;
    }

    static String body(int number) {
        return "{\"order\":" + number + ",\"customer\":\"c-42\",\"cents\":1999}";
    }

    /** What the user writes in his own transaction. */
    static void createOrders(DataSource pool) throws SQLException {
        Sql.execute(pool, "create table customer_order (id bigint primary key, body varchar(200))");
    }

    static void order(Connection connection, int number) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into customer_order values (?, ?)")) {
            insert.setLong(1, number);
            insert.setString(2, body(number));
            insert.executeUpdate();
        }
    }

    @Override
    public void create(HikariDataSource pool, TestDatabase kind) throws SQLException {
        try (Turno turno = Turno.open(pool, TurnoOptions.defaults())) {
            turno.inbox(INBOX);
        }
        createOrders(pool);
    }

    @Override
    public Open open(HikariDataSource pool, TestDatabase kind) {
        return new Open() {
            @Override
            public Putter putter() throws SQLException {
                return new Inserting(
                        pool.getConnection(), kind, Sql.number(pool, "select id from turno_inbox_setting"));
            }

            @Override
            public long stored() throws SQLException {
                return Sql.number(pool, "select count(*) from turno_inbox where state = 'PENDING'");
            }

            @Override
            public void close() {}
        };
    }

    private static final class Inserting implements Putter {

        private static final String COLUMNS =
                "insert into turno_inbox (inbox_id, message_id, class, state, turn_at, put_at, body)";

        private final Connection connection;
        private final TestDatabase kind;
        private final PreparedStatement one;
        private final PreparedStatement many;

        Inserting(Connection connection, TestDatabase kind, long inbox) throws SQLException {
            this.connection = connection;
            this.kind = kind;
            String now = switch (kind) {
                case POSTGRESQL -> "statement_timestamp()";
                case MARIADB -> "utc_timestamp(6)";
                case H2 -> "current_timestamp(6)";
            };
            String values = inbox + ", %s, 4, 'PENDING', " + now + ", " + now + ", %s";
            this.one = connection.prepareStatement(COLUMNS + " values (" + values.formatted("?", "?") + ")");
            this.many = kind == TestDatabase.POSTGRESQL
                    ? connection.prepareStatement(COLUMNS + " select " + values.formatted("m.id", "m.body")
                            + " from unnest(?, ?) as m (id, body)")
                    : one;
        }

        @Override
        public void one(int number) throws SQLException {
            one.setString(1, id(number));
            one.setString(2, body(number));
            one.executeUpdate();
        }

        @Override
        public void many(int from, int to) throws SQLException {
            if (kind == TestDatabase.POSTGRESQL) {
                many.setArray(
                        1,
                        texts(IntStream.range(from, to)
                                .mapToObj(BareInserts::id)
                                .toArray(String[]::new)));
                many.setArray(
                        2,
                        texts(IntStream.range(from, to)
                                .mapToObj(BareInserts::body)
                                .toArray(String[]::new)));
                many.executeUpdate();
                return;
            }
            connection.setAutoCommit(false);
            for (int number = from; number < to; number++) {
                many.setString(1, id(number));
                many.setString(2, body(number));
                many.addBatch();
            }
            many.executeBatch();
            connection.commit();
            connection.setAutoCommit(true);
        }

        private Array texts(String[] values) throws SQLException {
            return connection.createArrayOf("text", values);
        }

        @Override
        public void inTransaction(int number) throws SQLException {
            connection.setAutoCommit(false);
            order(connection, number);
            one(number);
            connection.commit();
            connection.setAutoCommit(true);
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
