package dev.turno.harvester.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.turno.harvester.index.IndexDocument;
import dev.turno.harvester.index.IndexKind;
import dev.turno.harvester.index.Items;
import dev.turno.harvester.index.LuceneTarget;
import dev.turno.harvester.index.XoaiCrosswalk;
import dev.turno.harvester.oai.ListRequest;
import dev.turno.harvester.oai.OaiClient;
import dev.turno.harvester.oai.OaiOptions;
import dev.turno.harvester.oai.OaiPage;
import dev.turno.harvester.oai.RecordSink;
import dev.turno.harvester.record.OaiRecord;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OaiProviderTest {

    private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");

    @TempDir
    private Path folder;

    private LuceneTarget index;
    private OaiProvider provider;

    @BeforeEach
    void open() {
        index = LuceneTarget.open(IndexKind.XOAI, folder);
        provider = new OaiProvider(
                index,
                new ProviderIdentity("Test & <Co>", "https://example.org/oai", "example.org", List.of("a@example.org")),
                InstantSource.fixed(NOW),
                10);
    }

    @AfterEach
    void close() {
        index.close();
    }

    /** Item {@code i} changed {@code i} seconds after midnight of 2026-01-01; every seventh is deleted. */
    private void fill(int items) {
        List<IndexDocument> documents = new ArrayList<>();
        for (int i = 0; i < items; i++) {
            IndexDocument item = new XoaiCrosswalk()
                    .document(
                            Items.network(i % 2 + 1, i % 2 == 0 ? "A:B*" : "C"),
                            1,
                            i % 7 == 6 ? Items.deleted(i) : Items.record(i, "Title <" + i + "> & more"));
            documents.add(item.add(
                    "item.lastmodified",
                    Instant.parse("2026-01-01T00:00:00Z").plusSeconds(i).toString()));
        }
        index.add(documents);
        index.publish();
    }

    private OaiResponse ask(String... arguments) {
        Map<String, List<String>> all = new TreeMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            all.computeIfAbsent(arguments[i], name -> new ArrayList<>()).add(arguments[i + 1]);
        }
        return OaiResponse.validated(provider.answer(all));
    }

    private List<OaiResponse.Header> listed(String... arguments) {
        List<OaiResponse.Header> all = new ArrayList<>();
        OaiResponse page = ask(arguments);
        String verb = arguments[1];
        while (true) {
            assertThat(page.errors()).isEmpty();
            all.addAll(page.headers());
            if (page.token().isEmpty()) {
                return all;
            }
            page = ask("verb", verb, "resumptionToken", page.token().get());
        }
    }

    @Test
    void identify_introduces_the_repository() {
        fill(3);

        OaiResponse answer = ask("verb", "Identify");

        assertThat(answer.text("repositoryName")).isEqualTo("Test & <Co>");
        assertThat(answer.text("protocolVersion")).isEqualTo("2.0");
        assertThat(answer.text("earliestDatestamp")).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(answer.text("deletedRecord")).isEqualTo("transient");
        assertThat(answer.text("granularity")).isEqualTo("YYYY-MM-DDThh:mm:ssZ");
        assertThat(answer.text("responseDate")).isEqualTo("2026-06-01T11:50:00Z");
    }

    @Test
    void a_list_gives_every_item_once_with_its_metadata_or_its_deletion() {
        fill(95);

        List<OaiResponse.Header> records = listed("verb", "ListRecords", "metadataPrefix", "oai_dc");

        assertThat(records)
                .extracting(OaiResponse.Header::identifier)
                .hasSize(95)
                .doesNotHaveDuplicates();
        assertThat(records).filteredOn(OaiResponse.Header::deleted).hasSize(13);
        assertThat(listed("verb", "ListIdentifiers", "metadataPrefix", "oai_dc"))
                .isEqualTo(records);
    }

    @Test
    void the_last_page_has_an_empty_token_and_a_single_page_has_none() {
        fill(25);

        OaiResponse first = ask("verb", "ListIdentifiers", "metadataPrefix", "oai_dc");
        OaiResponse second =
                ask("verb", "ListIdentifiers", "resumptionToken", first.token().orElseThrow());
        OaiResponse third =
                ask("verb", "ListIdentifiers", "resumptionToken", second.token().orElseThrow());

        assertThat(first.tokenAttribute("completeListSize")).isEqualTo("25");
        assertThat(second.tokenAttribute("cursor")).isEqualTo("10");
        assertThat(third.hasTokenElement()).isTrue();
        assertThat(third.token()).isEmpty();
        assertThat(ask("verb", "ListIdentifiers", "metadataPrefix", "oai_dc", "until", "2026-01-01T00:00:05Z")
                        .hasTokenElement())
                .isFalse();
    }

    @Test
    void ranges_are_inclusive_and_a_day_means_all_of_it() {
        fill(30);

        assertThat(listed(
                        "verb",
                        "ListIdentifiers",
                        "metadataPrefix",
                        "oai_dc",
                        "from",
                        "2026-01-01T00:00:10Z",
                        "until",
                        "2026-01-01T00:00:12Z"))
                .hasSize(3);
        assertThat(listed(
                        "verb",
                        "ListIdentifiers",
                        "metadataPrefix",
                        "oai_dc",
                        "from",
                        "2026-01-01",
                        "until",
                        "2026-01-01"))
                .hasSize(30);
    }

    @Test
    void sets_are_networks_whatever_is_in_their_acronym() {
        fill(30);

        OaiResponse sets = ask("verb", "ListSets");

        assertThat(sets.all("setSpec")).contains("A!003AB*", "C", "C:set1");
        assertThat(listed("verb", "ListIdentifiers", "metadataPrefix", "oai_dc", "set", "A!003AB*"))
                .hasSize(15);
        assertThat(listed("verb", "ListIdentifiers", "metadataPrefix", "oai_dc", "set", "C:set1"))
                .hasSize(5);
    }

    @Test
    void a_record_is_found_by_its_identifier_with_its_provenance() {
        fill(5);
        String identifier = "oai:example.org:" + IndexDocument.idOf(2, "oai:example.org:3");

        OaiResponse answer = ask("verb", "GetRecord", "identifier", identifier, "metadataPrefix", "oai_dc");

        assertThat(answer.all("title")).containsExactly("Title <3> & more");
        assertThat(answer.all("baseURL")).contains("https://example.org/oai");
        assertThat(answer.all("identifier")).contains(identifier, "oai:example.org:3");
        assertThat(ask("verb", "ListMetadataFormats", "identifier", identifier).all("metadataPrefix"))
                .containsExactly("oai_dc");
    }

    @Test
    void an_item_of_a_network_that_is_not_published_is_not_there() {
        IndexDocument hidden = new IndexDocument("0".repeat(32))
                .add("item.public", "false")
                .add("item.deleted", "false")
                .add("item.lastmodified", "2026-01-01T00:00:00Z");
        index.add(List.of(hidden));
        index.publish();

        assertThat(ask("verb", "ListRecords", "metadataPrefix", "oai_dc").errors())
                .containsExactly("noRecordsMatch");
        assertThat(ask(
                                "verb",
                                "GetRecord",
                                "metadataPrefix",
                                "oai_dc",
                                "identifier",
                                "oai:example.org:" + "0".repeat(32))
                        .errors())
                .containsExactly("idDoesNotExist");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "badVerb |",
                "badVerb | verb=Nothing",
                "badVerb | verb=Identify verb=Identify",
                "badArgument | verb=Identify metadataPrefix=oai_dc",
                "badArgument | verb=ListRecords",
                "badArgument | verb=GetRecord metadataPrefix=oai_dc",
                "badArgument | verb=GetRecord identifier=x",
                "badArgument | verb=ListRecords metadataPrefix=oai_dc metadataPrefix=oai_dc",
                "badArgument | verb=ListRecords metadataPrefix=oai_dc from=yesterday",
                "badArgument | verb=ListRecords metadataPrefix=oai_dc from=2026-13-01",
                "badArgument | verb=ListRecords metadataPrefix=oai_dc from=2026-01-02 until=2026-01-01",
                "badArgument | verb=ListRecords metadataPrefix=oai_dc from=2026-01-01 until=2026-01-02T00:00:00Z",
                "badArgument | verb=ListRecords metadataPrefix=oai_dc resumptionToken=x",
                "badArgument | verb=ListIdentifiers metadataPrefix=oai_dc unknown=x",
                "badResumptionToken | verb=ListRecords resumptionToken=x",
                "badResumptionToken | verb=ListSets resumptionToken=x",
                "cannotDisseminateFormat | verb=ListRecords metadataPrefix=marc",
                "cannotDisseminateFormat | verb=GetRecord metadataPrefix=marc identifier=oai:example.org:00000000000000000000000000000000",
                "idDoesNotExist | verb=GetRecord metadataPrefix=oai_dc identifier=oai:other:1",
                "idDoesNotExist | verb=ListMetadataFormats identifier=*:*",
                "noRecordsMatch | verb=ListRecords metadataPrefix=oai_dc until=2000-01-01",
                "noRecordsMatch | verb=ListRecords metadataPrefix=oai_dc set=*:*",
            })
    void every_error_has_its_code(String code, @org.jspecify.annotations.Nullable String arguments) {
        fill(5);
        List<String> parts = new ArrayList<>();
        for (String pair : arguments == null ? new String[0] : arguments.split(" ")) {
            parts.addAll(List.of(pair.split("=", 2)));
        }

        assertThat(ask(parts.toArray(String[]::new)).errors()).containsExactly(code);
    }

    @Tag("security")
    @Test
    void a_token_that_was_changed_or_belongs_to_the_other_list_is_refused() {
        fill(30);
        String token =
                ask("verb", "ListRecords", "metadataPrefix", "oai_dc").token().orElseThrow();

        assertThat(ask("verb", "ListIdentifiers", "resumptionToken", token).errors())
                .containsExactly("badResumptionToken");
        assertThat(ask("verb", "ListRecords", "resumptionToken", token.substring(1))
                        .errors())
                .containsExactly("badResumptionToken");
    }

    @Test
    void what_is_provided_can_be_harvested_again() throws Exception {
        fill(95);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/oai", exchange -> {
            Map<String, List<String>> arguments = new TreeMap<>();
            for (String pair : exchange.getRequestURI().getRawQuery().split("&", -1)) {
                String[] both = pair.split("=", 2);
                arguments.put(both[0], List.of(URLDecoder.decode(both[1], StandardCharsets.UTF_8)));
            }
            byte[] body = provider.answer(arguments).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        OaiClient client = new OaiClient(OaiOptions.defaults());
        Again again = new Again();

        ListRequest request =
                ListRequest.all("http://127.0.0.1:" + server.getAddress().getPort() + "/oai", "oai_dc");
        OaiPage page = client.listRecords(request, again, () -> false);
        while (page.token().isPresent()) {
            page = client.listRecords(request.after(page.token().get()), again, () -> false);
        }
        server.stop(0);

        assertThat(again.records).hasSize(95);
        assertThat(again.records).filteredOn(OaiRecord::deleted).hasSize(13);
        assertThat(again.records)
                .filteredOn(record -> !record.deleted())
                .allMatch(record -> record.xml().contains("&lt;"));
    }

    private static final class Again implements RecordSink {

        private final List<OaiRecord> records = new ArrayList<>();

        @Override
        public void begin() {}

        @Override
        public void record(OaiRecord record) {
            records.add(record);
        }

        @Override
        public void quarantine(String identifier, String why, String raw) {
            throw new AssertionError(identifier + ": " + why);
        }
    }

    @Test
    void an_empty_repository_has_no_sets() {
        assertThat(ask("verb", "ListSets").errors()).containsExactly("noSetHierarchy");
    }
}
