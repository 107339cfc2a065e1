package dev.turno.harvester.oai;

import com.fasterxml.aalto.UncheckedStreamException;
import com.fasterxml.aalto.stax.InputFactoryImpl;
import dev.turno.harvester.record.OaiRecord;
import java.io.InputStream;
import java.io.Reader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads one well-formed answer. Names are compared without their prefixes, and a missing namespace is forgiven. Belongs to one page.
 */
final class PageReader {

    static final int LONGEST_IDENTIFIER = 1_000;
    private static final int MOST_SETS = 1_000;
    private static final int LONGEST_SET = 1_000;
    private static final int MOST_WARNINGS = 20;
    private static final String NAMESPACE = "http://www.openarchives.org/OAI/2.0/";

    /** The answer is XML, but not OAI-PMH. */
    static final class NotOaiException extends Exception {
        NotOaiException(String root) {
            super("Its root element is <" + root + ">.");
        }
    }

    // Named, because another library on the class path may bring a StAX of its own and the JDK would take that.
    private static final XMLInputFactory FACTORY = factory();

    private final String metadataPrefix;
    private final RecordSink sink;
    private final XmlCopy copy;
    private final List<String> warnings = new ArrayList<>();
    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<String> listed = new ArrayList<>();
    private Optional<Instant> responseDate = Optional.empty();
    private Optional<OaiError> error = Optional.empty();
    private Optional<String> token = Optional.empty();
    private Optional<Long> listSize = Optional.empty();

    PageReader(String metadataPrefix, int recordChars, RecordSink sink) {
        this.metadataPrefix = metadataPrefix;
        this.sink = sink;
        this.copy = new XmlCopy(recordChars);
    }

