package dev.turno.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;

/** A connection on which named statements can be called. Lives as long as the work it was given to. */
public final class Session {

    private final Connection connection;
    private final Database database;

    Session(Connection connection, Database database) {
        this.connection = connection;
        this.database = database;
    }

    public Call sql(String name) {
        Call call =
                new Call(connection, database.dialect(), database.statements().get(name));
        database.time().now().ifPresent(now -> call.set("now_us", now));
        return call;
    }

    /** True if one statement can change rows and return them. */
    public boolean takesInOneStatement() {
        return database.dialect().takesInOneStatement();
    }

    /** As {@link Database#changeUnlocked}, in this transaction. */
    public int changeUnlocked(String name, UnaryOperator<Call> values) throws SQLException {
        if (takesInOneStatement()) {
            return values.apply(sql(name)).update();
        }
        List<Long> ids = values.apply(sql(name + "-find")).list(row -> row.longValue("id"));
        return ids.isEmpty()
                ? 0
                : values.apply(sql(name + "-mark")).setAll("ids", ids).update();
    }

    /**
     * For what takes several statements: half of it must not be committed without the rest.
     *
     * @param what the beginning of the sentence, up to "cannot be put"
     */
    public void requireTransaction(String what) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    what + " on a connection in auto-commit mode, where there is no transaction to"
                            + " join. Call setAutoCommit(false) first, or do it without a connection. Nothing was changed.");
        }
    }

    public Connection connection() {
        return connection;
    }
}
