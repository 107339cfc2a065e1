package dev.turno.harvester.oai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.DemoRepository;
import dev.turno.harvester.demo.Mischief;
import dev.turno.harvester.demo.Reply;
import dev.turno.harvester.record.OaiRecord;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One page at a time, against a provider that misbehaves in the ways that sources are known to. */
class OaiClientTest {

    private static final int PAGE = 10;

    private final DemoProvider provider;
    private final OaiClient client = new OaiClient(OaiOptions.defaults().hasty(Duration.ofMinutes(1)));
    private final Collected collected = new Collected();

    OaiClientTest() throws IOException {
        provider = DemoProvider.start(new DemoRepository("demo", 25), PAGE, 0);
    }

    @AfterEach
    void close() {
        provider.close();
    }

    static final class Collected implements RecordSink {
        final List<OaiRecord> records = new ArrayList<>();
        final List<String> quarantined = new ArrayList<>();

        @Override
        public void begin() {
            records.clear();
            quarantined.clear();
        }

        @Override
        public void record(OaiRecord record) {
            records.add(record);
        }

        @Override
        public void quarantine(String identifier, String why, String raw) {
            quarantined.add(identifier + ": " + why);
        }
    }

    private ListRequest first() {
        return ListRequest.all(provider.url(), "oai_dc");
    }

    private OaiPage ask(UnaryOperator<Reply> change) throws OaiException {
        provider.misbehave(Mischief.onPage(1, change));
        return client.listRecords(first(), collected, () -> false);
    }

    private OaiException refused(UnaryOperator<Reply> change) {
        return catchThrowableOfType(OaiException.class, () -> ask(change));
    }

    private OaiPage changed(UnaryOperator<String> change) throws OaiException {
        return ask(Mischief.text(change));
    }

    @Test
    void a_page_gives_its_records_and_its_token() throws OaiException {
        OaiPage page = ask(UnaryOperator.identity());

        assertThat(collected.records).hasSize(PAGE);
        assertThat(page.token()).isPresent();
        assertThat(page.listSize()).contains(25L);
        assertThat(page.warnings()).isEmpty();
        OaiRecord record = collected.records.get(0);
        assertThat(record.identifier()).isEqualTo("oai:demo.example:0");
        assertThat(record.datestamp()).isEqualTo(Instant.parse("2020-01-01T00:00:00Z"));
        assertThat(record.sets()).containsExactly("theses", "open");
        assertThat(record.xml())
                .startsWith("<oai_dc:dc ")
                .endsWith("</oai_dc:dc>")
                .contains("xmlns:xsi=");
    }

    @Test
    void a_token_with_any_characters_in_it_comes_back_as_it_was() throws OaiException {
        OaiPage page = ask(UnaryOperator.identity());
        client.listRecords(first().after(page.token().orElseThrow()), collected, () -> false);

        assertThat(page.token().orElseThrow()).contains("&+");
        assertThat(collected.records.get(0).identifier()).isEqualTo("oai:demo.example:10");
    }

    @Test
    void an_empty_token_or_one_with_only_a_cursor_is_the_end() throws OaiException {
        assertThat(changed(xml -> xml.replaceAll(">[^<]*</resumptionToken>", "></resumptionToken>"))
                        .token())
                .isEmpty();
        assertThat(changed(xml -> xml.replaceAll(">[^<]*</resumptionToken>", ">  \n </resumptionToken>"))
                        .token())
                .isEmpty();
        assertThat(changed(xml -> xml.replaceAll(
                                "<resumptionToken.*</resumptionToken>", "<resumptionToken cursor=\"0\"/>"))
                        .token())
                .isEmpty();
    }

    @Test
    void the_prefix_goes_with_the_token_only_if_that_is_wished() {
        ListRequest next = first().after("t/1");

        assertThat(next.uri().getQuery()).isEqualTo("verb=ListRecords&resumptionToken=t/1");
        assertThat(new ListRequest(
                                next.baseUrl(),
                                "oai_dc",
                                Optional.of("s"),
                                Optional.of("f"),
                                Optional.empty(),
                                next.token(),
                                true)
                        .uri()
                        .getQuery())
                .isEqualTo("verb=ListRecords&resumptionToken=t/1&metadataPrefix=oai_dc");
    }

    @Test
    void a_base_address_may_have_a_query_of_its_own() throws OaiException {
        client.listRecords(ListRequest.all(provider.url() + "?repository=7", "oai_dc"), collected, () -> false);

        assertThat(collected.records).hasSize(PAGE);
        assertThat(provider.asked()).containsKey("repository=7&verb=ListRecords&metadataPrefix=oai_dc");
    }

