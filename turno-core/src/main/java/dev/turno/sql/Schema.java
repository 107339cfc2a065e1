package dev.turno.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the tables to the version that this code needs. Several processes may start at once: every statement may be run
 * again without harm, so they need no lock that could stay behind.
 */
public final class Schema {

    private static final Pattern VERSION = Pattern.compile("^-- version: (\\d+)\\s*$");
    private static final Pattern VIEW = Pattern.compile("^create or replace view (\\w+)");
    private static final Logger LOG = LoggerFactory.getLogger(Schema.class);
    private static final int TRIES = 10;
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final String ASK = "select max(version) from turno_schema";
    private static final String TABLES =
            "select 1 from information_schema.tables where table_schema = ? and upper(table_name) = ? and table_type <> 'VIEW'";
    private static final String RECORD = "insert into turno_schema (version, applied_by) values (?, ?)";
    private static final String CREATE =
            "create table if not exists turno_schema (version integer primary key, applied_by varchar(200) not null)";

    private final Database database;

    public Schema(Database database) {
        this.database = database;
    }

    /** The whole script of a dialect ({@code postgresql}, {@code mariadb} or {@code h2}), for people and for Flyway. */
    public static String script(String dialect) {
        return CREATE + ";\n\n" + Statements.resource(dialect, "schema") + recordOf(newest(dialect)) + ";\n";
    }

    /** Creates or updates the tables: all or nothing where the database can roll back a new table, which is PostgreSQL. */
    public void migrate(String node) {
        int found = found();
        refuseNewer(found);
        for (int tries = 1; found < newest(); tries++) {
            int from = found;
            try {
                database.transaction(
                        "Turno's tables could not be created or updated.",
                        session -> apply(session.connection(), from, node));
            } catch (RuntimeException e) {
                // Two processes that create the same table at the same moment: the loser looks again.
                if (tries == TRIES || e instanceof SchemaException) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
            found = found();
        }
        database.once("Turno's tables could not be made ready.", this::makeReady);
    }

    /** An account that may not change tables goes without it. */
    private boolean makeReady(Session session) throws SQLException {
        try {
            database.dialect().skipForgottenNumbers(session.connection());
            return true;
        } catch (SQLException e) {
            if (database.dialect().isForbidden(e)) {
                return false;
            }
            throw e;
        }
    }

    /** Refuses to start if the tables are not those that this code needs. */
    public void validate() {
        int found = found();
        refuseNewer(found);
        if (found < newest()) {
            throw new SchemaException(
                    "The database has version " + found + " of Turno's tables, this code needs version " + newest()
                            + ". Run " + whereIsTheScript() + ", or start with SchemaMode.MIGRATE.");
        }
    }

    private void refuseNewer(int found) {
        if (found > newest()) {
            throw new SchemaException(
                    "The database has version " + found + " of Turno's tables, but this code knows only " + newest()
                            + ". A newer Turno has been here. Nothing was changed: start with at least that newer version.");
        }
    }

    private int apply(Connection connection, int from, String node) throws SQLException {
        List<String> all = new ArrayList<>(List.of(CREATE));
        versions(database.dialect().folder()).tailMap(from, false).values().forEach(all::addAll);
        try (Statement statement = connection.createStatement()) {
            for (String sql : all) {
                if (!isTakenByTable(connection, sql)) {
                    run(statement, sql);
                }
            }
        }
        try (PreparedStatement done = connection.prepareStatement(RECORD)) {
            done.setInt(1, newest());
            done.setString(2, node);
            done.executeUpdate();
        }
        return newest();
    }

    /** A view whose name is that of somebody's table is left out: it is for people, and Turno works without it. */
    private static boolean isTakenByTable(Connection connection, String sql) throws SQLException {
        Matcher view = VIEW.matcher(sql);
        if (!view.find()) {
            return false;
        }
        String place = connection.getSchema() == null ? connection.getCatalog() : connection.getSchema();
        try (PreparedStatement ask = connection.prepareStatement(TABLES)) {
            ask.setString(1, place);
            ask.setString(2, view.group(1).toUpperCase(Locale.ROOT));
            try (ResultSet table = ask.executeQuery()) {
                boolean taken = table.next();
                if (taken) {
                    LOG.warn(
                            "{}.{} is a table, so Turno leaves out its view of that name; everything else works. To have the view,"
                                    + " rename the table and run this:\n{}",
                            place,
                            view.group(1),
                            sql);
                }
                return taken;
            }
        }
    }

    private void run(Statement statement, String sql) throws SQLException {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            if (database.dialect().isForbidden(e)) {
                throw new SchemaException("This account may not create Turno's tables: " + e.getMessage()
                        + "\nRun this once with an account that may, or run the whole of " + whereIsTheScript()
                        + ", then start with SchemaMode.VALIDATE:\n" + sql);
            }
            throw e;
        }
    }

    private String whereIsTheScript() {
        return "the script dev/turno/sql/" + database.dialect().folder() + "/schema.sql in the jar of turno-core";
    }

    private int found() {
        return database.once("The version of Turno's tables could not be read.", session -> {
            try (Statement statement = session.connection().createStatement();
                    ResultSet result = statement.executeQuery(ASK)) {
                return result.next() ? result.getInt(1) : 0;
            } catch (SQLException e) {
                // No such table yet. A database that is really away says so again at the next statement.
                return 0;
            }
        });
    }

    private int newest() {
        return newest(database.dialect().folder());
    }

    private static int newest(String dialect) {
        return versions(dialect).lastKey();
    }

    private static String recordOf(int version) {
        return "insert into turno_schema (version, applied_by) values (" + version + ", 'script')";
    }

    private static TreeMap<Integer, List<String>> versions(String dialect) {
        TreeMap<Integer, List<String>> versions = new TreeMap<>();
        StringBuilder statement = new StringBuilder();
        for (String line : Statements.resource(dialect, "schema").lines().toList()) {
            Matcher matcher = VERSION.matcher(line);
            if (matcher.matches()) {
                versions.put(Integer.valueOf(matcher.group(1)), new ArrayList<>());
            } else if (!versions.isEmpty()) {
                collect(versions.lastEntry().getValue(), statement, line.replaceFirst("\\s*--.*", ""));
            }
        }
        return versions;
    }

    private static void collect(List<String> statements, StringBuilder statement, String line) {
        statement.append(line).append('\n');
        if (line.endsWith(";")) {
            statements.add(statement.substring(0, statement.length() - 2).strip());
            statement.setLength(0);
        }
    }
}
