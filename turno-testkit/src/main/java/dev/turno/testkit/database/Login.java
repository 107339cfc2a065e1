package dev.turno.testkit.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Who to be on a server. */
record Login(String user, String password) {

    /** How long to wait for a new connection, a free one in a pool, an answer: all below Turno's usual lease of 15 seconds. */
    static final Duration CONNECT = Duration.ofSeconds(3);

    static final Duration POOL = Duration.ofSeconds(5);
    static final Duration ANSWER = Duration.ofSeconds(10);

    void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, password);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }
}
