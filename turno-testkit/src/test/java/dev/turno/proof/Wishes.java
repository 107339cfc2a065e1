package dev.turno.proof;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a child is told at its start, in words like {@code threads=200}. */
record Wishes(Map<String, String> values) {

    static Wishes of(String... words) {
        Map<String, String> values = new TreeMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            values.put(word.substring(0, equals), word.substring(equals + 1));
        }
        return new Wishes(values);
    }

    Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name));
    }

    String text(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("No '" + name + "=' among " + values));
    }

    int number(String name, int otherwise) {
        return find(name).map(Integer::parseInt).orElse(otherwise);
    }

    Duration millis(String name, Duration otherwise) {
        return Duration.ofMillis(number(name, (int) otherwise.toMillis()));
    }
}
