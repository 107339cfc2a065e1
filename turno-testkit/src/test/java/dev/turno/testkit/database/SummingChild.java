package dev.turno.testkit.database;

import dev.turno.testkit.process.ParentWatch;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Adds up the ids of table t in the database that its arguments name. */
final class SummingChild {

    private SummingChild() {}

    public static void main(String[] arguments) throws SQLException {
        ParentWatch.exitWithParent();
        try (var connection = DriverManager.getConnection(arguments[0], arguments[1], arguments[2]);
                var statement = connection.createStatement();
                var row = statement.executeQuery("select sum(id) from t")) {
            row.next();
            System.out.println("sum " + row.getInt(1));
        }
    }
}
