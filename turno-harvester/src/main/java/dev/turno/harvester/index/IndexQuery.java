package dev.turno.harvester.index;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Which documents to read, in the order of a field and then of their ids.
 *
 * @param equal fields that must have this value
 * @param before only documents that were made from a snapshot before this one
 * @param from the least value of {@code order}, inclusive
 * @param until the greatest value of {@code order}, inclusive
 * @param after the place of the last document of the page before
 */
public record IndexQuery(
        String order,
        Map<String, String> equal,
        OptionalLong before,
        Optional<String> from,
        Optional<String> until,
        Optional<Place> after,
        int limit) {

    public static final int LARGEST = 10_000;

    /** Where a document stands in the order. */
    public record Place(String value, String id) {}

    public IndexQuery {
        if (limit < 1 || limit > LARGEST) {
            throw new IllegalArgumentException("A page has 1 to " + LARGEST + " documents, not " + limit + ".");
        }
        equal = Map.copyOf(equal);
    }

    public static IndexQuery orderedBy(String order, int limit) {
        return new IndexQuery(
                order, Map.of(), OptionalLong.empty(), Optional.empty(), Optional.empty(), Optional.empty(), limit);
    }

    public IndexQuery with(String field, String value) {
        Map<String, String> all = new TreeMap<>(equal);
        all.put(field, value);
        return new IndexQuery(order, all, before, from, until, after, limit);
    }

    public IndexQuery before(long snapshot) {
        return new IndexQuery(order, equal, OptionalLong.of(snapshot), from, until, after, limit);
    }

    public IndexQuery between(Optional<String> least, Optional<String> most) {
        return new IndexQuery(order, equal, before, least, most, after, limit);
    }

    public IndexQuery after(Optional<Place> place) {
        return new IndexQuery(order, equal, before, from, until, place, limit);
    }

    /** The place of a document that this query found. */
    public Place placeOf(IndexDocument document) {
        return new Place(document.first(order).orElse(""), document.id());
    }
}
