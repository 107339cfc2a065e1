package dev.turno.harvester.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.solr.client.solrj.SolrClient;
import org.apache.solr.client.solrj.SolrQuery;
import org.apache.solr.client.solrj.SolrRequest;
import org.apache.solr.client.solrj.SolrServerException;
import org.apache.solr.client.solrj.impl.HttpJdkSolrClient;
import org.apache.solr.client.solrj.response.FacetField;
import org.apache.solr.client.solrj.response.QueryResponse;
import org.apache.solr.common.SolrDocument;
import org.apache.solr.common.SolrException;
import org.apache.solr.common.SolrInputDocument;

/**
 * A core or collection of Solr. Values of users are only ever the value of a term query; what queries are put together from are
 * numbers, moments and hashes made here. Rollback is never used: in Solr it rolls back everybody.
 */
public final class SolrTarget implements IndexTarget {

    private static final int IDS_AT_ONCE = 500;

    private final IndexKind kind;
    private final String core;
    private final SolrClient client;
    private final SolrUpdates updates;
    private final ExecutorService threads;

    private SolrTarget(IndexKind kind, String core, SolrClient client, SolrUpdates updates, ExecutorService threads) {
        this.kind = kind;
        this.core = core;
        this.client = client;
        this.updates = updates;
        this.threads = threads;
    }

