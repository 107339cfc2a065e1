package dev.turno.harvester.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The fields of a record, such as {@code dc.title}, each with its values in order. Belongs to one thread. */
public final class Fields {

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.:-]{0,199}");

    private final Map<String, List<String>> values = new LinkedHashMap<>();

    /** True for what can be the name of a field. */
    static boolean isName(String text) {
        return NAME.matcher(text).matches();
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
