package dev.turno.action;

import java.util.Map;

/** What actions work on, such as a network: at most one run of it is under way at a time. */
public record Subject(String id, Map<String, Boolean> properties) {

    public Subject {
        properties = Map.copyOf(properties);
    }

    public static Subject of(String id) {
        return new Subject(id, Map.of());
    }

    public boolean has(String property) {
        return properties.getOrDefault(property, false);
    }
}
