package dev.turno.harvester.entity;

import dev.turno.harvester.sql.Sql;
import java.sql.Connection;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** The entities and where they were found. Shared by threads; written by one run at a time, in lane 100. */
public final class Entities {

    public record Entity(long id, EntityKind kind, String key, String name, long mentions) {}

    /** Where an entity was found. */
    public record Provenance(long id, long network, String identifier, long snapshot, String field) {}

    /** A record, and what it mentions. */
    record Found(long network, String hash, String identifier, long snapshot, Set<Mention> mentions) {}

    private record Key(EntityKind kind, String key) {}

    private static final int MOST = 1_001; // the longest page, and one more that tells whether there is another
    private static final int LONGEST_IDENTIFIER = 1_000;

    private final Sql sql;

    public Entities(DataSource source) {
        this.sql = new Sql(source, "entity");
    }

    public void createTables() {
        sql.createTables();
    }

    /** Replaces the mentions of these records, in the transaction of the run's page. */
    void replace(Connection connection, Collection<String> hashes, List<Found> found) {
        if (hashes.isEmpty()) {
            return;
        }
        sql.call(connection, "forget-records").param("hashes", hashes).update();
        Map<Key, Long> known = new HashMap<>();
        Set<String> keys = found.stream()
                .flatMap(record -> record.mentions().stream())
                .map(Mention::key)
                .collect(Collectors.toSet());
        if (!keys.isEmpty()) {
            read(connection, keys, known);
            boolean added = add(connection, found, known);
            if (added) {
                read(connection, keys, known);
            }
        }
        found.forEach(record -> record.mentions()
                .forEach(mention -> sql.call(connection, "mention")
                        .param("entity", known.get(new Key(mention.kind(), mention.key())))
                        .param("network", record.network())
                        .param("hash", record.hash())
                        .param("identifier", fit(record.identifier()))
                        .param("snapshot", record.snapshot())
                        .param("field", mention.field())
                        .update()));
    }

    private void read(Connection connection, Set<String> keys, Map<Key, Long> known) {
        sql.call(connection, "known")
                .param("keys", keys)
                .query((row, n) -> known.put(
                        new Key(EntityKind.valueOf(row.getString("kind")), row.getString("entity_key")),
                        row.getLong("id")))
                .list();
    }

    private boolean add(Connection connection, List<Found> found, Map<Key, Long> known) {
        boolean added = false;
        for (Found record : found) {
            for (Mention mention : record.mentions()) {
                if (known.putIfAbsent(new Key(mention.kind(), mention.key()), 0L) == null) {
                    sql.call(connection, "add")
                            .param("kind", mention.kind().name())
                            .param("key", mention.key())
                            .param("name", mention.name())
                            .update();
                    added = true;
                }
            }
        }
        return added;
    }

    private static String fit(String identifier) {
        return identifier.length() <= LONGEST_IDENTIFIER ? identifier : identifier.substring(0, LONGEST_IDENTIFIER);
    }

    /** Entities whose key begins so, in the order of their keys, after one of them. Names are searched without case and accents. */
    public List<Entity> search(EntityKind kind, String start, String after, int limit) {
        boolean named = kind == EntityKind.PERSON || kind == EntityKind.ORGANISATION;
        String begin = named ? EntityFinder.key(start) : start;
        return sql.call("search")
                .param("kind", kind.name())
                .param("start", begin.replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%")
                .param("after", after)
                .param("limit", Math.min(limit, MOST))
                .query((row, n) -> new Entity(
                        row.getLong("id"),
                        EntityKind.valueOf(row.getString("kind")),
                        row.getString("entity_key"),
                        row.getString("name"),
                        row.getLong("mentions")))
                .list();
    }

    public List<Provenance> mentions(long entity, long after, int limit) {
        return sql.call("mentions")
                .param("entity", entity)
                .param("after", after)
                .param("limit", Math.min(limit, MOST))
                .query((row, n) -> new Provenance(
                        row.getLong("id"),
                        row.getLong("network_id"),
                        row.getString("identifier"),
                        row.getLong("snapshot_id"),
                        row.getString("field")))
                .list();
    }

    /** Forgets what was found in a network, except in this snapshot. */
    void forgetOld(long network, long snapshot) {
        sql.call("forget-old")
                .param("network", network)
                .param("snapshot", snapshot)
                .update();
    }

    /** Forgets what was found in a network. */
    public void forgetNetwork(long network) {
        sql.call("forget-network").param("network", network).update();
    }
}
