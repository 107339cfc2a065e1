package dev.turno.sql;

import java.sql.Connection;

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

    public Connection connection() {
        return connection;
    }
}
