package dev.turno.server.webhook;

import dev.turno.web.sql.Dialect;
import dev.turno.web.sql.SqlFile;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The targets of a namespace in the database. Statements stand in {@code <dialect>.sql}. Shared by threads. */
final class TargetTable {

    static final int MOST = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(TargetTable.class);
    private static final TypeReference<Map<String, String>> OPTIONS = new TypeReference<>() {};
    private static final JsonMapper JSON = new JsonMapper();

    private final JdbcClient jdbc;
    private final String namespace;
    private final Seal seal;
    private final Map<String, String> statements;
    private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

    TargetTable(DataSource source, String namespace, Seal seal) {
        this.jdbc = JdbcClient.create(source);
        this.namespace = namespace;
        this.seal = seal;
        this.statements = statements(Dialect.of(source));
    }

    /** Creates what is missing. Several servers may do it at once. */
    void migrate() {
        SqlFile.run(jdbc, sql("version-1"));
    }

    List<Target> list() {
        return jdbc.sql(sql("list"))
                .param("namespace", namespace)
                .param("limit", MOST)
                .query((row, number) -> target(row))
                .list();
    }

    Optional<Target> find(Target.Id id) {
        return list().stream().filter(target -> target.id().equals(id)).findFirst();
    }

    /** Stores the target instead of what stands under its name; a secret that is replaced is used beside it for {@code overlap}. */
    void put(Target target, Duration overlap) {
        if (update(target, overlap) == 0) {
            try {
                insert(target);
            } catch (DuplicateKeyException somebodyWasQuicker) {
                update(target, overlap);
            }
        }
    }

    private int update(Target target, Duration overlap) {
        Optional<Secret> secret = target.webhook().map(Webhook::secret);
        Optional<Secret> before = find(target.id()).flatMap(Target::webhook).map(Webhook::secret);
        boolean rotated = secret.isPresent() && before.isPresent() && !before.equals(secret);
        return bound("update", target)
                .param("rotated", rotated)
                .param("overlap_ms", overlap.toMillis())
                .update();
    }

    private void insert(Target target) {
        if (list().size() >= MOST) {
            throw new IllegalArgumentException(
                    "There are " + MOST + " targets already; remove some. Nothing was changed.");
        }
        bound("insert", target).update();
    }

    private JdbcClient.StatementSpec bound(String statement, Target target) {
        Optional<Webhook> webhook = target.webhook();
        return identified(statement, target.id())
                .param("options", JSON.writeValueAsString(target.options()))
                .param("url", webhook.map(one -> one.url().toString()).orElse(null))
                .param(
                        "timeout_ms",
                        webhook.map(one -> one.timeout().toMillis()).orElse(null))
                .param(
                        "secret",
                        webhook.map(one -> seal.close(one.secret().reveal())).orElse(null));
    }

    boolean delete(Target.Id id) {
        return identified("delete", id).update() == 1;
    }

    private JdbcClient.StatementSpec identified(String statement, Target.Id id) {
        return jdbc.sql(sql(statement))
                .param("namespace", namespace)
                .param("kind", id.kind().name())
                .param("name", id.name());
    }

    private Target target(ResultSet row) throws SQLException {
        return new Target(
                Target.Kind.valueOf(row.getString("kind")),
                row.getString("name"),
                JSON.readValue(row.getString("options"), OPTIONS),
                webhook(row));
    }

    /** One that cannot be read here is said once and left alone; the others do not suffer, and it can be defined anew. */
    private Optional<Webhook> webhook(ResultSet row) throws SQLException {
        String url = row.getString("url");
        if (url == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Webhook(
                    Webhook.url(url),
                    Duration.ofMillis(row.getLong("timeout_ms")),
                    secret(row.getString("secret")).orElseThrow(),
                    previous(row)));
        } catch (Seal.WrongKeyException | IllegalArgumentException e) {
            if (unreadable.add(row.getString("kind") + " " + row.getString("name"))) {
                LOG.warn(
                        "The webhook of {} '{}' is not used here: {}",
                        row.getString("kind"),
                        row.getString("name"),
                        e.getMessage());
            }
            return Optional.empty();
        }
    }

    /** Sealed with a key that was lost since, it helps nobody, and the new one must not suffer from it. */
    private Optional<Secret> previous(ResultSet row) throws SQLException {
        try {
            return secret(row.getString("previous"));
        } catch (Seal.WrongKeyException e) {
            return Optional.empty();
        }
    }

    private Optional<Secret> secret(@Nullable String stored) {
        return Optional.ofNullable(stored).map(seal::open).map(Secret::of);
    }

    private String sql(String name) {
        return Optional.ofNullable(statements.get(name))
                .orElseThrow(
                        () -> new IllegalStateException("There is no statement '" + name + "' for this database."));
    }

    /** The script that creates the table, for people and for Flyway. */
    static String script(Dialect dialect) {
        return statements(dialect).get("version-1") + ";\n";
    }

    private static Map<String, String> statements(Dialect dialect) {
        return new SqlFile(TargetTable.class, dialect.folder() + ".sql").statements(dialect);
    }
}
