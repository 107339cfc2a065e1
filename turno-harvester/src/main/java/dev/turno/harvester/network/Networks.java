package dev.turno.harvester.network;

import dev.turno.harvester.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The networks, and who changed them. Shared by threads. */
public final class Networks {

    /** Who changed a network, when, and what it was then. */
    public record Change(long id, Instant changedAt, String who, String what) {}

    private static final int MOST = 1_001; // the longest page, and one more that tells whether there is another

    private final Sql sql;

    public Networks(DataSource source) {
        this.sql = new Sql(source, "network");
    }

    /** Creates the tables of networks and snapshots that are missing. */
    public void createTables() {
        sql.createTables();
    }

    /** @throws IllegalArgumentException if the acronym is taken */
    public StoredNetwork add(Network network, String who) {
        try {
            return sql.transaction(connection -> {
                bind(sql.call(connection, "add"), network).update();
                StoredNetwork stored = find(connection, network.acronym()).orElseThrow();
                note(connection, stored, who, "Added: " + network);
                return stored;
            });
        } catch (DataIntegrityViolationException e) {
            throw new IllegalArgumentException(
                    "There is a network '" + network.acronym()
                            + "' already. Nothing was stored; choose another acronym.",
                    e);
        }
    }

    /** False if there is no such network. */
    public boolean change(long id, Network network, String who) {
        return sql.transaction(connection -> {
            boolean changed = bind(sql.call(connection, "change").param("id", id), network)
                            .update()
                    == 1;
            if (changed) {
                note(connection, new StoredNetwork(id, network), who, "Changed to: " + network);
            }
            return changed;
        });
    }

    /** Forgets a network; its snapshots are removed by the cleaning. False if there is none. */
    public boolean remove(long id, String who) {
        return sql.transaction(connection -> {
            Optional<StoredNetwork> known = sql.call(connection, "find")
                    .param("id", id)
                    .query(this::stored)
                    .optional();
            if (known.isPresent()) {
                note(connection, known.get(), who, "Removed: " + known.get().network());
                sql.call(connection, "remove").param("id", id).update();
            }
            return known.isPresent();
        });
    }

    public Optional<StoredNetwork> find(long id) {
        return sql.call("find").param("id", id).query(this::stored).optional();
    }

    public Optional<StoredNetwork> find(String acronym) {
        return sql.call("find-acronym")
                .param("acronym", acronym)
                .query(this::stored)
                .optional();
    }

    private Optional<StoredNetwork> find(Connection connection, String acronym) {
        return sql.call(connection, "find-acronym")
                .param("acronym", acronym)
                .query(this::stored)
                .optional();
    }

    /** One of those that name this set of rules. */
    public Optional<StoredNetwork> naming(String ruleSet) {
        return sql.call("naming").param("rules", ruleSet).query(this::stored).optional();
    }

    /** Networks in the order of their numbers, after one of them. */
    public List<StoredNetwork> list(long after, int limit) {
        return sql.call("list")
                .param("after", after)
                .param("limit", Math.min(limit, MOST))
                .query(this::stored)
                .list();
    }

    /** What was changed, newest first. */
    public List<Change> history(long id, int limit) {
        return sql.call("changes")
                .param("network", id)
                .param("limit", Math.min(limit, MOST))
                .query((row, n) -> new Change(
                        row.getLong("id"),
                        sql.moment(row, "changed_at").orElseThrow(),
                        row.getString("who"),
                        row.getString("what")))
                .list();
    }

    private void note(Connection connection, StoredNetwork network, String who, String what) {
        sql.call(connection, "add-change")
                .param("network", network.id())
                .param("acronym", network.network().acronym())
                .param("who", who.substring(0, Math.min(who.length(), 200)))
                .param("what", what)
                .update();
    }

    private static JdbcClient.StatementSpec bind(JdbcClient.StatementSpec call, Network network) {
        return call.param("acronym", network.acronym())
                .param("name", network.name())
                .param("institution_name", network.institutionName())
                .param("institution_acronym", network.institutionAcronym())
                .param("origin_url", network.originUrl())
                .param("metadata_prefix", network.metadataPrefix())
                .param("sets", String.join("\n", network.sets()))
                .param("attributes", lines(network.attributes()))
                .param(
                        "properties",
                        network.properties().stream().map(Enum::name).collect(Collectors.joining("\n")))
                .param("published", network.published())
                .param("schedule", network.schedule().orElse(null))
                .param("pre_validator", network.preValidator().orElse(null))
                .param("validator", network.validator().orElse(null))
                .param("transformer", network.transformer().orElse(null))
                .param("secondary_transformer", network.secondaryTransformer().orElse(null));
    }

    private StoredNetwork stored(ResultSet row, int number) throws SQLException {
        return new StoredNetwork(
                row.getLong("id"),
                new Network(
                        row.getString("acronym"),
                        row.getString("name"),
                        row.getString("institution_name"),
                        row.getString("institution_acronym"),
                        row.getString("origin_url"),
                        row.getString("metadata_prefix"),
                        row.getString("sets")
                                .lines()
                                .filter(set -> !set.isEmpty())
                                .toList(),
                        attributes(row.getString("attributes")),
                        properties(row.getString("properties")),
                        row.getBoolean("published"),
                        text(row.getString("schedule")),
                        text(row.getString("pre_validator")),
                        text(row.getString("validator")),
                        text(row.getString("transformer")),
                        text(row.getString("secondary_transformer"))));
    }

    private static Optional<String> text(@Nullable String column) {
        return Optional.ofNullable(column);
    }

    private static Set<NetworkProperty> properties(String lines) {
        Set<NetworkProperty> set = EnumSet.noneOf(NetworkProperty.class);
        lines.lines().map(NetworkProperty::valueOf).forEach(set::add);
        return set;
    }

    /** One line for each: key, equals sign, value, with backslashes before what would be mistaken. */
    private static String lines(Map<String, String> attributes) {
        return new TreeMap<>(attributes)
                .entrySet().stream()
                        .map(entry -> escape(entry.getKey()) + "=" + escape(entry.getValue()))
                        .collect(Collectors.joining("\n"));
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("=", "\\e");
    }

    private static String unescape(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                i++;
                out.append(
                        switch (text.charAt(i)) {
                            case 'n' -> '\n';
                            case 'r' -> '\r';
                            case 'e' -> '=';
                            default -> text.charAt(i);
                        });
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static Map<String, String> attributes(String lines) {
        Map<String, String> attributes = new TreeMap<>();
        lines.lines().filter(line -> !line.isEmpty()).forEach(line -> {
            int equals = line.indexOf('=');
            attributes.put(unescape(line.substring(0, equals)), unescape(line.substring(equals + 1)));
        });
        return attributes;
    }
}
