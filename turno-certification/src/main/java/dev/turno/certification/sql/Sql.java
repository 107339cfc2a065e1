package dev.turno.certification.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The named statements of this service for the database at hand, and its transactions. Shared by threads. */
public final class Sql {

    /** Statements that commit together. */
    @FunctionalInterface
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private enum Dialect {
        POSTGRESQL("statement_timestamp()"),
        MARIADB("utc_timestamp(6)"),
        H2("current_timestamp(6)");

        private final String clock;

        Dialect(String clock) {
            this.clock = clock;
        }
    }

    private static final List<String> FILES =
            List.of("intake", "calendar", "catalog", "setting", "authority", "glance");
    private static final Pattern NAME = Pattern.compile("(?m)^-- name: ");
    private static final int TRIES = 10;
    private static final long PAUSE_MS = 100;

    private final DataSource source;
    private final Dialect dialect;
    private final JdbcClient client;
    private final NamedParameterJdbcTemplate batches;
    private final TransactionTemplate transactions;
    private final Map<String, String> statements = new HashMap<>();

    public Sql(DataSource source) {
        this.source = source;
        this.dialect = dialectOf(source);
        this.batches = new NamedParameterJdbcTemplate(source);
        this.client = JdbcClient.create(batches);
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(source));
        FILES.forEach(this::load);
    }

    private static Dialect dialectOf(DataSource source) {
        try (Connection connection = source.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            return Arrays.stream(Dialect.values())
                    .filter(each -> each.name().equalsIgnoreCase(product))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "The certification service runs on PostgreSQL, MariaDB and H2; this data source leads to "
                                    + product + "."));
        } catch (SQLException e) {
            throw new DataAccessResourceFailureException(
                    "The certification service could not reach its database at start-up. Check the URL, the account and"
                            + " that the server runs, then start again.",
                    e);
        }
    }

    private void load(String file) {
        for (String part : NAME.split(resource(file), -1)) {
            int end = part.indexOf('\n');
            if (end > 0 && !part.startsWith("--")) {
                String text = part.substring(end).strip();
                statements.put(
                        file + "." + part.substring(0, end).strip(),
                        text.substring(0, text.length() - 1).replace("{now}", dialect.clock));
            }
        }
    }

    private String resource(String file) {
        String path = dialect.name().toLowerCase(java.util.Locale.ROOT) + "/" + file + ".sql";
        try (InputStream in = Sql.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("The file " + path + " is missing beside " + Sql.class + ".");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One statement, by file and name; in the transaction of this thread if there is one. */
    public JdbcClient.StatementSpec call(String name) {
        return client.sql(text(name));
    }

    /** The same statement for many rows, in one go. */
    public void batch(String name, List<SqlParameterSource> rows) {
        int[] unused = batches.batchUpdate(text(name), rows.toArray(SqlParameterSource[]::new));
    }

    private String text(String name) {
        String text = statements.get(name);
        if (text == null) {
            throw new IllegalStateException("There is no statement '" + name + "' for " + dialect + ".");
        }
        return text;
    }

    /**
     * Commits if the work returns, and rolls back if it throws.
     *
     * @throws CommitUnknownException if the work returned and the commit was not confirmed
     */
    public <T> T transaction(Work<T> work) {
        AtomicReference<@Nullable T> result = new AtomicReference<>();
        try {
            transactions.executeWithoutResult(status -> result.set(done(work)));
        } catch (RuntimeException e) {
            throw result.get() == null ? e : new CommitUnknownException(e);
        }
        return Objects.requireNonNull(result.get());
    }

    private <T> T done(Work<T> work) {
        try {
            return work.on(DataSourceUtils.getConnection(source));
        } catch (SQLException e) {
            throw new DataAccessResourceFailureException("A statement of Turno's failed; all was rolled back.", e);
        }
    }

    /** A moment as this database's driver gives it. */
    public static Instant instant(Object column) {
        return column instanceof OffsetDateTime moment
                ? moment.toInstant()
                : ((LocalDateTime) column).toInstant(ZoneOffset.UTC);
    }

    /** The class in which moments are read. */
    public Class<?> momentClass() {
        return dialect == Dialect.MARIADB ? LocalDateTime.class : OffsetDateTime.class;
    }

    /** Creates the tables that are missing. Several instances may do it at once. */
    public void createTables() {
        for (int tries = 1; ; tries++) {
            try {
                Arrays.stream(resource("schema").replaceAll("--[^\n]*", "").split(";", -1))
                        .filter(statement -> !statement.isBlank())
                        .forEach(statement -> client.sql(statement).update());
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

    /** The whole script, for people and for Flyway. */
    public String script() {
        return resource("schema");
    }
}
