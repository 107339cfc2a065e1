package dev.turno.benchmarks.put;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.benchmarks.runners.Sql;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.NewMessage;
import dev.turno.testkit.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.IntStream;

/** Turno as it is used: a node with all its threads, though nothing is handled. */
final class TurnoPuts implements Contestant {

    @Override
    public String who() {
        return "turno";
    }

    @Override
    public boolean joinsTransactions() {
        return true;
    }

    @Override
    public void create(HikariDataSource pool, TestDatabase kind) throws SQLException {
        try (Turno turno = Turno.open(pool, TurnoOptions.defaults())) {
            turno.inbox(BareInserts.INBOX);
        }
        BareInserts.createOrders(pool);
    }

    @Override
    public Open open(HikariDataSource pool, TestDatabase kind) {
        Turno turno = Turno.start(pool);
        Inbox inbox = turno.inbox(BareInserts.INBOX);
        return new Open() {
            @Override
            public Putter putter() {
                return new Putting(pool, inbox);
            }

            @Override
            public long stored() throws SQLException {
                return Sql.number(pool, "select count(*) from turno_inbox where state = 'PENDING'");
            }

            @Override
            public void close() {
                turno.close();
            }
        };
    }

    private record Putting(HikariDataSource pool, Inbox inbox) implements Putter {

        @Override
        public void one(int number) {
            inbox.put(message(number));
        }

        @Override
        public void many(int from, int to) {
            inbox.putAll(IntStream.range(from, to).mapToObj(TurnoPuts::message).toList());
        }

        @Override
        public void inTransaction(int number) throws SQLException {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                BareInserts.order(connection, number);
                inbox.put(connection, message(number));
                connection.commit();
            }
        }
    }

    private static NewMessage message(int number) {
        return NewMessage.of(BareInserts.id(number), BareInserts.body(number));
    }
}
