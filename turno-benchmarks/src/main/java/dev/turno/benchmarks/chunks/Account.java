package dev.turno.benchmarks.chunks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A row, and the two ways to write it back. */
record Account(long id, long amount) {

    static final String PAGE = "select id, amount from account where id > ? order by id limit ?";
    static final String UPDATE = "update account set amount = ? where id = ?";
    private static final String UPDATE_ALL =
            "update account a set amount = v.amount from unnest(?, ?) as v (id, amount) where a.id = v.id";

    static void create(Connection connection, int rows) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table account (id bigint primary key, amount bigint not null, name text not null)"
                    + " with (fillfactor = 90)");
            statement.execute(
                    "insert into account select n, n, 'account number ' || n from generate_series(1, " + rows + ") n");
            statement.execute("vacuum analyze account");
        }
    }

    static Account read(ResultSet row) throws SQLException {
        return new Account(row.getLong("id"), row.getLong("amount"));
    }

    Account plusOne() {
        return new Account(id, amount + 1);
    }

    void bind(PreparedStatement update) throws SQLException {
        update.setLong(1, amount);
        update.setLong(2, id);
    }

    static void updateAll(Connection connection, List<Account> accounts) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(UPDATE_ALL)) {
            update.setArray(
                    1,
                    connection.createArrayOf(
                            "int8", accounts.stream().map(Account::id).toArray()));
            update.setArray(
                    2,
                    connection.createArrayOf(
                            "int8",
                            accounts.stream().map(one -> one.amount() + 1).toArray()));
            update.executeUpdate();
        }
    }
}
