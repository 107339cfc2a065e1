package dev.turno.harvester.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * An index in a folder that all instances see. Every write is on disk when it returns; readers of this process go on with what they had
 * until {@link #publish}. One process writes at a time: it has the index open for writing from its first write until {@link #rest}.
 */
public final class LuceneTarget implements IndexTarget {

    /** Work on what readers see. */
    @FunctionalInterface
    public interface Reading<T> {
        T on(IndexSearcher searcher) throws IOException;
    }

    @FunctionalInterface
    private interface Writing {
        void on(IndexWriter writer) throws IOException;
    }

    /** Searched by words. Everything else that is indexed stands there as it is. */
    private static final Set<String> TEXTS = Set.of("title", "author", "author2", "topic", "allfields", "fulltext");

    /** Of no use to searchers, or there already under another name. */
    private static final Set<String> ONLY_SEARCHED = Set.of("allfields", "fulltext");

    private static final Set<String> FACETS =
            Set.of("format", "language", "publishDate", "network_acronym_str", "network_name_str", "eu_rights_str_mv");
    private static final Set<String> ORDERS = Set.of("item.lastmodified", "title_sort");

    /** A description is found by {@code allfields}; as a field of its own its words would be indexed twice. */
    private static final Set<String> ONLY_STORED =
            Set.of("description", "url", "item.compile", "item.origin", "item.datestamp", "item.prefix", "item.hash");

    private static final int LONGEST_TERM = 10_000; // Lucene refuses terms of more than 32,766 bytes
    private static final double MEMORY_MB = 64;

    private final IndexKind kind;
    private final Path folder;
    private final Analyzer analyzer;

    /** Taken before that of this object, if both are. Readers never take it: a page is written for seconds. */
    private final Object pen = new Object();

    private volatile @Nullable IndexWriter writer; // changed only by who has the pen
    private @Nullable FSDirectory directory; // guarded by this
    private @Nullable SearcherManager searchers; // guarded by this

    private LuceneTarget(IndexKind kind, Path folder, Analyzer analyzer) {
        this.kind = kind;
        this.folder = folder;
        this.analyzer = analyzer;
    }

    /** Touches nothing yet: the folder comes into being with the first write. */
    public static LuceneTarget open(IndexKind kind, Path folder, Analyzer analyzer) {
        return new LuceneTarget(kind, folder, analyzer);
    }

    public static LuceneTarget open(IndexKind kind, Path folder) {
        return open(kind, folder, new FoldingAnalyzer());
    }

    private void writing(String ifItFails, Writing writing) {
        try {
            synchronized (pen) {
                IndexWriter out = writer();
                writing.on(out);
                out.commit();
            }
        } catch (LockObtainFailedException e) {
            throw new IndexException(
                    ifItFails + " Another process writes to the index in " + folder
                            + ". If that is no instance of this application, end it.",
                    e);
        } catch (IOException
                | UncheckedIOException
                | AlreadyClosedException e) { // closed: a disk that is full closes it
            throw new IndexException(ifItFails + " The index in " + folder + " said: " + e.getMessage(), e);
        }
    }

    private synchronized FSDirectory directory() throws IOException {
        FSDirectory open = directory;
        if (open == null) {
            open = FSDirectory.open(folder);
            directory = open;
        }
        return open;
    }

    private IndexWriter writer() throws IOException {
        IndexWriter open = writer;
        if (open == null || !open.isOpen()) {
            IndexWriterConfig config = new IndexWriterConfig(analyzer).setRAMBufferSizeMB(MEMORY_MB);
            config.setCommitOnClose(false);
            open = new IndexWriter(directory(), config);
            writer = open;
        }
        return open;
    }

    /** Lets someone work on what readers see. */
    public <T> T reading(Reading<T> reading) {
        try {
            Optional<SearcherManager> found = searchers();
            if (found.isEmpty()) {
                return reading.on(new IndexSearcher(new MultiReader())); // nothing was ever written
            }
            IndexSearcher searcher = found.get().acquire();
            try {
                return reading.on(searcher);
            } finally {
                found.get().release(searcher);
            }
        } catch (IOException e) {
            throw new IndexException("Nothing was read. The index in " + folder + " said: " + e.getMessage(), e);
        }
    }

    /** While this process does not write, another one may have: then what it wrote is looked for. */
    private Optional<SearcherManager> searchers() throws IOException {
        Optional<SearcherManager> open = opened();
        if (open.isPresent() && writer == null) {
            open.get().maybeRefreshBlocking();
        }
        return open;
    }

    private synchronized Optional<SearcherManager> opened() throws IOException {
        SearcherManager open = searchers;
        if (open == null && Files.isDirectory(folder) && DirectoryReader.indexExists(directory())) {
            open = new SearcherManager(directory(), null);
            searchers = open;
        }
        return Optional.ofNullable(open);
    }

    @Override
    public IndexKind kind() {
        return kind;
    }

    @Override
    public void add(Collection<IndexDocument> documents) {
        // Taking the words of a document apart is most of the work, and nothing stands in the way of doing it for
        // several at once.
        writing(
                "Some of these documents may be in the index; add them again.",
                out -> documents.parallelStream().forEach(document -> update(out, document)));
    }

    private void update(IndexWriter out, IndexDocument document) {
        try {
            out.updateDocument(new Term(kind.idField(), document.id()), input(document));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Document input(IndexDocument document) {
        Document input = new Document();
        input.add(new StringField(kind.idField(), document.id(), Field.Store.YES));
        input.add(new SortedDocValuesField(kind.idField(), new BytesRef(document.id())));
        document.fields().forEach((name, values) -> values.forEach(value -> add(input, name, value)));
        return input;
    }

    private static void add(Document input, String name, String value) {
        if (TEXTS.contains(name)) {
            input.add(new TextField(name, value, ONLY_SEARCHED.contains(name) ? Field.Store.NO : Field.Store.YES));
            return;
        }
        input.add(new StoredField(name, value));
        if (ONLY_STORED.contains(name) || name.startsWith("metadata.")) {
            return;
        }
        String term = value.length() <= LONGEST_TERM ? value : value.substring(0, LONGEST_TERM);
        input.add(new StringField(name, term, Field.Store.NO));
        if (FACETS.contains(name)) {
            input.add(new SortedSetDocValuesField(name, new BytesRef(term)));
        }
        if (ORDERS.contains(name)) {
            input.add(new SortedDocValuesField(name, new BytesRef(term)));
        }
    }

    @Override
    public void remove(Collection<String> ids) {
        writing(
                "Some of these documents may have been removed; remove them again.",
                out -> out.deleteDocuments(
                        ids.stream().map(id -> new Term(kind.idField(), id)).toArray(Term[]::new)));
    }

    @Override
    public void sweep(long network, long snapshot) {
        Query old = new BooleanQuery.Builder()
                .add(ofNetwork(network), Occur.FILTER)
                .add(madeBefore(snapshot), Occur.FILTER)
                .build();
        writing(
                "Old documents of network " + network + " may still be there; index it again.",
                out -> out.deleteDocuments(old));
    }

    private Query madeBefore(long snapshot) {
        return new RegexpQuery(new Term(kind.snapshotField(), Below.of(snapshot)));
    }

    private Query ofNetwork(long network) {
        return new TermQuery(new Term(kind.networkField(), Long.toString(network)));
    }

    @Override
    public void removeNetwork(long network) {
        writing(
                "Documents of network " + network + " may still be there; remove it again.",
                out -> out.deleteDocuments(ofNetwork(network)));
    }

    @Override
    public void publish() {
        try {
            Optional<SearcherManager> found = opened();
            if (found.isPresent()) {
                found.get().maybeRefreshBlocking();
            }
        } catch (IOException e) {
            throw new IndexException(
                    "What was written is kept, but may not be seen yet. The index in " + folder + " said: "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public void rest() {
        try {
            synchronized (pen) {
                IndexWriter open = writer;
                if (open != null) {
                    open.close();
                    writer = null;
                }
            }
        } catch (IOException e) {
            throw new IndexException("The index in " + folder + " was not closed well: " + e.getMessage(), e);
        }
    }

    @Override
    public List<IndexDocument> find(IndexQuery query) {
        Sort sort = new Sort(
                new SortField(query.order(), SortField.Type.STRING),
                new SortField(kind.idField(), SortField.Type.STRING));
        BooleanQuery.Builder wanted = new BooleanQuery.Builder().add(filter(query), Occur.FILTER);
        query.after().ifPresent(place -> wanted.add(behind(query.order(), place), Occur.FILTER));
        return reading(searcher -> documents(searcher, searcher.search(wanted.build(), query.limit(), sort).scoreDocs));
    }

    private Query behind(String order, IndexQuery.Place place) {
        BooleanQuery same = new BooleanQuery.Builder()
                .add(new TermQuery(new Term(order, place.value())), Occur.FILTER)
                .add(TermRangeQuery.newStringRange(kind.idField(), place.id(), null, false, true), Occur.FILTER)
                .build();
        return new BooleanQuery.Builder()
                .add(TermRangeQuery.newStringRange(order, place.value(), null, false, true), Occur.SHOULD)
                .add(same, Occur.SHOULD)
                .build();
    }

    private Query filter(IndexQuery query) {
        BooleanQuery.Builder filter = new BooleanQuery.Builder().add(new MatchAllDocsQuery(), Occur.FILTER);
        query.equal().forEach((field, value) -> filter.add(new TermQuery(new Term(field, value)), Occur.FILTER));
        query.before().ifPresent(snapshot -> filter.add(madeBefore(snapshot), Occur.FILTER));
        if (query.from().isPresent() || query.until().isPresent()) {
            filter.add(
                    TermRangeQuery.newStringRange(
                            query.order(),
                            query.from().orElse(null),
                            query.until().orElse(null),
                            true,
                            true),
                    Occur.FILTER);
        }
        return filter.build();
    }

    private List<IndexDocument> documents(IndexSearcher searcher, ScoreDoc[] found) throws IOException {
        StoredFields stored = searcher.storedFields();
        List<IndexDocument> documents = new ArrayList<>(found.length);
        for (ScoreDoc doc : found) {
            documents.add(document(stored.document(doc.doc)));
        }
        return documents;
    }

    /** The document as it was added, without what is only searched. */
    public IndexDocument document(Document found) {
        IndexDocument document = new IndexDocument(found.get(kind.idField()));
        for (IndexableField field : found) {
            if (!field.name().equals(kind.idField()) && field.stringValue() != null) {
                document.add(field.name(), field.stringValue());
            }
        }
        return document;
    }

    @Override
    public long count(IndexQuery query) {
        return reading(searcher -> (long) searcher.count(filter(query)));
    }

    @Override
    public List<IndexDocument> get(Collection<String> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        Query wanted = new TermInSetQuery(
                kind.idField(), ids.stream().map(BytesRef::new).toList());
        return reading(searcher -> documents(searcher, searcher.search(wanted, ids.size()).scoreDocs));
    }

    @Override
    public List<String> values(String field, int limit) {
        return reading(searcher -> {
            List<String> values = new ArrayList<>();
            IndexReader reader = searcher.getIndexReader();
            Terms terms = MultiTerms.getTerms(reader, field);
            if (terms != null) {
                TermsEnum each = terms.iterator();
                for (BytesRef term = each.next(); term != null && values.size() < limit; term = each.next()) {
                    if (searcher.count(new TermQuery(new Term(field, term))) > 0) {
                        values.add(term.utf8ToString());
                    }
                }
            }
            return values;
        });
    }

    @Override
    public void close() {
        synchronized (pen) {
            rest();
            closeReaders();
        }
    }

    private synchronized void closeReaders() {
        try {
            if (searchers != null) {
                searchers.close();
                searchers = null;
            }
            if (directory != null) {
                directory.close();
                directory = null;
            }
        } catch (IOException e) {
            throw new IndexException("The index in " + folder + " was not closed well: " + e.getMessage(), e);
        }
    }
}
