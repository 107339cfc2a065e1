package dev.turno.benchmarks.chunks;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The loop that one would write by hand, without any memory of where it was. */
record PlainLoop(String who, boolean setBased) implements Contestant {

    @Override
    public Instance open(FreshDatabase database) {
        HikariDataSource pool = database.newPool(database.url(), Chunks.CONNECTIONS);
        return new Instance() {
            @Override
            public void run() throws SQLException {
                try (Connection reading = pool.getConnection();
                        Connection writing = pool.getConnection()) {
                    writing.setAutoCommit(false);
                    loop(reading, writing);
                    writing.setAutoCommit(true);
                }
            }

            @Override
            public void close() {
                pool.close();
            }
        };
    }

    private void loop(Connection reading, Connection writing) throws SQLException {
        for (List<Account> page = page(reading, 0);
                !page.isEmpty();
                page = page(reading, page.get(page.size() - 1).id())) {
            if (setBased) {
                Account.updateAll(writing, page);
            } else {
                updateEach(writing, page);
            }
            writing.commit();
        }
    }

    private static List<Account> page(Connection connection, long after) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(Account.PAGE)) {
            select.setLong(1, after);
            select.setInt(2, Chunks.PAGE);
            List<Account> page = new ArrayList<>(Chunks.PAGE);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    page.add(Account.read(row));
                }
            }
            return page;
        }
    }

    private static void updateEach(Connection connection, List<Account> page) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(Account.UPDATE)) {
            for (Account account : page) {
                account.plusOne().bind(update);
                update.addBatch();
            }
            update.executeBatch();
        }
    }
}
