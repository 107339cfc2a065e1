package dev.turno.harvester.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.walk.Walk;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every index does, whatever it is made of. */
abstract class IndexTargetContract {

    private static final StoredNetwork NASTY = Items.network(1, "A:B* OR *:*");
    private static final StoredNetwork OTHER = Items.network(2, "AB");
    private static final StoredNetwork QUOTED = Items.network(12, "x\\\"{!term}'");

    private IndexTarget frontend;
    private IndexTarget xoai;

    abstract IndexTarget open(IndexKind kind) throws Exception;

    @BeforeEach
    void open() throws Exception {
        frontend = open(IndexKind.FRONTEND);
        xoai = open(IndexKind.XOAI);
        for (IndexTarget target : List.of(frontend, xoai)) {
            List.of(NASTY, OTHER, QUOTED).forEach(network -> target.removeNetwork(network.id()));
            target.publish();
        }
    }

    @AfterEach
    void close() {
        frontend.close();
        xoai.close();
    }

    private static List<StoredRecord> records(int from, int to, String title) {
        return IntStream.range(from, to)
                .mapToObj(i -> Items.record(i, title + " " + i))
                .toList();
    }

    private Documents documents(IndexTarget target) {
        return target.kind() == IndexKind.XOAI
                ? new XoaiDocuments(target, new XoaiCrosswalk(), InstantSource.system())
                : new FrontendDocuments(target, new FrontendCrosswalk());
    }

    private void full(IndexTarget target, StoredNetwork network, long snapshot, List<StoredRecord> records) {
        documents(target).write(network, Walk.all(snapshot), records, List.of(), line -> {});
        documents(target).sweep(network, snapshot);
        target.publish();
    }

    private static IndexQuery all(IndexTarget target, int limit) {
        return IndexQuery.orderedBy(target.kind() == IndexKind.XOAI ? "item.lastmodified" : "id", limit);
    }

    @Test
    void a_document_has_the_fields_of_a_frontend() {
        full(frontend, NASTY, 1, records(4, 5, "Título"));

        IndexDocument document = frontend.find(all(frontend, 10)).get(0);

        assertThat(document.id()).isEqualTo(IndexDocument.idOf(1, "oai:example.org:4"));
        assertThat(document.all("title")).containsExactly("Título 4");
        assertThat(document.all("author")).containsExactly("Pérez, Ana 4");
        assertThat(document.all("author2")).containsExactly("Universidad de Ejemplo");
        assertThat(document.all("topic")).containsExactly("subject 4", "Biología");
        assertThat(document.all("publishDate")).containsExactly("1994");
        assertThat(document.all("format")).containsExactly("article");
        assertThat(document.all("eu_rights_str_mv")).containsExactly("openAccess");
        assertThat(document.all("url")).containsExactly("https://example.org/item/4");
        assertThat(document.all("oai_identifier_str")).containsExactly("oai:example.org:4");
        assertThat(document.all("network_acronym_str")).containsExactly("A:B* OR *:*");
        assertThat(document.all("instname_str")).containsExactly("Institution of A:B* OR *:*");
    }

    @Test
    void a_large_page_arrives_whole() {
        for (int snapshot = 1; snapshot <= 3; snapshot++) {
            full(frontend, NASTY, snapshot, records(0, 3_000, "page " + snapshot));
        }

        assertThat(frontend.count(NASTY.id())).isEqualTo(3_000);
    }

    @Test
    void nothing_is_seen_before_it_is_published_and_then_everything() {
        documents(frontend).write(NASTY, Walk.all(1), records(0, 100, "t"), List.of(), line -> {});
        assertThat(frontend.count(NASTY.id())).isZero();

        frontend.publish();

        assertThat(frontend.count(NASTY.id())).isEqualTo(100);
    }

    @Test
    void indexing_again_replaces_and_sweeps_what_is_not_there_any_more() {
        full(frontend, NASTY, 1, records(0, 100, "old"));
        full(frontend, OTHER, 1, records(0, 10, "other"));

        full(frontend, NASTY, 2, records(20, 120, "new"));

        assertThat(frontend.count(NASTY.id())).isEqualTo(100);
        assertThat(frontend.count(OTHER.id())).isEqualTo(10);
        assertThat(frontend.get(List.of(IndexDocument.idOf(1, "oai:example.org:5"))))
                .isEmpty();
        assertThat(frontend.get(List.of(IndexDocument.idOf(1, "oai:example.org:50")))
                        .get(0)
                        .all("title"))
                .containsExactly("new 50");
    }

    @Test
    void a_sweep_that_comes_late_leaves_what_newer_snapshots_brought() {
        for (IndexTarget target : List.of(frontend, xoai)) {
            full(target, NASTY, 9, records(0, 10, "a"));
            full(target, NASTY, 10, records(0, 8, "b"));
            documents(target).write(NASTY, Walk.since(105, 10), records(6, 12, "c"), List.of(), line -> {});
            target.publish();

            for (long late : List.of(2L, 9L, 10L)) {
                documents(target).sweep(NASTY, late);
                target.publish();
                assertThat(live(target)).as(target.kind() + ", sweep " + late).isEqualTo(12);
            }
            documents(target).sweep(NASTY, 105);
            target.publish();
            assertThat(live(target)).isEqualTo(6);
        }
    }

