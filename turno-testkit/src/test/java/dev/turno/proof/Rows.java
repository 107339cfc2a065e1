package dev.turno.proof;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/** Looks at the tables without the product. */
final class Rows {

    private Rows() {}

    static int number(DataSource source, String query) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    /** By the text in the first column, the number in the second. */
    static Map<String, Integer> counted(DataSource source, String query) throws SQLException {
        Map<String, Integer> counts = new TreeMap<>();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                counts.put(row.getString(1), row.getInt(2));
            }
        }
        return counts;
    }
}
