package dev.turno.contract;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A table in which handlers leave the number of their attempt, so that it is seen which of them were committed. */
final class Effects {

    private final DataSource source;

    Effects(DataSource source) {
        this.source = source;
    }

    static void leave(Connection connection, int attempt) throws SQLException {
        execute(connection, "insert into effect values (" + attempt + ")");
    }

    /** The attempts whose effect is there. */
    List<Integer> attempts() throws SQLException {
        List<Integer> attempts = new ArrayList<>();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select attempt from effect order by attempt")) {
            while (result.next()) {
                attempts.add(result.getInt(1));
            }
        }
        return attempts;
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = source.getConnection()) {
            execute(connection, sql);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
