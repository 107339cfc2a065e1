package dev.turno.proof;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** An account that may not create tables. Gone when closed. */
final class Limited implements AutoCloseable {

    private static final String NAME = "proof_limited";
    private static final String PASSWORD = "limited";

    private final FreshDatabase database;
    private final HikariDataSource source;

    private Limited(FreshDatabase database, HikariDataSource source) {
        this.database = database;
        this.source = source;
    }

    static Limited on(FreshDatabase database) throws SQLException {
        switch (database.kind()) {
            case H2 -> asAdmin(database, "create user " + NAME + " password '" + PASSWORD + "'");
            case POSTGRESQL -> asAdmin(database, "create role " + NAME + " login");
            case MARIADB ->
                asAdmin(
                        database,
                        "create user " + NAME + "@'%' identified by '" + PASSWORD + "'",
                        "grant select on " + schema(database) + ".* to " + NAME);
        }
        return new Limited(database, Pools.openPatiently(url(database), NAME, PASSWORD, 4));
    }

    HikariDataSource source() {
        return source;
    }

    void mayReadAndWrite() throws SQLException {
        String rights = "grant select, insert, update, delete on ";
        switch (database.kind()) {
            case H2 -> asAdmin(database, rights + "schema public to " + NAME);
            case POSTGRESQL -> asAdmin(database, rights + "all tables in schema public to " + NAME);
            case MARIADB -> asAdmin(database, rights + schema(database) + ".* to " + NAME);
        }
        // MariaDB asks for the rights on a schema when a connection enters it, and not again.
        source.getHikariPoolMXBean().softEvictConnections();
    }

    /** On H2 the settings in the address are for the administrator alone. */
    private static String url(FreshDatabase database) {
        return switch (database.kind()) {
            case H2 -> database.url().replaceFirst(";.*", "");
            case POSTGRESQL, MARIADB -> database.url();
        };
    }

    private static String schema(FreshDatabase database) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            return connection.getCatalog();
        }
    }

    private static void asAdmin(FreshDatabase database, String... statements) throws SQLException {
        String admin = switch (database.kind()) {
            case H2 -> "sa";
            case POSTGRESQL -> "postgres";
            case MARIADB -> "root";
        };
        try (Connection connection = DriverManager.getConnection(database.url(), admin, "");
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        source.close();
        switch (database.kind()) {
            case H2 -> asAdmin(database, "drop user " + NAME);
            case POSTGRESQL -> asAdmin(database, "drop owned by " + NAME, "drop role " + NAME);
            case MARIADB -> asAdmin(database, "drop user " + NAME);
        }
    }
}
