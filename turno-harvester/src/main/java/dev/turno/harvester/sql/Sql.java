package dev.turno.harvester.sql;

import dev.turno.web.sql.Dialect;
import dev.turno.web.sql.SqlFile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * The statements of one feature, which every database understands: {@code sql/<feature>.sql}; and its tables, which each has of its own:
 * {@code sql/<dialect>/<feature>-schema.sql}. Shared by threads.
 */
public final class Sql {

    private static final List<String> FEATURES = List.of("network", "rules", "index", "entity", "bitstream");
    private final DataSource source;
    private final String feature;
    private final Dialect dialect;
    private final Map<String, String> statements;

    public Sql(DataSource source, String feature) {
        this.source = source;
        this.feature = feature;
        this.dialect = Dialect.of(source);
        this.statements = new SqlFile(Sql.class, feature + ".sql").statements(dialect);
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
            } catch (SQLException | RuntimeException | Error e) { // to set auto-commit again would commit
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
        return dialect.moment(instant);
    }

    /** A moment of a row. */
    public Optional<Instant> moment(ResultSet row, String column) throws SQLException {
        return dialect.moment(row, column);
    }

    /** Creates the tables that are missing. Several instances may do it at once. */
    public void createTables() {
        schema(dialect, feature).run(JdbcClient.create(source));
    }

    /** All tables of the harvester, for people and for Flyway. */
    public static String script(Dialect dialect) {
        return FEATURES.stream().map(each -> schema(dialect, each).text()).collect(Collectors.joining("\n"));
    }

    private static SqlFile schema(Dialect dialect, String feature) {
        return new SqlFile(Sql.class, dialect.folder() + "/" + feature + "-schema.sql");
    }
}
