package dev.turno.harvester.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.harvester.provider.OaiResponse.Header;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Goes through a repository from outside and checks what OAI-PMH 2.0 says about the six verbs: the shape of every answer, and that the
 * answers agree with each other. Shares nothing with the provider.
 */
public final class ProtocolCheck {

    /** What came over the wire. */
    public record Answer(int status, String contentType, String body) {}

    /** Somebody who asks the repository. */
    @FunctionalInterface
    public interface Asking {
        Answer ask(boolean byPost, String query) throws Exception;
    }

    private static final int SAMPLES = 5;

    private final Asking repository;

    private ProtocolCheck(Asking repository) {
        this.repository = repository;
    }

    /** Checks a repository with records of oai_dc in it; answers the headers of all. */
    public static List<Header> of(Asking repository) throws Exception {
        return new ProtocolCheck(repository).all();
    }

    private List<Header> all() throws Exception {
        List<Header> headers = list("ListIdentifiers", "&metadataPrefix=oai_dc");
        assertThat(headers).extracting(Header::identifier).isNotEmpty().doesNotHaveDuplicates();
        assertThat(list("ListRecords", "&metadataPrefix=oai_dc")).isEqualTo(headers);
        identify(headers);
        assertThat(get("verb=ListMetadataFormats").all("metadataPrefix")).contains("oai_dc");
        samples(headers);
        ranges(headers);
        sets(headers);
        errors(headers.get(0));
        return headers;
    }

    private OaiResponse get(String query) throws Exception {
        return ask(false, query);
    }

