package dev.turno.benchmarks.runners;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** Small questions to a database. */
public final class Sql {

    private Sql() {}

    public static long number(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }

    /** A million rows take longer than the testkit's connections wait for an answer. */
    public static Connection patient(DataSource source) throws SQLException {
        Connection connection = source.getConnection();
        connection.setNetworkTimeout(Runnable::run, (int) Duration.ofMinutes(10).toMillis());
        return connection;
    }

    public static void execute(DataSource source, String... all) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : all) {
                statement.execute(sql);
            }
        }
    }
}
