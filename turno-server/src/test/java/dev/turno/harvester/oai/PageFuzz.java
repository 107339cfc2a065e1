package dev.turno.harvester.oai;

import static dev.turno.fuzz.Property.holds;

import dev.turno.harvester.record.OaiRecord;
import dev.turno.harvester.rules.FieldXml;
import dev.turno.harvester.rules.Fields;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamException;

/**
 * An answer of a repository, as the client reads it: the first byte says how it came (packed or not, with which status, to which
 * question), the others are its body.
 */
public final class PageFuzz {

    private static final OaiOptions LIMITS =
            OaiOptions.defaults().withPageBytes(1 << 20).withRecordChars(1 << 16);
    private static final OaiClient CLIENT = new OaiClient(LIMITS);
    private static final FieldXml FIELDS = new FieldXml();

    private PageFuzz() {}

    private static final class Kept implements RecordSink {

        private final List<OaiRecord> records = new ArrayList<>();
        private long chars;

        @Override
        public void begin() {
            records.clear();
        }

        @Override
        public void record(OaiRecord record) {
            records.add(record);
            chars += record.xml().length();
        }

        @Override
        public void quarantine(String identifier, String why, String raw) {
            holds(!why.isBlank(), "what is put aside has a reason");
            chars += raw.length();
        }
    }

    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        if (input.length == 0) {
            return;
        }
        int way = input[0];
        boolean packed = (way & 1) != 0;
        Kept kept = new Kept();
        try (Body body = new Body(LIMITS.wireBytes())) {
            body.add(ByteBuffer.wrap(Arrays.copyOfRange(input, 1, input.length)));
            body.complete();
            Http.Answer answer = new Http.Answer((way & 2) != 0 ? 422 : 200, headers(packed), body);
            OaiClient.Reading reading = CLIENT.new Reading("oai_dc", kept);
            if ((way & 4) != 0) {
                reading.plain(answer);
            } else {
                reading.page(answer);
            }
        } catch (OaiException | IOException named) {
            holds(named.getMessage() != null || named instanceof IOException, "a refusal says why");
            return;
        }
        kept.records.forEach(PageFuzz::check);
        holds(packed || kept.chars <= 70L * input.length + 10_000, "a page does not swell");
    }

    private static HttpHeaders headers(boolean packed) {
        return HttpHeaders.of(packed ? Map.of("Content-Encoding", List.of("gzip")) : Map.of(), (name, value) -> true);
    }

    private static void check(OaiRecord record) {
        holds(
                !record.identifier().isEmpty() && record.identifier().length() <= PageReader.LONGEST_IDENTIFIER,
                "a record has an identifier");
        if (!record.xml().isEmpty()) {
            holds(again(record.xml()).equals(record.xml()), "what was copied is XML by itself and copied as it is");
            fields(record.xml());
        }
    }

    private static String again(String xml) {
        Kept kept = new Kept();
        String page = "<OAI-PMH><ListRecords><record><header><identifier>1</identifier></header><metadata>" + xml
                + "</metadata></record></ListRecords></OAI-PMH>";
        try {
            new PageReader("oai_dc", 1 << 20, kept)
                    .read(new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)));
        } catch (XMLStreamException | PageReader.NotOaiException e) {
            throw new AssertionError("A record that was accepted is no XML: " + xml, e);
        }
        return kept.records.get(0).xml();
    }

    /** What the rules make of it. */
    private static void fields(String xml) {
        Fields fields;
        try {
            fields = FIELDS.read(xml);
        } catch (IllegalArgumentException tooDeep) {
            holds(String.valueOf(tooDeep.getMessage()).contains("levels"), "the fields of a good record are read");
            return;
        }
        Fields read = FIELDS.read(FIELDS.write(fields));
        holds(
                read.toString().equals(FIELDS.read(FIELDS.write(read)).toString()),
                "fields are written as they were read");
    }
}
