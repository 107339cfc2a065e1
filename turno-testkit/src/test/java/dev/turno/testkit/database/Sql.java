package dev.turno.testkit.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Plain JDBC in few words. */
final class Sql {

    private Sql() {}

    static void execute(DataSource source, String... statements) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    static String ask(DataSource source, String query) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    static int tables(FreshDatabase database) throws SQLException {
        String mine = switch (database.kind()) {
            case H2 -> "table_schema = 'PUBLIC'";
            case POSTGRESQL -> "table_schema = 'public'";
            case MARIADB -> "table_schema = database()";
        };
        return Integer.parseInt(
                ask(database.dataSource(), "select count(*) from information_schema.tables where " + mine));
    }
}