    @Test
    void a_redirection_is_followed() throws OaiException {
        client.listRecords(ListRequest.all(provider.movedUrl(), "oai_dc"), collected, () -> false);

        assertThat(collected.records).hasSize(PAGE);
    }

    @Test
    void retry_after_is_told_in_seconds_or_as_a_date_and_at_most_a_day() {
        assertThat(refused(Mischief.retryAfter(503, "120")).kind()).isEqualTo(OaiException.Kind.LATER);
        assertThat(refused(Mischief.retryAfter(503, "120")).in()).isEqualTo(Duration.ofMinutes(2));
        assertThat(refused(Mischief.retryAfter(429, Mischief.httpDate(Duration.ofMinutes(10))))
                        .in())
                .isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
        assertThat(refused(Mischief.retryAfter(503, "9999999999")).in()).isEqualTo(Duration.ofHours(24));
        assertThat(refused(Mischief.retryAfter(503, "0")).in()).isEqualTo(Duration.ofSeconds(1));
        assertThat(refused(Mischief.retryAfter(429, Mischief.httpDate(Duration.ofDays(-3))))
                        .in())
                .isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_server_error_is_tried_again_at_once_and_then_told() throws OaiException {
        provider.misbehave(Mischief.onPage(1, 2, Mischief.status(502)));
        client.listRecords(first(), collected, () -> false);
        assertThat(collected.records).hasSize(PAGE);

        for (int status : List.of(500, 502, 504, 503, 429)) {
            assertThat(refused(Mischief.status(status)).kind()).isEqualTo(OaiException.Kind.PASSING);
        }
    }

    @Test
    void a_refusal_lasts() {
        for (int status : List.of(401, 403, 404)) {
            OaiException e = refused(Mischief.status(status));
            assertThat(e.kind()).isEqualTo(OaiException.Kind.LASTING);
            assertThat(e).hasMessageContaining(Integer.toString(status)).hasMessageContaining(provider.url());
        }
    }

    @Test
    void an_error_of_the_protocol_with_another_status_is_understood() throws OaiException {
        OaiPage page = ask(reply -> Mischief.text(xml -> xml.replaceAll(
                        "<ListRecords>.*</ListRecords>", "<error code=\"badResumptionToken\">gone</error>"))
                .andThen(changed -> new Reply(400, changed.headers(), changed.body(), Duration.ZERO))
                .apply(reply));

        assertThat(page.hasError("badResumptionToken")).isTrue();
    }

    @Tag("security")
    @Test
    void silence_is_given_up() {
        OaiClient hasty = new OaiClient(OaiOptions.defaults().hasty(Duration.ofMillis(500)));
        provider.misbehave(Mischief.onPage(1, Mischief.slow(Duration.ofMinutes(1))));

        OaiException e =
                catchThrowableOfType(OaiException.class, () -> hasty.listRecords(first(), collected, () -> false));

        assertThat(e).hasMessageContaining("nothing for");
        assertThat(e.kind()).isEqualTo(OaiException.Kind.PASSING);
    }

    @Test
    void a_wish_to_stop_is_heard_while_it_waits() {
        provider.misbehave(Mischief.onPage(1, Mischief.slow(Duration.ofMinutes(1))));
        AtomicInteger looks = new AtomicInteger();
        long start = System.nanoTime();

        OaiException e = catchThrowableOfType(
                OaiException.class, () -> client.listRecords(first(), collected, () -> looks.incrementAndGet() > 2));

        assertThat(e.kind()).isEqualTo(OaiException.Kind.STOPPED);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void a_web_page_an_empty_answer_and_one_that_was_cut_off_are_errors_and_never_empty() {
        assertThat(refused(Mischief.webPage())).hasMessageContaining("Maintenance");
        assertThat(refused(Mischief.nothing())).hasMessageContaining("(nothing)");
        assertThat(refused(Mischief.cutOff())).hasMessageContaining("cut off");
    }

    @Test
    void what_stands_before_and_behind_the_document_does_no_harm() throws OaiException {
        changed(xml -> "Warning: deprecated in line 3\n\n" + xml);
        assertThat(collected.records).hasSize(PAGE);
        changed(xml -> xml + "<!-- cached --> garbage & more");
        assertThat(collected.records).hasSize(PAGE);
        changed(xml -> "\uFEFF" + xml);
        assertThat(collected.records).hasSize(PAGE);
        changed(xml -> "\uFEFF \n" + xml);
        assertThat(collected.records).hasSize(PAGE);
    }

    @Test
    void characters_that_xml_forbids_are_left_out() throws OaiException {
        OaiPage page = changed(xml -> xml.replace("On ", "On \u0001").replace("Demostraci", "Demos&#x1;traci&#31;"));

        assertThat(collected.records).hasSize(PAGE);
        assertThat(collected.records.get(3).xml()).contains("<dc:title>On ").contains("Universidad de la Demostración");
        assertThat(page.warnings()).anyMatch(text -> text.contains("repaired"));
        assertThat(page.raw()).isPresent();
    }

    @Test
    void an_ampersand_that_means_itself_is_kept() throws OaiException {
        changed(xml -> xml.replace("Universidad de la Demostración", "Food & Wine, R&D &nbsp;"));

        assertThat(collected.records.get(0).xml()).contains("Food &amp; Wine, R&amp;D &amp;nbsp;");
    }

    @Test
    void a_wrong_or_missing_encoding_is_found_out() throws OaiException {
        ask(Mischief.latin1(true));
        assertThat(collected.records.get(0).xml()).contains("Demostración");
        ask(Mischief.latin1(false));
        assertThat(collected.records.get(0).xml()).contains("Demostración");
        changed(xml -> xml.replace("UTF-8", "ISO-8859-1"));
        assertThat(collected.records.get(0).xml()).contains("Demostración");
    }

    @Test
    void a_packed_page_that_is_too_large_to_be_repaired_is_believed_what_it_says_of_its_encoding() throws OaiException {
        String blanks = " ".repeat(33 << 20);
        UnaryOperator<Reply> large =
                Mischief.text(xml -> xml.replace("UTF-8", "ISO-8859-1").replace("</OAI-PMH>", blanks + "</OAI-PMH>"));

        ask(reply -> Mischief.gzip().apply(Mischief.latin1(true).apply(large.apply(reply))));

        assertThat(collected.records).hasSize(PAGE);
        assertThat(collected.records.get(0).xml()).contains("Demostración");
    }

    @Test
    void one_bad_record_does_not_cost_the_others_nor_the_token() throws OaiException {
        OaiPage page = changed(xml -> xml.replaceFirst("no\\. 4", "p < 0.05"));

        assertThat(collected.records)
                .hasSize(PAGE - 1)
                .extracting(OaiRecord::identifier)
                .doesNotContain("oai:demo.example:4");
        assertThat(collected.quarantined)
                .hasSize(1)
                .first()
                .asString()
                .startsWith("oai:demo.example:4: It is not well-formed");
        assertThat(page.token()).isPresent();
        assertThat(page.responseDate()).isPresent();
        assertThat(page.raw()).isPresent();
    }

    @Test
    void a_page_without_any_usable_record_is_put_aside_and_the_token_found() throws OaiException {
        OaiPage page = changed(xml -> xml.replace("<header>", "<<header").replace("</header>", ""));

        assertThat(collected.records).isEmpty();
        assertThat(collected.quarantined).hasSize(1);
        assertThat(page.token()).isPresent();
    }

    @Test
    void a_record_without_metadata_is_put_aside_and_takes_nothing_from_the_next() throws OaiException {
        changed(xml -> xml.replaceFirst("<metadata>.*?</metadata>", ""));

        assertThat(collected.quarantined).containsExactly("oai:demo.example:0: It has no metadata and is not deleted.");
        assertThat(collected.records).hasSize(PAGE - 1);
        assertThat(collected.records.get(0).xml()).contains("no. 1<");
    }

    @Test
    void missing_sets_and_schema_locations_and_identifiers() throws OaiException {
        changed(xml -> xml.replaceAll("<setSpec>.*?</setSpec>", "")
                .replaceAll("xsi:schemaLocation=\"[^\"]*\"", "")
                .replaceFirst("<identifier>.*?</identifier>", ""));

        assertThat(collected.records)
                .hasSize(PAGE - 1)
                .allMatch(record -> record.sets().isEmpty());
        assertThat(collected.quarantined).hasSize(1);
    }

    @Test
    void a_prefixed_or_missing_namespace_is_read() throws OaiException {
        changed(xml -> xml.replaceAll(
                        "<(/?)(OAI-PMH|responseDate|request|ListRecords|record|header|identifier|datestamp|setSpec|metadata|resumptionToken)\\b",
                        "<$1oai:$2")
                .replace("xmlns=", "xmlns:oai="));
        assertThat(collected.records).hasSize(PAGE);
        assertThat(collected.records.get(0).xml()).startsWith("<oai_dc:dc ").contains("xmlns:oai=");
        changed(xml -> xml.replace("xmlns=\"http://www.openarchives.org/OAI/2.0/\"", ""));
        assertThat(collected.records).hasSize(PAGE);
    }

    @Test
    void a_prefix_that_is_declared_far_above_stays_declared() throws OaiException {
        String declaration = " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";
        changed(xml -> xml.replace(declaration, "").replace("<OAI-PMH ", "<OAI-PMH" + declaration + " "));

        assertThat(collected.records).hasSize(PAGE);
        assertThat(collected.records.get(0).xml()).contains(declaration).contains("xsi:schemaLocation=");
    }

    @Test
    void a_prefix_that_only_an_attribute_uses_stays_declared() throws OaiException {
        changed(xml -> xml.replace("<OAI-PMH ", "<OAI-PMH xmlns:dcterms=\"http://purl.org/dc/terms/\" ")
                .replace("<dc:type>", "<dc:type xsi:type=\"dcterms:URI\">"));

        assertThat(collected.records.get(0).xml())
                .contains("xmlns:dcterms=\"http://purl.org/dc/terms/\"")
                .contains("xsi:type=\"dcterms:URI\"");
    }

    @Test
    void a_bad_datestamp_is_accepted_with_a_warning() throws OaiException {
        OaiPage page = changed(xml -> xml.replaceFirst("2020-01-01T00:00:00Z", "yesterday"));

        assertThat(collected.records).hasSize(PAGE);
        assertThat(collected.records.get(0).datestamp())
                .isEqualTo(page.responseDate().orElseThrow());
        assertThat(page.warnings()).anyMatch(text -> text.contains("yesterday"));
    }

    @Test
    void datestamps_of_days_and_of_seconds_are_read() throws OaiException {
        provider.countDays();
        ask(UnaryOperator.identity());

        assertThat(collected.records.get(0).datestamp()).isEqualTo(Instant.parse("2020-01-01T00:00:00Z"));
        assertThat(client.identify(provider.url(), () -> false).granularity()).isEqualTo(Granularity.DAY);
        assertThat(Granularity.DAY.format(Instant.parse("2026-03-01T23:59:59Z")))
                .isEqualTo("2026-03-01");
        assertThat(Granularity.SECOND.format(Instant.parse("2026-03-01T23:59:59.9Z")))
                .isEqualTo("2026-03-01T23:59:59Z");
    }

    @Tag("security")
    @Test
    void a_packed_page_is_unpacked_and_a_bomb_refused() throws OaiException {
        ask(Mischief.gzip());
        assertThat(collected.records).hasSize(PAGE);

        OaiClient careful = new OaiClient(OaiOptions.defaults().withPageBytes(20 << 20));
        provider.misbehave(Mischief.onPage(1, Mischief.gzipBomb(300)));
        OaiException e =
                catchThrowableOfType(OaiException.class, () -> careful.listRecords(first(), collected, () -> false));
        assertThat(e).hasMessageContaining("more than 20971520 bytes when unpacked");
        assertThat(e.kind()).isEqualTo(OaiException.Kind.LASTING);
    }

    @Tag("security")
    @Test
    void a_record_that_is_too_long_is_put_aside() throws OaiException {
        OaiClient careful = new OaiClient(OaiOptions.defaults().withRecordChars(5_000));
        provider.misbehave(Mischief.onPage(
                1, Mischief.text(xml -> xml.replaceFirst("<dc:subject>", "<dc:subject>" + "x".repeat(10_000)))));

        careful.listRecords(first(), collected, () -> false);

        assertThat(collected.records).hasSize(PAGE - 1);
        assertThat(collected.quarantined)
                .containsExactly("oai:demo.example:0: Its metadata has more than 5000 characters.");
    }

    @Tag("security")
    @Test
    void beginnings_without_an_end_are_not_looked_for_without_end() {
        String page = "<OAI-PMH>" + "<record ".repeat(200_000) + "</OAI-PMH>";

        OaiException e = assertTimeoutPreemptively(Duration.ofMinutes(1), () -> refused(Mischief.text(xml -> page)));

        assertThat(e).hasMessageContaining("neither records nor a token");
    }

    @Tag("security")
    @Test
    void entities_of_a_document_type_are_never_expanded() throws OaiException {
        changed(xml -> xml.replace("<OAI-PMH ", "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><OAI-PMH ")
                .replace("Universidad de la Demostración", "&a;"));

        assertThat(collected.records).hasSize(PAGE);
        assertThat(collected.records.get(0).xml()).contains("&amp;a;").doesNotContain("root:");
    }

    @Test
    void formats_and_sets_are_listed() throws OaiException {
        assertThat(client.formats(provider.url(), () -> false)).containsExactly("oai_dc");
        assertThat(client.sets(provider.url(), () -> false)).containsExactly("articles", "theses", "open");
    }
}
