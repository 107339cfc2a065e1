package dev.turno.harvester.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.harvester.search.Search;
import dev.turno.harvester.search.SearchRequest;
import dev.turno.harvester.search.SearchResult;
import dev.turno.harvester.walk.Walk;
import java.nio.file.Path;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LuceneTargetTest extends IndexTargetContract {

    @TempDir
    private Path folder;

    @Override
    IndexTarget open(IndexKind kind) {
        return LuceneTarget.open(kind, folder.resolve(kind.name()));
    }

    @Test
    void processes_write_one_after_the_other_and_see_what_the_others_wrote() {
        IndexDocument one = new IndexDocument("1").add("network_id_str", "7");
        IndexDocument two = new IndexDocument("2").add("network_id_str", "7");
        Path shared = folder.resolve("shared");
        try (LuceneTarget mine = LuceneTarget.open(IndexKind.FRONTEND, shared);
                LuceneTarget others = LuceneTarget.open(IndexKind.FRONTEND, shared)) {
            assertThat(others.count(7)).isZero();

            mine.add(List.of(one));
            assertThatThrownBy(() -> others.add(List.of(two))).hasMessageContaining("Another process writes");
            mine.rest();
            others.add(List.of(two));
            others.rest();

            assertThat(mine.count(7)).isEqualTo(2);
        }
    }

    @Test
    void a_search_is_answered_while_a_page_is_being_written() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        IndexDocument before = new IndexDocument("1").add("network_id_str", "7");
        IndexDocument late = new IndexDocument("2").add("network_id_str", "7");
        Collection<IndexDocument> slow = new AbstractCollection<>() {
            @Override
            public Iterator<IndexDocument> iterator() {
                begun.countDown();
                try {
                    assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                return List.of(late).iterator();
            }

            @Override
            public int size() {
                return 1;
            }
        };
        try (LuceneTarget index = LuceneTarget.open(IndexKind.FRONTEND, folder.resolve("slow"))) {
            index.add(List.of(before));
            index.publish();
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> index.add(slow));
            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();

            CompletableFuture<Long> read = CompletableFuture.supplyAsync(() -> index.count(7));
            try {
                assertThat(read.get(10, TimeUnit.SECONDS)).isEqualTo(1);
            } finally {
                goOn.countDown();
            }
            writing.get(60, TimeUnit.SECONDS);
            assertThat(index.count(7)).isEqualTo(1);
            index.publish();
            assertThat(index.count(7)).isEqualTo(2);
        }
    }

    @Test
    void people_find_what_they_type_with_and_without_accents() {
        try (LuceneTarget index = LuceneTarget.open(IndexKind.FRONTEND, folder.resolve("search"))) {
            new FrontendDocuments(index, new FrontendCrosswalk())
                    .write(
                            Items.network(7, "R:N*"),
                            Walk.all(1),
                            IntStream.range(0, 40)
                                    .mapToObj(i -> Items.record(i, "Árbol " + i))
                                    .toList(),
                            List.of(),
                            line -> {});
            index.publish();
            Search search = new Search(index);

            assertThat(search.find(SearchRequest.of("arbol biologia")).total()).isEqualTo(40);
            assertThat(search.find(SearchRequest.of("ÁRBOL 7"))
                            .hits()
                            .get(0)
                            .fields()
                            .get("title"))
                    .isEqualTo(List.of("Árbol 7"));
            assertThat(search.find(SearchRequest.of("arbol -biologia")).total()).isZero();
            assertThat(search.find(SearchRequest.of("nothing")).total()).isZero();
            assertThat(search.find(SearchRequest.of("\"*:*) OR (")).total()).isLessThanOrEqualTo(40);

            SearchResult spanish =
                    search.find(SearchRequest.of("").with(Map.of("language", "spa", "network_acronym_str", "R:N*")));
            assertThat(spanish.total()).isEqualTo(20);
            assertThat(spanish.facets().get("language")).containsExactly(new SearchResult.Count("spa", 20));
            assertThat(spanish.facets().get("format")).containsExactly(new SearchResult.Count("article", 20));
            assertThatThrownBy(() -> SearchRequest.of("x").with(Map.of("nofacet", "x")))
                    .hasMessageContaining("There is no facet");
            assertThatThrownBy(() -> new SearchRequest("x", Map.of(), Integer.MAX_VALUE, 20))
                    .hasMessageContaining("Narrow the search");
        }
    }
}