    /**
     * @param url of the server, such as {@code http://solr:8983/solr}
     * @param core or collection
     */
    public static SolrTarget open(IndexKind kind, String url, String core) {
        // One thread writes a request into a pipe and another reads it from there. The client's own pool has four
        // threads until a thousand tasks wait: four writers in it would wait for ever for readers behind them.
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "turno-solr");
            thread.setDaemon(true);
            return thread;
        });
        HttpJdkSolrClient client = new HttpJdkSolrClient.Builder(url)
                .withExecutor(threads)
                .withConnectionTimeout(10, TimeUnit.SECONDS)
                .withRequestTimeout(120, TimeUnit.SECONDS)
                .withIdleTimeout(120, TimeUnit.SECONDS)
                .useHttp1_1(true)
                .build();
        return new SolrTarget(kind, core, client, new SolrUpdates(url, core), threads);
    }

    @FunctionalInterface
    private interface Asking<T> {
        T ask() throws SolrServerException, IOException;
    }

    private <T> T asking(String ifItFails, Asking<T> asking) {
        try {
            return asking.ask();
        } catch (SolrServerException | IOException | SolrException e) {
            throw new IndexException(ifItFails + " Solr (core '" + core + "') said: " + e.getMessage(), e);
        }
    }

    @Override
    public IndexKind kind() {
        return kind;
    }

    @Override
    public void add(Collection<IndexDocument> documents) {
        List<SolrInputDocument> inputs = documents.stream().map(this::input).toList();
        asking("Some of these documents may be in the index; add them again.", () -> {
            updates.add(inputs);
            return true;
        });
    }

    private SolrInputDocument input(IndexDocument document) {
        SolrInputDocument input = new SolrInputDocument();
        input.setField(kind.idField(), document.id());
        document.fields().forEach((name, values) -> input.setField(name, values.size() == 1 ? values.get(0) : values));
        return input;
    }

    @Override
    public void remove(Collection<String> ids) {
        if (!ids.isEmpty()) {
            asking(
                    "Some of these documents may have been removed; remove them again.",
                    () -> client.deleteById(core, List.copyOf(ids)));
        }
    }

    @Override
    public void sweep(long network, long snapshot) {
        asking(
                "Old documents of network " + network + " may still be there; index it again.",
                () -> client.deleteByQuery(
                        core, "+" + kind.networkField() + ":" + network + " +" + madeBefore(snapshot)));
    }

    private String madeBefore(long snapshot) {
        return kind.snapshotField() + ":/" + Below.of(snapshot) + "/";
    }

    @Override
    public void removeNetwork(long network) {
        asking(
                "Documents of network " + network + " may still be there; remove it again.",
                () -> client.deleteByQuery(core, kind.networkField() + ":" + network));
    }

    @Override
    public void publish() {
        asking("What was written is kept, but may not be seen yet.", () -> client.commit(core, true, true));
    }

    @Override
    public List<IndexDocument> find(IndexQuery query) {
        SolrQuery wanted = filtered(query);
        wanted.setRows(query.limit());
        wanted.setSort(query.order(), SolrQuery.ORDER.asc);
        wanted.addSort(kind.idField(), SolrQuery.ORDER.asc);
        query.after().ifPresent(place -> wanted.addFilterQuery(behind(query.order(), place)));
        return asking("Nothing was read.", () -> client.query(core, wanted)).getResults().stream()
                .map(this::document)
                .toList();
    }

    private SolrQuery filtered(IndexQuery query) {
        SolrQuery wanted = new SolrQuery("*:*");
        query.equal().forEach((field, value) -> wanted.addFilterQuery(term(field, value)));
        query.before().ifPresent(snapshot -> wanted.addFilterQuery(madeBefore(snapshot)));
        if (query.from().isPresent() || query.until().isPresent()) {
            wanted.addFilterQuery(query.order() + ":[" + bound(query.from()) + " TO " + bound(query.until()) + "]");
        }
        return wanted;
    }

    /** Whatever follows the brace is the value, up to the end: nothing in it can be mistaken for a query. */
    private static String term(String field, String value) {
        return "{!term f=" + field + "}" + value;
    }

    private static String bound(Optional<String> value) {
        return value.map(SolrTarget::plain).orElse("*");
    }

    private String behind(String order, IndexQuery.Place place) {
        String value = plain(place.value());
        return order + ":{" + value + " TO *] OR (+" + order + ":" + value + " +" + kind.idField() + ":{"
                + plain(place.id()) + " TO *])";
    }

    /** Quoted, and only moments and hashes: the values by which documents are ordered are made here. */
    private static String plain(String value) {
        if (!value.matches("[A-Za-z0-9:.+-]*")) {
            throw new IllegalArgumentException("'" + value + "' is not a value by which documents are ordered.");
        }
        return "\"" + value + "\"";
    }

    private IndexDocument document(SolrDocument found) {
        IndexDocument document = new IndexDocument(String.valueOf(found.getFirstValue(kind.idField())));
        for (String name : found.getFieldNames()) {
            if (!name.equals(kind.idField()) && !name.equals("_version_")) {
                found.getFieldValues(name).forEach(value -> document.add(name, text(value)));
            }
        }
        return document;
    }

    /** A schema may keep moments as dates. */
    private static String text(Object value) {
        return value instanceof Date date ? date.toInstant().toString() : String.valueOf(value);
    }

    @Override
    public long count(IndexQuery query) {
        SolrQuery wanted = filtered(query);
        wanted.setRows(0);
        return asking("Nothing was counted.", () -> client.query(core, wanted))
                .getResults()
                .getNumFound();
    }

    @Override
    public List<IndexDocument> get(Collection<String> ids) {
        List<String> all = List.copyOf(ids);
        List<IndexDocument> found = new ArrayList<>();
        for (int i = 0; i < all.size(); i += IDS_AT_ONCE) {
            found.addAll(some(all.subList(i, Math.min(all.size(), i + IDS_AT_ONCE))));
        }
        return found;
    }

    private List<IndexDocument> some(List<String> ids) {
        SolrQuery wanted = new SolrQuery("*:*");
        wanted.addFilterQuery("{!terms f=" + kind.idField() + "}" + String.join(",", ids));
        wanted.setRows(ids.size());
        return asking("Nothing was read.", () -> client.query(core, wanted, SolrRequest.METHOD.POST))
                .getResults()
                .stream()
                .map(this::document)
                .toList();
    }

    @Override
    public List<String> values(String field, int limit) {
        SolrQuery wanted = new SolrQuery("*:*");
        wanted.setRows(0);
        wanted.setFacet(true);
        wanted.addFacetField(field);
        wanted.setFacetLimit(limit);
        wanted.setFacetMinCount(1);
        wanted.setFacetSort("index");
        QueryResponse response = asking("Nothing was read.", () -> client.query(core, wanted));
        return response.getFacetField(field).getValues().stream()
                .map(FacetField.Count::getName)
                .toList();
    }

    @Override
    public void close() {
        asking("The connections to Solr were not closed.", () -> {
            client.close();
            threads.shutdownNow();
            return true;
        });
    }
}