    private OaiResponse ask(boolean byPost, String query) throws Exception {
        Answer answer = repository.ask(byPost, query);
        assertThat(answer.status()).as(query).isEqualTo(200);
        assertThat(answer.contentType().toLowerCase(Locale.ROOT)).as(query).matches("text/xml;\\s*charset=utf-8");
        return OaiResponse.validated(answer.body());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** A whole list, page by page; tokens count correctly, and one that is used twice gives the same page twice. */
    private List<Header> list(String verb, String arguments) throws Exception {
        List<Header> all = new ArrayList<>();
        OaiResponse page = get("verb=" + verb + arguments);
        String size = page.hasTokenElement() ? page.tokenAttribute("completeListSize") : "";
        while (true) {
            assertThat(page.errors()).isEmpty();
            assertThat(page.headers()).isNotEmpty();
            if (page.hasTokenElement()) {
                assertThat(page.tokenAttribute("cursor")).isEqualTo(Integer.toString(all.size()));
                assertThat(page.tokenAttribute("completeListSize")).isEqualTo(size);
            }
            all.addAll(page.headers());
            if (page.token().isEmpty()) {
                assertThat(size).isIn("", Integer.toString(all.size()));
                return all;
            }
            String next =
                    "verb=" + verb + "&resumptionToken=" + encoded(page.token().get());
            page = get(next);
            assertThat(get(next).headers()).isEqualTo(page.headers());
        }
    }

    private void identify(List<Header> headers) throws Exception {
        OaiResponse identity = get("verb=Identify");
        assertThat(identity.text("protocolVersion")).isEqualTo("2.0");
        assertThat(identity.text("granularity")).isEqualTo("YYYY-MM-DDThh:mm:ssZ");
        assertThat(identity.text("deletedRecord")).isIn("no", "transient", "persistent");
        assertThat(identity.text("adminEmail")).matches("\\S+@\\S+");
        // A response may be dated a little earlier than the newest items: the next harvest begins there.
        String latest = Instant.parse(identity.text("responseDate"))
                .plus(OaiProvider.SETTLED)
                .toString();
        assertThat(headers)
                .allMatch(header -> header.datestamp().compareTo(identity.text("earliestDatestamp")) >= 0)
                .allMatch(header -> header.datestamp().compareTo(latest) <= 0);
        assertThat(headers.stream().anyMatch(Header::deleted)
                        && identity.text("deletedRecord").equals("no"))
                .isFalse();
        assertThat(ask(true, "verb=Identify").text("baseURL")).isEqualTo(identity.text("baseURL"));
    }

    private void samples(List<Header> headers) throws Exception {
        List<Header> some = new ArrayList<>(headers.stream().limit(SAMPLES).toList());
        headers.stream().filter(Header::deleted).limit(SAMPLES).forEach(some::add);
        for (Header header : some) {
            OaiResponse record = get("verb=GetRecord&metadataPrefix=oai_dc&identifier=" + encoded(header.identifier()));
            assertThat(record.headers()).containsExactly(header);
            assertThat(get("verb=ListMetadataFormats&identifier=" + encoded(header.identifier()))
                            .all("metadataPrefix"))
                    .contains("oai_dc");
        }
    }

    /** Both ends belong to a range. */
    private void ranges(List<Header> headers) throws Exception {
        String middle = headers.get(headers.size() / 2).datestamp();
        range(headers, "&from=" + middle, header -> header.datestamp().compareTo(middle) >= 0);
        range(headers, "&until=" + middle, header -> header.datestamp().compareTo(middle) <= 0);
        range(
                headers,
                "&from=" + middle + "&until=" + middle,
                header -> header.datestamp().equals(middle));
        String day = middle.substring(0, 10);
        range(
                headers,
                "&from=" + day + "&until=" + day,
                header -> header.datestamp().startsWith(day));
    }

    private void range(List<Header> headers, String arguments, Predicate<Header> wanted) throws Exception {
        assertThat(list("ListIdentifiers", "&metadataPrefix=oai_dc" + arguments))
                .as(arguments)
                .containsExactlyInAnyOrderElementsOf(
                        headers.stream().filter(wanted).toList());
    }

    private void sets(List<Header> headers) throws Exception {
        List<String> sets = get("verb=ListSets").all("setSpec");
        assertThat(sets).isNotEmpty().doesNotHaveDuplicates();
        for (String set : sets) {
            Predicate<Header> within =
                    header -> header.sets().stream().anyMatch(one -> one.equals(set) || one.startsWith(set + ":"));
            if (headers.stream().anyMatch(within)) {
                range(headers, "&set=" + encoded(set), within);
            }
        }
        assertThat(headers).allMatch(header -> sets.containsAll(header.sets()));
    }

    private void errors(Header known) throws Exception {
        Map<String, String> codes = Map.ofEntries(
                Map.entry("", "badVerb"),
                Map.entry("verb=listRecords", "badVerb"),
                Map.entry("verb=Identify&verb=Identify", "badVerb"),
                Map.entry("verb=Identify&set=x", "badArgument"),
                Map.entry("verb=ListRecords", "badArgument"),
                Map.entry("verb=ListRecords&metadataPrefix=oai_dc&from=2020-02-30", "badArgument"),
                Map.entry("verb=ListRecords&metadataPrefix=oai_dc&from=2021-01-01&until=2020-01-01", "badArgument"),
                Map.entry(
                        "verb=ListRecords&metadataPrefix=oai_dc&from=2020-01-01&until=2021-01-01T00:00:00Z",
                        "badArgument"),
                Map.entry("verb=ListRecords&metadataPrefix=oai_dc&resumptionToken=x", "badArgument"),
                Map.entry("verb=GetRecord&metadataPrefix=oai_dc", "badArgument"),
                Map.entry("verb=ListIdentifiers&resumptionToken=x", "badResumptionToken"),
                Map.entry("verb=ListIdentifiers&metadataPrefix=nothing", "cannotDisseminateFormat"),
                Map.entry(
                        "verb=GetRecord&metadataPrefix=nothing&identifier=" + encoded(known.identifier()),
                        "cannotDisseminateFormat"),
                Map.entry("verb=GetRecord&metadataPrefix=oai_dc&identifier=oai%3Anobody%3A1", "idDoesNotExist"),
                Map.entry("verb=ListMetadataFormats&identifier=oai%3Anobody%3A1", "idDoesNotExist"),
                Map.entry("verb=ListRecords&metadataPrefix=oai_dc&until=1990-01-01", "noRecordsMatch"));
        for (Map.Entry<String, String> each : codes.entrySet()) {
            for (boolean byPost : new boolean[] {false, true}) {
                assertThat(ask(byPost, each.getKey()).errors())
                        .as(each.getKey())
                        .containsExactly(each.getValue());
            }
        }
    }
}
