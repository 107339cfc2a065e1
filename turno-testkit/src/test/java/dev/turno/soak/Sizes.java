package dev.turno.soak;

import dev.turno.testkit.database.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** What a database says of itself. */
final class Sizes {

    private final TestDatabase kind;
    private final DataSource source;

    Sizes(TestDatabase kind, DataSource source) {
        this.kind = kind;
        this.source = source;
    }

    /** Bytes of Turno's tables with their indexes. */
    long tables() throws SQLException {
        return number(
                switch (kind) {
                    case POSTGRESQL ->
                        "select sum(pg_total_relation_size(relid)) from pg_stat_user_tables where relname like 'turno%'";
                    case MARIADB ->
                        "select sum(data_length + index_length) from information_schema.tables"
                                + " where table_schema = database() and table_name like 'turno%'";
                    case H2 ->
                        "select sum(disk_space_used(table_name)) from information_schema.tables"
                                + " where lower(table_name) like 'turno%'";
                });
    }

    /** Versions of rows that nobody sees any more and that are not cleared away yet; H2 does not tell. */
    long dead() throws SQLException {
        return switch (kind) {
            case POSTGRESQL -> number("select sum(n_dead_tup) from pg_stat_user_tables where relname like 'turno%'");
            case MARIADB ->
                number("select variable_value from information_schema.global_status"
                        + " where variable_name = 'INNODB_HISTORY_LIST_LENGTH'");
            case H2 -> 0;
        };
    }

    /** All connections to the database, those of this process too. */
    long connections() throws SQLException {
        return number(
                switch (kind) {
                    case POSTGRESQL -> "select count(*) from pg_stat_activity where datname = current_database()";
                    case MARIADB -> "select count(*) from information_schema.processlist where db = database()";
                    case H2 -> "select count(*) from information_schema.sessions";
                });
    }

    private long number(String query) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }
}
