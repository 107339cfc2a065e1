package dev.turno.harvester.provider;

import static dev.turno.fuzz.Property.holds;

import com.fasterxml.aalto.stax.InputFactoryImpl;
import dev.turno.harvester.index.IndexDocument;
import dev.turno.harvester.index.IndexKind;
import dev.turno.harvester.index.LuceneTarget;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The arguments of a request to our own provider, a line each: the answer is XML with one root, whatever they are. */
public final class ProviderFuzz {

    private static final OaiProvider PROVIDER = provider();
    private static final InputFactoryImpl XML = new InputFactoryImpl();

    private ProviderFuzz() {}

    /** With a few items in a real index. */
    private static OaiProvider provider() {
        try {
            Path folder = Files.createTempDirectory("turno-fuzz-index-");
            folder.toFile().deleteOnExit();
            LuceneTarget index = LuceneTarget.open(IndexKind.XOAI, folder);
            index.add(IntStream.range(0, 5).mapToObj(ProviderFuzz::item).toList());
            index.publish();
            ProviderIdentity identity =
                    new ProviderIdentity("Fuzz", "https://example.org/oai", "example.org", List.of("a@example.org"));
            return new OaiProvider(index, identity, () -> Instant.parse("2026-02-01T00:00:00Z"), 2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static IndexDocument item(int number) {
        return new IndexDocument(IndexDocument.idOf(1, "item-" + number))
                .add("item.public", "true")
                .add("item.lastmodified", "2026-01-0" + (number + 1) + "T00:00:00Z")
                .add("item.collections", "set" + number % 2)
                .add("item.compile", "<dc/>");
    }

    public static void fuzzerTestOneInput(byte[] input) {
        Map<String, List<String>> arguments = new LinkedHashMap<>();
        for (String line : new String(input, StandardCharsets.UTF_8).split("\n", -1)) {
            int equals = line.indexOf('=');
            if (equals >= 0) {
                arguments
                        .computeIfAbsent(line.substring(0, equals), name -> new ArrayList<>())
                        .add(line.substring(equals + 1));
            }
        }
        check(PROVIDER.answer(arguments));
        arguments.getOrDefault("resumptionToken", List.of()).forEach(ProviderFuzz::token);
    }

    private static void check(String answer) {
        try {
            XMLStreamReader xml = XML.createXMLStreamReader(new StringReader(answer));
            int depth = 0;
            int roots = 0;
            while (xml.hasNext()) {
                int event = xml.next();
                if (event == XMLStreamConstants.START_ELEMENT) {
                    roots += depth++ == 0 ? 1 : 0;
                    holds(depth > 1 || xml.getLocalName().equals("OAI-PMH"), "the root is OAI-PMH's");
                } else if (event == XMLStreamConstants.END_ELEMENT) {
                    depth--;
                }
            }
            holds(roots == 1, "an answer has one root");
        } catch (XMLStreamException e) {
            throw new AssertionError("The answer is no XML: " + answer, e);
        }
    }

    private static void token(String text) {
        try {
            ListToken token = ListToken.read(text, "ListRecords");
            holds(ListToken.read(token.text(), "ListRecords").equals(token), "a token is read as it was written");
        } catch (OaiProblem refused) {
            holds(refused.code().equals("badResumptionToken"), "a bad token is called one");
        }
    }
}
