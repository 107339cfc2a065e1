package dev.turno.web.tables;

import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.web.sql.Dialect;
import dev.turno.web.sql.SqlFile;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;

/** The named statements of {@code web.sql} and the tables of {@code schema.sql}, in the dialect of the database. Shared by threads. */
public final class WebTables {

    private static final List<String> CHECKS = List.of("token-check", "audit-check", "history-check", "failure-check");

    private static final int PRUNED_AT_ONCE = 1_000;

    private final JdbcClient jdbc;
    private final String namespace;
    private final Dialect dialect;
    private final Map<String, String> statements;

    private WebTables(JdbcClient jdbc, String namespace, Dialect dialect) {
        this.jdbc = jdbc;
        this.namespace = namespace;
        this.dialect = dialect;
        this.statements = new HashMap<>(file("web").statements(dialect));
        statements.putAll(file(dialect.folder() + "/web").statements(dialect));
    }

    public static WebTables open(DataSource source, String namespace, SchemaMode mode) {
        WebTables tables = new WebTables(JdbcClient.create(source), namespace, Dialect.of(source));
        switch (mode) {
            case MIGRATE -> tables.migrate();
            case VALIDATE -> tables.validate();
            case NONE -> {
                // The user answers for the tables.
            }
        }
        return tables;
    }

    public Dialect dialect() {
        return dialect;
    }

    public String namespace() {
        return namespace;
    }

    /** The whole script, for people and for Flyway. */
    public static String script(Dialect dialect) {
        return schema(dialect).text();
    }

    private static SqlFile schema(Dialect dialect) {
        return file(dialect.folder() + "/schema");
    }

    private static SqlFile file(String name) {
        return new SqlFile(WebTables.class, "/dev/turno/web/sql/" + name + ".sql");
    }

    /** The statement of this name, with the namespace set. */
    public JdbcClient.StatementSpec sql(String name) {
        String statement = statements.get(name);
        if (statement == null) {
            throw new IllegalStateException("There is no statement '" + name + "' for " + dialect + ".");
        }
        return jdbc.sql(statement).param("namespace", namespace);
    }

    /** Runs a statement that removes at most {@code :limit} rows until it finds fewer; each time by itself, so that nobody waits long. */
    public void prune(String name, Map<String, ?> parameters) {
        int removed;
        do {
            removed =
                    sql(name).params(parameters).param("limit", PRUNED_AT_ONCE).update();
        } while (removed == PRUNED_AT_ONCE);
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

    /** Where nothing is missing the script is not run: it would wait for everybody who uses the tables, and keep others waiting. */
    private void migrate() {
        if (missing().isPresent()) {
            schema(dialect).run(jdbc);
        }
        validate();
    }

    private void validate() {
        missing().ifPresent(e -> {
            throw new IllegalStateException(
                    "A table of the HTTP API is missing, is older than this version, or is closed to this account. Run the script"
                            + " that 'turno schema print " + dialect.folder()
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
}
