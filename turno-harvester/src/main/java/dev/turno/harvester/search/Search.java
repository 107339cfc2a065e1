package dev.turno.harvester.search;

import dev.turno.harvester.index.FoldingAnalyzer;
import dev.turno.harvester.index.IndexDocument;
import dev.turno.harvester.index.IndexKind;
import dev.turno.harvester.index.LuceneTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.simple.SimpleQueryParser;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;

/** Finds documents in the local frontend index. Shared by threads. */
public final class Search {

    /** What hits can be narrowed by. */
    public static final List<String> FACETS =
            List.of("network_acronym_str", "format", "language", "publishDate", "eu_rights_str_mv");

    private static final Map<String, Float> WEIGHTS = new LinkedHashMap<>(
            Map.of("title", 5f, "author", 3f, "author2", 2f, "topic", 2f, "allfields", 1f, "fulltext", 0.5f));

    private final LuceneTarget index;

    public Search(LuceneTarget index) {
        if (index.kind() != IndexKind.FRONTEND) {
            throw new IllegalArgumentException("The search needs the frontend index, not " + index.kind() + ".");
        }
        this.index = index;
    }

    public SearchResult find(SearchRequest request) {
        return index.reading(searcher -> find(searcher, request));
    }

    private SearchResult find(IndexSearcher searcher, SearchRequest request) throws IOException {
        TopDocs best = searcher.search(
                query(request), new TopScoreDocCollectorManager(request.from() + request.size(), Integer.MAX_VALUE));
        FacetCounter facets = searcher.search(query(request), FacetCounter.of(FACETS));
        List<SearchResult.Hit> hits = new ArrayList<>();
        StoredFields stored = searcher.storedFields();
        for (int i = request.from(); i < best.scoreDocs.length; i++) {
            IndexDocument document = index.document(stored.document(best.scoreDocs[i].doc));
            hits.add(new SearchResult.Hit(document.id(), document.fields()));
        }
        return new SearchResult(best.totalHits.value, hits, facets.counts());
    }

    /** Whatever people type is a search: this parser refuses nothing. */
    private static Query query(SearchRequest request) {
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        if (request.words().isBlank()) {
            query.add(new MatchAllDocsQuery(), Occur.MUST);
        } else {
            SimpleQueryParser parser = new SimpleQueryParser(new FoldingAnalyzer(), WEIGHTS);
            parser.setDefaultOperator(Occur.MUST);
            Query words = parser.parse(request.words());
            query.add(words == null ? new MatchAllDocsQuery() : words, Occur.MUST);
        }
        request.filters().forEach((facet, value) -> query.add(new TermQuery(new Term(facet, value)), Occur.FILTER));
        return query.build();
    }
}
