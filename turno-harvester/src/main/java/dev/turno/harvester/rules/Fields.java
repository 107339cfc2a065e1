package dev.turno.harvester.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The fields of a record, such as {@code dc.title}, each with its values in order. Belongs to one thread. */
public final class Fields {

    private static final int LONGEST_NAME = 200;

    private final Map<String, List<String>> values = new LinkedHashMap<>();

    /** True for what can be the name of a field. */
    static boolean isName(String text) {
        if (text.isEmpty() || text.length() > LONGEST_NAME || !isLetter(text.charAt(0))) {
            return false;
        }
        for (int i = 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isLetter(c) && !(c >= '0' && c <= '9') && "_.:-".indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    /** The values of a field, in order; empty if it has none. Not to be changed by the caller. */
    public List<String> of(String field) {
        return values.getOrDefault(field, List.of());
    }

    /** The names of the fields that have values. */
    public Set<String> names() {
        return values.keySet();
    }

    public Fields add(String field, String value) {
        values.computeIfAbsent(field, name -> new ArrayList<>(2)).add(value);
        return this;
    }

    /** Gives a field these values instead of those it has; none removes it. */
    void set(String field, List<String> wished) {
        if (wished.isEmpty()) {
            values.remove(field);
        } else {
            values.put(field, new ArrayList<>(wished));
        }
    }

    Map<String, List<String>> copy() {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        values.forEach((name, list) -> copy.put(name, List.copyOf(list)));
        return copy;
    }

    /** How many characters all values have. */
    long size() {
        return values.values().stream()
                .flatMap(List::stream)
                .mapToLong(String::length)
                .sum();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
