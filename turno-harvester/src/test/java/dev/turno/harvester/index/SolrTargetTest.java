package dev.turno.harvester.index;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Against a real Solr 9.10.1. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SolrTargetTest extends IndexTargetContract {

    @TempDir
    private static Path home;

    private SolrServer server;

    @BeforeAll
    void start() throws Exception {
        server = SolrServer.start(home);
    }

    @AfterAll
    void stop() throws Exception {
        server.close();
    }

    @Test
    void one_refused_document_of_many_fails_them_all_and_solr_says_why() {
        List<IndexDocument> documents = new ArrayList<>();
        for (int i = 0; i < 1_700; i++) {
            documents.add(new IndexDocument("refused-" + i).add(i == 1_600 ? "no_such_field" : "title", "A title"));
        }

        try (IndexTarget target = open(IndexKind.FRONTEND)) {
            assertThatThrownBy(() -> target.add(documents))
                    .isInstanceOf(IndexException.class)
                    .hasMessageContaining("add them again")
                    .hasMessageContaining("no_such_field")
                    .matches(e -> !((IndexException) e).isPassing());
            target.remove(documents.stream().map(IndexDocument::id).toList());
        }
    }

    @Test
    void an_index_that_is_not_there_is_told_by_its_name() {
        try (IndexTarget target = SolrTarget.open(IndexKind.FRONTEND, server.url(), "nowhere")) {
            assertThatThrownBy(() -> target.add(List.of(new IndexDocument("1"))))
                    .isInstanceOf(IndexException.class)
                    .hasMessageContaining("'nowhere'")
                    .hasMessageContaining("Status 404")
                    .matches(e -> !((IndexException) e).isPassing());
        }
    }

    @Test
    void a_solr_that_is_away_may_come_back() {
        try (IndexTarget target = SolrTarget.open(IndexKind.FRONTEND, "http://127.0.0.1:9/solr", "frontend")) {
            assertThatThrownBy(() -> target.add(List.of(new IndexDocument("1"))))
                    .isInstanceOf(IndexException.class)
                    .matches(e -> ((IndexException) e).isPassing());
            assertThatThrownBy(() -> target.removeNetwork(1))
                    .isInstanceOf(IndexException.class)
                    .matches(e -> ((IndexException) e).isPassing());
        }
    }

    @Override
    IndexTarget open(IndexKind kind) {
        return SolrTarget.open(kind, server.url(), kind.name().toLowerCase(Locale.ROOT));
    }
}
