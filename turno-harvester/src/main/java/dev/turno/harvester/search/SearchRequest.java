package dev.turno.harvester.search;

import java.util.Map;

/**
 * What to look for.
 *
 * @param words as people type them: all must be there, {@code "a phrase"}, {@code -without}, {@code begin*}; empty: everything
 * @param filters facets and the values they must have
 * @param from how many hits to pass over
 */
public record SearchRequest(String words, Map<String, String> filters, int from, int size) {

    public static final int MOST_HITS = 10_000;
    public static final int LARGEST_PAGE = 100;
    private static final int LONGEST = 1_000;

    public SearchRequest {
        if (words.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "The search has " + words.length() + " characters; at most " + LONGEST + ".");
        }
        if (size < 1 || size > LARGEST_PAGE || from < 0 || from > MOST_HITS - size) {
            throw new IllegalArgumentException("A page has 1 to " + LARGEST_PAGE + " hits among the first " + MOST_HITS
                    + "; asked for " + size + " after " + from + ". Narrow the search instead.");
        }
        filters = Map.copyOf(filters);
        filters.keySet().forEach(SearchRequest::requireFacet);
    }

    private static void requireFacet(String facet) {
        if (!Search.FACETS.contains(facet)) {
            throw new IllegalArgumentException("There is no facet '" + facet + "'; there are " + Search.FACETS + ".");
        }
    }

    public static SearchRequest of(String words) {
        return new SearchRequest(words, Map.of(), 0, 20);
    }

    public SearchRequest with(Map<String, String> wished) {
        return new SearchRequest(words, wished, from, size);
    }
}
