package dev.turno.harvester.demo;

import java.util.Map;
import java.util.Optional;

/**
 * A request to the demonstration's provider.
 *
 * @param count which one of all it is, from 1
 * @param page which page of a list is asked for, from 1; 0 for other verbs
 */
public record Question(String verb, Map<String, String> arguments, int count, int page) {

    Optional<String> argument(String name) {
        return Optional.ofNullable(arguments.get(name)).filter(text -> !text.isEmpty());
    }
}
