package dev.turno.harvester.index;

import dev.turno.harvester.digest.Sha256;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A document of an index: fields with values. Built by one thread, not changed afterwards. */
public final class IndexDocument {

    private final String id;
    private final Map<String, List<String>> fields = new LinkedHashMap<>();

    public IndexDocument(String id) {
        this.id = id;
    }

    /** The same for the same record at every indexing. */
    public static String idOf(long network, String identifier) {
        return Sha256.halfOf(network + "\n" + identifier);
    }

    public String id() {
        return id;
    }

    public Map<String, List<String>> fields() {
        return fields;
    }

    public List<String> all(String field) {
        return fields.getOrDefault(field, List.of());
    }

    public Optional<String> first(String field) {
        return all(field).stream().findFirst();
    }

    /** Adds a value; an empty one is left out. */
    public IndexDocument add(String field, String value) {
        if (!value.isEmpty()) {
            fields.computeIfAbsent(field, name -> new ArrayList<>(2)).add(value);
        }
        return this;
    }

    /** This value and no other. */
    IndexDocument set(String field, String value) {
        fields.remove(field);
        return add(field, value);
    }

    public IndexDocument addAll(String field, Collection<String> values) {
        values.forEach(value -> add(field, value));
        return this;
    }

    @Override
    public String toString() {
        return id + fields;
    }
}