    private static XMLInputFactory factory() {
        InputFactoryImpl factory = new InputFactoryImpl();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, false);
        return factory;
    }

    void read(InputStream in) throws XMLStreamException, NotOaiException {
        read(FACTORY.createXMLStreamReader(in));
    }

    void read(Reader in) throws XMLStreamException, NotOaiException {
        read(FACTORY.createXMLStreamReader(in));
    }

    OaiPage page(Optional<byte[]> raw) {
        return new OaiPage(responseDate, error, token, listSize, warnings, raw);
    }

    /** What Identify said, by element. */
    Map<String, String> values() {
        return values;
    }

    /** The specs of ListSets, or the prefixes of ListMetadataFormats. */
    List<String> listed() {
        return listed;
    }

    void warn(String text) {
        if (warnings.size() < MOST_WARNINGS) {
            warnings.add(text);
        }
    }

    private void read(XMLStreamReader xml) throws XMLStreamException, NotOaiException {
        sink.begin();
        try {
            while (xml.next() != XMLStreamConstants.START_ELEMENT) {
                // the prolog
            }
            if (!xml.getLocalName().equals("OAI-PMH")) {
                throw new NotOaiException(xml.getLocalName());
            }
            if (!NAMESPACE.equals(xml.getNamespaceURI())) {
                warn("The answer is not in the namespace of OAI-PMH.");
            }
            copy.enter(xml, 0);
            // What stands behind the root is never looked at.
            while (xml.next() != XMLStreamConstants.END_ELEMENT) {
                if (xml.getEventType() == XMLStreamConstants.START_ELEMENT) {
                    part(xml);
                }
            }
        } catch (UncheckedStreamException e) { // texts are read when they are asked for
            throw new XMLStreamException(e.getMessage(), e);
        } finally {
            xml.close();
        }
    }

    private void part(XMLStreamReader xml) throws XMLStreamException {
        copy.enter(xml, 1);
        switch (xml.getLocalName()) {
            case "responseDate" -> responseDate = Granularity.parse(text(xml));
            case "error" -> {
                String code = attribute(xml, "code");
                error = Optional.of(new OaiError(code, text(xml)));
            }
            case "ListRecords", "GetRecord", "ListIdentifiers" -> list(xml);
            case "Identify" -> identify(xml);
            case "ListSets", "ListMetadataFormats" -> specs(xml);
            default -> XmlCopy.skip(xml, 1);
        }
    }

    private void list(XMLStreamReader xml) throws XMLStreamException {
        while (xml.next() != XMLStreamConstants.END_ELEMENT) {
            if (xml.getEventType() == XMLStreamConstants.START_ELEMENT) {
                switch (xml.getLocalName()) {
                    case "record" -> record(xml);
                    case "header" -> lone(xml);
                    case "resumptionToken" -> token(xml);
                    default -> XmlCopy.skip(xml, 1);
                }
            }
        }
    }

    private void token(XMLStreamReader xml) throws XMLStreamException {
        listSize = number(attribute(xml, "completeListSize"));
        String text = text(xml);
        token = text.isBlank() ? Optional.empty() : Optional.of(text.strip());
    }

    private static Optional<Long> number(String text) {
        try {
            long number = Long.parseLong(text.strip());
            return number >= 0 ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** What is found inside one record. */
    private static final class Found {
        private String identifier = "";
        private String datestamp = "";
        private boolean deleted;
        private final List<String> sets = new ArrayList<>();
        private Optional<Utf8> xml = Optional.empty();
        private Optional<XmlCopy.TooLongException> tooLong = Optional.empty();
    }

    private void record(XMLStreamReader xml) throws XMLStreamException {
        copy.enter(xml, 2);
        Found found = new Found();
        while (xml.next() != XMLStreamConstants.END_ELEMENT) {
            if (xml.getEventType() == XMLStreamConstants.START_ELEMENT) {
                switch (xml.getLocalName()) {
                    case "header" -> header(xml, found);
                    case "metadata" -> metadata(xml, found);
                    default -> XmlCopy.skip(xml, 1);
                }
            }
        }
        give(found);
    }

    /** A header without a record, of ListIdentifiers. */
    private void lone(XMLStreamReader xml) throws XMLStreamException {
        Found found = new Found();
        header(xml, found);
        found.xml = Optional.of(new Utf8());
        give(found);
    }

    private void header(XMLStreamReader xml, Found found) throws XMLStreamException {
        found.deleted = attribute(xml, "status").strip().equalsIgnoreCase("deleted");
        while (xml.next() != XMLStreamConstants.END_ELEMENT) {
            if (xml.getEventType() == XMLStreamConstants.START_ELEMENT) {
                switch (xml.getLocalName()) {
                    case "identifier" -> found.identifier = text(xml).strip();
                    case "datestamp" -> found.datestamp = text(xml).strip();
                    case "setSpec" -> set(text(xml).strip(), found);
                    default -> XmlCopy.skip(xml, 1);
                }
            }
        }
    }

    private static void set(String spec, Found found) {
        if (!spec.isEmpty() && spec.length() <= LONGEST_SET && found.sets.size() < MOST_SETS) {
            found.sets.add(spec);
        }
    }

    private void metadata(XMLStreamReader xml, Found found) throws XMLStreamException {
        copy.enter(xml, 3);
        while (xml.next() != XMLStreamConstants.END_ELEMENT) {
            if (xml.getEventType() == XMLStreamConstants.START_ELEMENT) {
                if (found.xml.isPresent() || found.deleted) {
                    XmlCopy.skip(xml, 1);
                } else {
                    element(xml, found);
                }
            }
        }
    }

    private void element(XMLStreamReader xml, Found found) throws XMLStreamException {
        try {
            found.xml = Optional.of(copy.copy(xml));
        } catch (XmlCopy.TooLongException e) {
            found.xml = Optional.of(new Utf8());
            found.tooLong = Optional.of(e);
        }
    }

    private void give(Found found) {
        if (found.identifier.isEmpty() || found.identifier.length() > LONGEST_IDENTIFIER) {
            sink.quarantine(
                    "",
                    found.identifier.isEmpty()
                            ? "It has no identifier."
                            : "Its identifier has more than " + LONGEST_IDENTIFIER + " characters.",
                    found.identifier + "\n" + found.xml.map(Utf8::toString).orElse(""));
        } else if (found.tooLong.isPresent()) {
            XmlCopy.TooLongException e = found.tooLong.get();
            sink.quarantine(found.identifier, String.valueOf(e.getMessage()), e.beginning());
        } else if (!found.deleted && found.xml.isEmpty()) {
            sink.quarantine(found.identifier, "It has no metadata and is not deleted.", "");
        } else {
            OaiRecord head =
                    new OaiRecord(found.identifier, datestamp(found), found.deleted, found.sets, metadataPrefix, "");
            if (found.deleted) {
                sink.record(head);
            } else {
                Utf8 xml = found.xml.get();
                sink.record(head, xml.bytes(), xml.size());
            }
        }
    }

    private Instant datestamp(Found found) {
        Optional<Instant> read = Granularity.parse(found.datestamp);
        if (read.isEmpty()) {
            warn("Record '" + found.identifier + "' has the datestamp '" + found.datestamp
                    + "', which is none; the time of the answer was taken.");
        }
        return read.or(() -> responseDate).orElse(Instant.EPOCH);
    }

    private void identify(XMLStreamReader xml) throws XMLStreamException {
        while (xml.next() != XMLStreamConstants.END_ELEMENT) {
            if (xml.getEventType() == XMLStreamConstants.START_ELEMENT) {
                String name = xml.getLocalName();
                if (name.equals("description")) {
                    XmlCopy.skip(xml, 1);
                } else {
                    values.put(name, text(xml).strip());
                }
            }
        }
    }

    private void specs(XMLStreamReader xml) throws XMLStreamException {
        while (xml.next() != XMLStreamConstants.END_ELEMENT) {
            if (xml.getEventType() == XMLStreamConstants.START_ELEMENT) {
                switch (xml.getLocalName()) {
                    case "set", "metadataFormat" -> spec(xml);
                    case "resumptionToken" -> token(xml);
                    default -> XmlCopy.skip(xml, 1);
                }
            }
        }
    }

    private void spec(XMLStreamReader xml) throws XMLStreamException {
        while (xml.next() != XMLStreamConstants.END_ELEMENT) {
            if (xml.getEventType() == XMLStreamConstants.START_ELEMENT) {
                String name = xml.getLocalName();
                if (name.equals("setSpec") || name.equals("metadataPrefix")) {
                    listed.add(text(xml).strip());
                } else {
                    XmlCopy.skip(xml, 1);
                }
            }
        }
    }

    /** The text of an element, whatever stands inside it. */
    private static String text(XMLStreamReader xml) throws XMLStreamException {
        StringBuilder text = new StringBuilder();
        for (int depth = 1; depth > 0; ) {
            switch (xml.next()) {
                case XMLStreamConstants.START_ELEMENT -> depth++;
                case XMLStreamConstants.END_ELEMENT -> depth--;
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
                    if (text.length() < 10_000) {
                        text.append(xml.getText());
                    }
                }
                default -> {}
            }
        }
        return text.toString();
    }

    private static String attribute(XMLStreamReader xml, String name) {
        for (int i = 0; i < xml.getAttributeCount(); i++) {
            if (xml.getAttributeLocalName(i).equals(name)) {
                return xml.getAttributeValue(i);
            }
        }
        return "";
    }
}
