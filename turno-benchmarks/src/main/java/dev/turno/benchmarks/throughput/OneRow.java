package dev.turno.benchmarks.throughput;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.benchmarks.runners.Sql;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** The least that a handler can store: one row in a table without an index. */
final class OneRow {

    static final String INSERT = "insert into one_row values (?, ?)";

    private OneRow() {}

    static void createTable(FreshDatabase database) throws SQLException {
        try (HikariDataSource pool = database.newPool(database.url(), 1)) {
            Sql.execute(pool, "create table one_row (id bigint, body varchar(200))");
        }
    }

    static void store(Connection connection, int number) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            store(insert, number);
        }
    }

    static int store(PreparedStatement insert, int number) throws SQLException {
        insert.setLong(1, number);
        insert.setString(2, "{\"order\":" + number + ",\"customer\":\"c-42\",\"cents\":1999}");
        return insert.executeUpdate();
    }

    /** One for each message that is finished, and no two for one. */
    static List<String> violations(String who, DataSource source, long finished) throws SQLException {
        long rows = Sql.number(source, "select count(*) from one_row");
        long messages = Sql.number(source, "select count(distinct id) from one_row");
        return rows == finished && messages == finished
                ? List.of()
                : List.of(who + ": " + rows + " rows of " + messages + " messages are stored, but " + finished
                        + " are finished");
    }
}
