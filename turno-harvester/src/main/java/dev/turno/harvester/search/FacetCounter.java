package dev.turno.harvester.search;

import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;

/** Counts the values of some fields over all hits: by number in each segment, by text at its end. For one search. */
final class FacetCounter implements Collector {

    private static final int MOST_VALUES = 20;

    private final Map<String, Map<String, Integer>> counts = new LinkedHashMap<>();

    FacetCounter(List<String> fields) {
        fields.forEach(field -> counts.put(field, new HashMap<>()));
    }

    /** One counter per thread of the search, joined at its end. */
    static CollectorManager<FacetCounter, FacetCounter> of(List<String> fields) {
        return new CollectorManager<>() {
            @Override
            public FacetCounter newCollector() {
                return new FacetCounter(fields);
            }

            @Override
            public FacetCounter reduce(Collection<FacetCounter> counters) {
                FacetCounter all = new FacetCounter(fields);
                counters.forEach(all::add);
                return all;
            }
        };
    }

    private void add(FacetCounter other) {
        other.counts.forEach((field, values) -> values.forEach((value, count) ->
                counts.computeIfAbsent(field, name -> new HashMap<>()).merge(value, count, Integer::sum)));
    }

    @Override
    public ScoreMode scoreMode() {
        return ScoreMode.COMPLETE_NO_SCORES;
    }

    @Override
    public LeafCollector getLeafCollector(LeafReaderContext segment) throws IOException {
        Map<String, SegmentCounts> ofSegment = new HashMap<>();
        for (String field : counts.keySet()) {
            ofSegment.put(field, new SegmentCounts(DocValues.getSortedSet(segment.reader(), field)));
        }
        return new LeafCollector() {
            @Override
            public void setScorer(Scorable scorer) {
                // Only whether a document is hit counts here.
            }

            @Override
            public void collect(int doc) throws IOException {
                for (SegmentCounts one : ofSegment.values()) {
                    one.count(doc);
                }
            }

            @Override
            public void finish() throws IOException {
                for (Map.Entry<String, SegmentCounts> one : ofSegment.entrySet()) {
                    one.getValue().addTo(counts.computeIfAbsent(one.getKey(), field -> new HashMap<>()));
                }
            }
        };
    }

    private static final class SegmentCounts {

        private final SortedSetDocValues values;
        private final int[] counts;

        SegmentCounts(SortedSetDocValues values) {
            this.values = values;
            this.counts = new int[(int) values.getValueCount()];
        }

        void count(int doc) throws IOException {
            if (values.advanceExact(doc)) {
                for (int i = 0; i < values.docValueCount(); i++) {
                    counts[(int) values.nextOrd()]++;
                }
            }
        }

        void addTo(Map<String, Integer> all) throws IOException {
            for (int ord = 0; ord < counts.length; ord++) {
                if (counts[ord] > 0) {
                    all.merge(values.lookupOrd(ord).utf8ToString(), counts[ord], Integer::sum);
                }
            }
        }
    }

    /** The most frequent values of each field, the most frequent first. */
    Map<String, List<SearchResult.Count>> counts() {
        Map<String, List<SearchResult.Count>> most = new LinkedHashMap<>();
        counts.forEach((field, all) -> most.put(
                field,
                all.entrySet().stream()
                        .map(entry -> new SearchResult.Count(entry.getKey(), entry.getValue()))
                        .sorted(Comparator.comparingInt(SearchResult.Count::count)
                                .reversed()
                                .thenComparing(SearchResult.Count::value))
                        .limit(MOST_VALUES)
                        .toList()));
        return most;
    }
}
