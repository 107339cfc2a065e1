package dev.turno.harvester.search;

import java.util.List;
import java.util.Map;

/**
 * What was found.
 *
 * @param hits with the fields that people see
 * @param facets the most frequent values of each facet among all hits
 */
public record SearchResult(long total, List<Hit> hits, Map<String, List<Count>> facets) {

    /** One document. */
    public record Hit(String id, Map<String, List<String>> fields) {}

    /** How often a value occurs. */
    public record Count(String value, int count) {}
}
