package dev.turno.harvester.index;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
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
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update((network + "\n").getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sha.digest(identifier.getBytes(StandardCharsets.UTF_8)), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
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

    public IndexDocument addAll(String field, Collection<String> values) {
        values.forEach(value -> add(field, value));
        return this;
    }

    @Override
    public String toString() {
        return id + fields;
    }
}