    private static long live(IndexTarget target) {
        IndexQuery ofNetwork = all(target, 1).with(target.kind().networkField(), Long.toString(NASTY.id()));
        return target.count(target.kind() == IndexKind.XOAI ? ofNetwork.with("item.deleted", "false") : ofNetwork);
    }

    @Test
    void a_record_that_is_not_shown_any_more_goes_when_the_same_snapshot_is_indexed_again() {
        full(frontend, NASTY, 1, records(0, 10, "a"));

        documents(frontend).write(NASTY, Walk.all(1), records(0, 6, "a"), records(6, 10, "a"), line -> {});
        documents(frontend).sweep(NASTY, 1);
        frontend.publish();

        assertThat(frontend.count(NASTY.id())).isEqualTo(6);
    }

    @Test
    void an_incremental_indexing_touches_only_what_changed() {
        full(frontend, NASTY, 1, records(0, 50, "old"));

        documents(frontend)
                .write(
                        NASTY,
                        Walk.since(2, 1),
                        records(10, 12, "new"),
                        List.of(Items.deleted(20), Items.deleted(21), Items.deleted(999)),
                        line -> {});
        frontend.publish();

        assertThat(frontend.count(NASTY.id())).isEqualTo(48);
        assertThat(frontend.count(all(frontend, 1).with("snapshot_id_str", "2")))
                .isEqualTo(2);
        assertThat(frontend.count(all(frontend, 1).with("snapshot_id_str", "1")))
                .isEqualTo(46);
    }

    @Test
    void an_acronym_full_of_query_syntax_deletes_nobody_else() {
        full(frontend, NASTY, 1, records(0, 10, "a"));
        full(frontend, OTHER, 1, records(0, 11, "b"));
        full(frontend, QUOTED, 1, records(0, 12, "c"));

        assertThat(frontend.count(all(frontend, 1).with("network_acronym_str", "A:B* OR *:*")))
                .isEqualTo(10);
        assertThat(frontend.count(all(frontend, 1).with("network_acronym_str", "x\\\"{!term}'")))
                .isEqualTo(12);

        frontend.removeNetwork(NASTY.id());
        frontend.publish();

        assertThat(frontend.count(NASTY.id())).isZero();
        assertThat(frontend.count(OTHER.id())).isEqualTo(11);
        assertThat(frontend.count(QUOTED.id())).isEqualTo(12);
    }

    @Test
    void documents_are_found_page_by_page_each_once() {
        full(xoai, NASTY, 1, records(0, 95, "a"));

        List<String> ids = new ArrayList<>();
        Optional<IndexQuery.Place> place = Optional.empty();
        List<IndexDocument> page;
        do {
            IndexQuery query = all(xoai, 10).after(place);
            page = xoai.find(query);
            for (IndexDocument document : page) {
                ids.add(document.id());
                place = Optional.of(query.placeOf(document));
            }
        } while (!page.isEmpty());

        assertThat(ids).hasSize(95).doesNotHaveDuplicates();
    }

    @Test
    void sets_are_listed_in_order() {
        full(xoai, OTHER, 1, records(0, 3, "a"));

        assertThat(xoai.values("item.collections", 100)).containsExactly("AB", "AB:set0", "AB:set1", "AB:set2");
    }

    @Test
    void an_item_that_did_not_change_keeps_its_moment_and_one_that_went_says_so() throws Exception {
        full(xoai, NASTY, 1, records(0, 10, "a"));
        String before =
                xoai.find(all(xoai, 1)).get(0).first("item.lastmodified").orElseThrow();
        Thread.sleep(1_100);

        List<StoredRecord> next = new ArrayList<>(records(0, 4, "a"));
        next.addAll(records(4, 8, "changed"));
        full(xoai, NASTY, 2, next);

        IndexQuery ofFirst = all(xoai, 100).between(Optional.of(before), Optional.of(before));
        assertThat(xoai.count(ofFirst)).isEqualTo(4);
        assertThat(xoai.count(all(xoai, 1).with("item.deleted", "true"))).isEqualTo(2);
        assertThat(xoai.count(NASTY.id())).isEqualTo(10);
        assertThat(xoai.count(all(xoai, 1).with("item.snapshot_id", "1"))).isZero();
    }

    @Test
    void a_reader_never_sees_fewer_documents_while_a_network_is_indexed_again() throws Exception {
        full(frontend, NASTY, 1, records(0, 2_000, "old"));
        AtomicLong least = new AtomicLong(Long.MAX_VALUE);
        AtomicLong looks = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        Thread reader = new Thread(() -> {
            while (!over.get()) {
                least.accumulateAndGet(frontend.count(NASTY.id()), Math::min);
                looks.incrementAndGet();
                sleep(5);
            }
        });
        reader.start();
        for (long snapshot = 2; snapshot <= 4; snapshot++) {
            for (int page = 0; page < 2_000; page += 250) {
                documents(frontend)
                        .write(NASTY, Walk.all(snapshot), records(page, page + 250, "new"), List.of(), line -> {});
                awaitLook(looks);
            }
            documents(frontend).sweep(NASTY, snapshot);
            frontend.publish();
        }
        over.set(true);
        reader.join();

        assertThat(least.get()).isEqualTo(2_000);
    }

    private static void awaitLook(AtomicLong looks) {
        long before = looks.get();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> looks.get() > before);
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
