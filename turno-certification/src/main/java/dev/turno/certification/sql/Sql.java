package dev.turno.certification.sql;

import dev.turno.web.sql.Dialect;
import dev.turno.web.sql.SqlFile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The named statements of this service for the database at hand, and its transactions. Shared by threads. */
public final class Sql {

    /** Statements that commit together. */
    @FunctionalInterface
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private static final List<String> FILES =
            List.of("intake", "calendar", "catalog", "setting", "authority", "glance");
    private final DataSource source;
    private final Dialect dialect;
    private final JdbcClient client;
    private final JdbcClient alone;
    private final NamedParameterJdbcTemplate batches;
    private final TransactionTemplate transactions;
    private final Map<String, String> statements = new HashMap<>();

    /** For a data source whose connections commit each statement outside of a transaction. */
    public Sql(DataSource source) {
        this(source, source);
    }

    /**
     * @param source for transactions, in which others who know it may take part
     * @param committing the same database by connections that commit each statement: those of {@code source} may not
     */
    public Sql(DataSource source, DataSource committing) {
        this.source = source;
        this.alone = JdbcClient.create(committing);
        this.dialect = Dialect.of(source);
        this.batches = new NamedParameterJdbcTemplate(source);
        this.client = JdbcClient.create(batches);
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(source));
        FILES.forEach(this::load);
    }

    private void load(String file) {
        new SqlFile(Sql.class, dialect.folder() + "/" + file + ".sql")
                .statements(dialect)
                .forEach((name, text) -> statements.put(file + "." + name, text));
    }

    /** One statement, by file and name; in the transaction of this thread if there is one. */
    public JdbcClient.StatementSpec call(String name) {
        return (TransactionSynchronizationManager.hasResource(source) ? client : alone).sql(text(name));
    }

    /** A statement that adds a row unless it is there. On H2 two that look at the same time both find nothing, and the later one is refused. */
    public static void addOnce(JdbcClient.StatementSpec statement) {
        try {
            int unused = statement.update();
        } catch (DuplicateKeyException addedMeanwhile) {
            // So it is there.
        }
    }

    /** The same statement for many rows, in one go, in a {@link #transaction}. */
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

    /**
     * A statement that commits by itself.
     *
     * @throws CommitUnknownException if it was sent and its answer did not come
     */
    public <T> T once(Supplier<T> statement) {
        try {
            return statement.get();
        } catch (CannotGetJdbcConnectionException | TransientDataAccessException e) {
            throw e; // it was not sent; or the database rolled it back, and said so
        } catch (NonTransientDataAccessResourceException | RecoverableDataAccessException e) {
            throw new CommitUnknownException(e);
        }
    }

    /** Whether one statement can change several tables, each by what the others answer. */
    public boolean changesTablesTogether() {
        return dialect == Dialect.POSTGRESQL;
    }

    private <T> T done(Work<T> work) {
        try {
            return work.on(DataSourceUtils.getConnection(source));
        } catch (SQLException e) {
            throw new DataAccessResourceFailureException("A statement of Turno's failed; all was rolled back.", e);
        }
    }

    /** A moment of a row. */
    public Optional<Instant> moment(ResultSet row, String column) throws SQLException {
        return dialect.moment(row, column);
    }

    /** Creates the tables that are missing. Several instances may do it at once. */
    public void createTables() {
        schema(dialect).run(alone);
    }

    /** The whole script, for people and for Flyway. */
    public static String script(Dialect dialect) {
        return schema(dialect).text();
    }

    private static SqlFile schema(Dialect dialect) {
        return new SqlFile(Sql.class, dialect.folder() + "/schema.sql");
    }
}
