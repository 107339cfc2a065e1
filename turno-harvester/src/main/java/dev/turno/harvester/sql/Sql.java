package dev.turno.harvester.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * The statements of one feature, which every database understands: {@code sql/<feature>.sql}; and its tables, which each has of its own:
 * {@code sql/<dialect>/<feature>-schema.sql}. Shared by threads.
 */
public final class Sql {

    private enum Dialect {
        POSTGRESQL("statement_timestamp()"),
        MARIADB("utc_timestamp(6)"),
        H2("current_timestamp(6)");

        private final String clock;

        Dialect(String clock) {
            this.clock = clock;
        }
    }

    private static final List<String> FEATURES = List.of("network", "rules", "index", "entity", "bitstream");
    private static final Pattern NAME = Pattern.compile("(?m)^-- name: ");
    private static final Pattern COMMENT = Pattern.compile("--[^\n]*");
    private static final int TRIES = 10;
    private static final long PAUSE_MS = 100;

    private final DataSource source;
    private final String feature;
    private final Dialect dialect;
    private final Map<String, String> statements = new HashMap<>();

    public Sql(DataSource source, String feature) {
        this.source = source;
        this.feature = feature;
        this.dialect = dialectOf(source);
        load(resource(feature + ".sql"));
    }

    private static Dialect dialectOf(DataSource source) {
        try (Connection connection = source.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            return Arrays.stream(Dialect.values())
                    .filter(each -> each.name().equalsIgnoreCase(product))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "The harvester runs on PostgreSQL, MariaDB and H2; this data source leads to " + product
                                    + "."));
        } catch (SQLException e) {
            throw new DataAccessResourceFailureException(
                    "The harvester could not reach its database at start-up. Check the URL, the account and that the server"
                            + " runs, then start again.",
                    e);
        }
    }

    private void load(String text) {
        for (String part : NAME.split(text, -1)) {
            int end = part.indexOf('\n');
            if (end > 0 && !part.startsWith("--")) {
                String body =
                        COMMENT.matcher(part.substring(end)).replaceAll("").strip();
                String statement = body.endsWith(";") ? body.substring(0, body.length() - 1) : body;
                statements.put(part.substring(0, end).strip(), statement.replace("{now}", dialect.clock));
            }
        }
    }

    private static String schema(String dialect, String feature) {
        return resource(dialect + "/" + feature + "-schema.sql");
    }

    private static String resource(String path) {
        try (InputStream in = Sql.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("The file " + path + " is missing beside " + Sql.class + ".");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One statement, committed by itself. */
    public JdbcClient.StatementSpec call(String name) {
        return JdbcClient.create(source).sql(text(name));
    }

    /** One statement in the caller's transaction. */
    public JdbcClient.StatementSpec call(Connection connection, String name) {
        return JdbcClient.create(new SingleConnectionDataSource(connection, true))
                .sql(text(name));
    }

    private String text(String name) {
        String text = statements.get(name);
        if (text == null) {
            throw new IllegalStateException("There is no statement '" + name + "' of '" + feature + "'.");
        }
        return text;
    }

    /** Work in a transaction of its own. */
    @FunctionalInterface
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Commits if the work returns, and rolls back if it throws. */
    public <T> T transaction(Work<T> work) {
        try (Connection connection = source.getConnection()) {
            boolean auto = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                T value = work.on(connection);
                connection.commit();
                return value;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(auto);
            }
        } catch (SQLException e) {
            throw new DataAccessResourceFailureException(
                    "A statement of the harvester failed; all was rolled back.", e);
        }
    }

    /** A moment as this database's driver takes it. */
    public Object moment(Instant instant) {
        OffsetDateTime utc = instant.atOffset(ZoneOffset.UTC);
        return dialect == Dialect.MARIADB ? utc.toLocalDateTime() : utc;
    }

    /** A moment of a row. */
    public Optional<Instant> moment(ResultSet row, String column) throws SQLException {
        if (dialect == Dialect.MARIADB) {
            return Optional.ofNullable(row.getObject(column, LocalDateTime.class))
                    .map(local -> local.toInstant(ZoneOffset.UTC));
        }
        return Optional.ofNullable(row.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }

    /** Creates the tables that are missing. Several instances may do it at once. */
    public void createTables() {
        for (int tries = 1; ; tries++) {
            try {
                Arrays.stream(COMMENT.matcher(script()).replaceAll("").split(";", -1))
                        .filter(statement -> !statement.isBlank())
                        .forEach(statement ->
                                JdbcClient.create(source).sql(statement).update());
                return;
            } catch (DataAccessException e) {
                // Two instances that create the same table at the same moment: the loser looks again.
                if (tries == TRIES) {
                    throw e;
                }
                rest();
            }
        }
    }

    private static void rest() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String script() {
        return schema(dialect.name().toLowerCase(Locale.ROOT), feature);
    }

    /**
     * All tables of the harvester, for people and for Flyway.
     *
     * @param dialect postgresql, mariadb or h2
     */
    public static String script(String dialect) {
        return FEATURES.stream().map(each -> schema(dialect, each)).collect(Collectors.joining("\n"));
    }
}
