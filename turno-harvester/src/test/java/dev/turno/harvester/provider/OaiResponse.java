package dev.turno.harvester.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * An answer, read by a parser that knows nothing of the provider, and checked against the rules of the protocol's schema: which
 * elements stand where, in which order, how often, and what they may contain.
 */
public final class OaiResponse {

    public record Header(String identifier, String datestamp, boolean deleted, List<String> sets) {}

    private static final String OAI = "http://www.openarchives.org/OAI/2.0/";
    private static final String SECOND = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z";
    private static final String SET = "([A-Za-z0-9\\-_.!~*'()])+(:[A-Za-z0-9\\-_.!~*'()]+)*";
    private static final Set<String> VERBS =
            Set.of("Identify", "ListMetadataFormats", "ListSets", "GetRecord", "ListIdentifiers", "ListRecords");
    private static final Set<String> CODES = Set.of(
            "badArgument",
            "badResumptionToken",
            "badVerb",
            "cannotDisseminateFormat",
            "idDoesNotExist",
            "noMetadataFormats",
            "noRecordsMatch",
            "noSetHierarchy");

    private final Document document;

    private OaiResponse(Document document) {
        this.document = document;
    }

    static OaiResponse validated(String xml) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            OaiResponse response =
                    new OaiResponse(factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml))));
            response.validate();
            return response;
        } catch (Exception e) {
            throw new AssertionError("Not an answer: " + xml, e);
        }
    }

    private void validate() {
        Element root = document.getDocumentElement();
        assertThat(root.getNamespaceURI()).isEqualTo(OAI);
        assertThat(root.getLocalName()).isEqualTo("OAI-PMH");
        List<Element> parts = children(root);
        assertThat(names(parts).subList(0, 2)).containsExactly("responseDate", "request");
        assertThat(parts.get(0).getTextContent()).matches(SECOND);
        List<Element> rest = parts.subList(2, parts.size());
        assertThat(rest).isNotEmpty();
        if (rest.get(0).getLocalName().equals("error")) {
            rest.forEach(error -> {
                assertThat(error.getLocalName()).isEqualTo("error");
                assertThat(CODES).contains(error.getAttribute("code"));
            });
            boolean hides = errors().contains("badVerb") || errors().contains("badArgument");
            assertThat(parts.get(1).getAttributes().getLength() == 0).isEqualTo(hides);
        } else {
            assertThat(rest).hasSize(1);
            assertThat(VERBS).contains(rest.get(0).getLocalName());
            assertThat(parts.get(1).getAttribute("verb")).isEqualTo(rest.get(0).getLocalName());
            body(rest.get(0));
        }
    }

    private void body(Element verb) {
        List<Element> parts = children(verb);
        assertThat(parts).isNotEmpty();
        switch (verb.getLocalName()) {
            case "Identify" ->
                assertThat(names(parts))
                        .containsExactly(
                                "repositoryName",
                                "baseURL",
                                "protocolVersion",
                                "adminEmail",
                                "earliestDatestamp",
                                "deletedRecord",
                                "granularity");
            case "ListMetadataFormats" ->
                parts.forEach(format -> assertThat(names(children(format)))
                        .containsExactly("metadataPrefix", "schema", "metadataNamespace"));
            case "ListSets" ->
                parts.forEach(set -> {
                    assertThat(names(children(set))).containsExactly("setSpec", "setName");
                    assertThat(children(set).get(0).getTextContent()).matches(SET);
                });
            case "GetRecord" -> {
                assertThat(parts).hasSize(1);
                record(parts.get(0));
            }
            case "ListRecords" -> listed(parts, "record").forEach(this::record);
            default -> listed(parts, "header").forEach(this::header);
        }
    }

    private static List<Element> listed(List<Element> parts, String name) {
        Element last = parts.get(parts.size() - 1);
        boolean token = last.getLocalName().equals("resumptionToken");
        List<Element> items = token ? parts.subList(0, parts.size() - 1) : parts;
        assertThat(items).isNotEmpty().allMatch(item -> item.getLocalName().equals(name));
        return items;
    }

    private void record(Element record) {
        List<Element> parts = children(record);
        header(parts.get(0));
        if (parts.get(0).getAttribute("status").equals("deleted")) {
            assertThat(parts).hasSize(1);
            return;
        }
        assertThat(names(parts)).containsExactly("header", "metadata", "about");
        List<Element> metadata = children(parts.get(1));
        assertThat(metadata).hasSize(1);
        assertThat(metadata.get(0).getNamespaceURI()).isEqualTo("http://www.openarchives.org/OAI/2.0/oai_dc/");
        assertThat(children(metadata.get(0)))
                .allMatch(element -> "http://purl.org/dc/elements/1.1/".equals(element.getNamespaceURI()));
        assertThat(names(children(children(children(parts.get(2)).get(0)).get(0))))
                .containsExactly("baseURL", "identifier", "datestamp", "metadataNamespace");
    }

    private void header(Element header) {
        List<Element> parts = children(header);
        assertThat(names(parts).subList(0, 2)).containsExactly("identifier", "datestamp");
        assertThat(parts.get(0).getTextContent()).matches("oai:[a-zA-Z][a-zA-Z0-9\\-.]*:[0-9a-f]{32}");
        assertThat(parts.get(1).getTextContent()).matches(SECOND);
        assertThat(parts.subList(2, parts.size()))
                .allMatch(set -> set.getLocalName().equals("setSpec")
                        && set.getTextContent().matches(SET));
        assertThat(header.getAttribute("status")).isIn("", "deleted");
    }

    private static List<Element> children(Element parent) {
        List<Element> children = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                children.add(element);
            }
        }
        return children;
    }

    private static List<String> names(List<Element> elements) {
        return elements.stream().map(Element::getLocalName).toList();
    }

    List<String> all(String name) {
        List<String> texts = new ArrayList<>();
        NodeList found = document.getElementsByTagNameNS("*", name);
        for (int i = 0; i < found.getLength(); i++) {
            texts.add(found.item(i).getTextContent());
        }
        return texts;
    }

    String text(String name) {
        return all(name).get(0);
    }

    List<String> errors() {
        List<String> codes = new ArrayList<>();
        NodeList found = document.getElementsByTagNameNS(OAI, "error");
        for (int i = 0; i < found.getLength(); i++) {
            codes.add(((Element) found.item(i)).getAttribute("code"));
        }
        return codes;
    }

    List<Header> headers() {
        List<Header> headers = new ArrayList<>();
        NodeList found = document.getElementsByTagNameNS(OAI, "header");
        for (int i = 0; i < found.getLength(); i++) {
            Element header = (Element) found.item(i);
            List<Element> parts = children(header);
            headers.add(new Header(
                    parts.get(0).getTextContent(),
                    parts.get(1).getTextContent(),
                    header.getAttribute("status").equals("deleted"),
                    parts.stream().skip(2).map(Element::getTextContent).toList()));
        }
        return headers;
    }

    boolean hasTokenElement() {
        return !all("resumptionToken").isEmpty();
    }

    Optional<String> token() {
        return all("resumptionToken").stream().filter(text -> !text.isEmpty()).findFirst();
    }

    String tokenAttribute(String name) {
        return ((Element)
                        document.getElementsByTagNameNS(OAI, "resumptionToken").item(0))
                .getAttribute(name);
    }
}
