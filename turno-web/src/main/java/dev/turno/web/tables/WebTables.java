package dev.turno.web.tables;

import dev.turno.TurnoOptions.SchemaMode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;

/** The named statements of {@code web.sql} and the tables of {@code schema.sql}, in the dialect of the database. Shared by threads. */
public final class WebTables {

    private static final int TRIES = 10;
    private static final List<String> DIALECTS = List.of("postgresql", "mariadb", "h2");
    private static final List<String> CHECKS = List.of("token-check", "audit-check", "history-check", "failure-check");

    private final JdbcClient jdbc;
    private final String namespace;
    private final String dialect;
    private final Map<String, String> statements;

    private WebTables(JdbcClient jdbc, String namespace, String dialect) {
        this.jdbc = jdbc;
        this.namespace = namespace;
        this.dialect = dialect;
        this.statements = new LinkedHashMap<>(named(resource("web").replace("{now}", clock(dialect))));
        statements.putAll(named(resource(dialect + "/web")));
    }

    public static WebTables open(DataSource source, String namespace, SchemaMode mode) {
        WebTables tables = new WebTables(JdbcClient.create(source), namespace, dialectOf(source));
        switch (mode) {
            case MIGRATE -> tables.migrate();
            case VALIDATE -> tables.validate();
            case NONE -> {
                // The user answers for the tables.
            }
        }
        return tables;
    }

    /** {@code postgresql}, {@code mariadb} or {@code h2}. */
    public String dialect() {
        return dialect;
    }

    public String namespace() {
        return namespace;
    }

    /** The script of a dialect ({@code postgresql}, {@code mariadb} or {@code h2}), for people and for Flyway. */
    public static String script(String dialect) {
        if (!DIALECTS.contains(dialect)) {
            throw new IllegalArgumentException(
                    "There are no tables for '" + dialect + "'; use one of " + DIALECTS + ".");
        }
        return resource(dialect + "/schema");
    }

    /** The statement of this name, with the namespace set. */
    public JdbcClient.StatementSpec sql(String name) {
        String statement = statements.get(name);
        if (statement == null) {
            throw new IllegalStateException("There is no statement '" + name + "' for " + dialect + ".");
        }
        return jdbc.sql(statement).param("namespace", namespace);
    }

    /** Runs an insert; answers the number that the row got. */
    public static long insert(JdbcClient.StatementSpec statement) {
        KeyHolder keys = new GeneratedKeyHolder();
        statement.update(keys, "id");
        Number key = keys.getKey();
        return Objects.requireNonNull(key).longValue();
    }

    /** A moment as the statements give it, null for none. */
    public static @Nullable Instant instant(@Nullable Long micros) {
        return micros == null ? null : Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private static String dialectOf(DataSource source) {
        try (Connection connection = source.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            return switch (product) {
                case "PostgreSQL" -> "postgresql";
                case "MariaDB" -> "mariadb";
                case "H2" -> "h2";
                default -> throw new IllegalArgumentException("There are no statements for " + product + ".");
            };
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "The database could not be reached at start-up: " + e.getMessage()
                            + ". Check the URL, the account and that the server runs, then start again.",
                    e);
        }
    }

    /**
     * Several processes may start at once: two that create the same table at the same moment look again. Where nothing is missing
     * the script is not run: it would wait for everybody who uses the tables, and keep the others waiting meanwhile.
     */
    private void migrate() {
        for (int tries = 1; tries <= TRIES && missing().isPresent(); tries++) {
            try {
                runScript();
            } catch (DataAccessException e) {
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
        validate();
    }

    private void runScript() {
        for (String statement : script(dialect).replaceAll("--[^\n]*", "").split(";", -1)) {
            if (!statement.isBlank()) {
                jdbc.sql(statement).update();
            }
        }
    }

    private void validate() {
        missing().ifPresent(e -> {
            throw new IllegalStateException(
                    "A table of the HTTP API is missing, is older than this version, or is closed to this account. Run the script"
                            + " that 'turno schema print " + dialect
                            + "' shows, or start with turno.schema.mode=migrate.",
                    e);
        });
    }

    /** What the database says if a table, or its newest column, is not there. */
    private Optional<BadSqlGrammarException> missing() {
        try {
            CHECKS.forEach(check -> sql(check).query().listOfRows());
            return Optional.empty();
        } catch (BadSqlGrammarException e) {
            return Optional.of(e);
        }
    }

    private static String clock(String dialect) {
        return switch (dialect) {
            case "postgresql" -> "statement_timestamp()";
            case "mariadb" -> "utc_timestamp(6)";
            default -> "current_timestamp(6)";
        };
    }

    private static String resource(String name) {
        String path = "/dev/turno/web/sql/" + name + ".sql";
        try (InputStream in = WebTables.class.getResourceAsStream(path)) {
            return new String(Objects.requireNonNull(in, path).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> named(String file) {
        Map<String, String> statements = new LinkedHashMap<>();
        String[] parts = file.split("-- name: ", -1); // before the first one: what the file is for
        for (int i = 1; i < parts.length; i++) {
            String[] nameAndText = parts[i].split("\n", 2);
            statements.put(nameAndText[0].strip(), nameAndText[1].strip().replaceFirst(";$", ""));
        }
        return statements;
    }
}
