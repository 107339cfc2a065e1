package dev.turno.harvester.rules;

import com.fasterxml.aalto.stax.InputFactoryImpl;
import com.fasterxml.aalto.stax.OutputFactoryImpl;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;

/**
 * The fields of a record's XML, and the XML of fields. An element with text in it is a value: of {@code dc.title} for Dublin Core,
 * {@code dcterms.issued} for its terms, of {@code mods.titleInfo.title} by the path for anything else. DSpace's DIM names its fields
 * by attributes. Languages of values are not kept. Shared by threads.
 */
public final class FieldXml {

    /** The namespace of what Dublin Core has no element for. */
    public static final String OTHER = "urn:turno:fields";

    private static final String DC = "http://purl.org/dc/elements/1.1/";
    private static final String DCTERMS = "http://purl.org/dc/terms/";
    private static final String OAI_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/";
    private static final String DIM = "http://www.dspace.org/xmlns/dspace/dim";
    private static final Map<String, String> PREFIXES = new TreeMap<>(Map.of(DC, "dc", DCTERMS, "dcterms"));
    private static final int DEEPEST = 50;

    // Named, because the factory that the platform would choose depends on the class path.
    private final XMLInputFactory in = new InputFactoryImpl();
    private final XMLOutputFactory out = new OutputFactoryImpl();

    public FieldXml() {
        in.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        in.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        in.setProperty(XMLInputFactory.IS_COALESCING, true);
    }

    /**
     * @throws IllegalArgumentException if it is not XML
     */
    public Fields read(String xml) {
        try {
            XMLStreamReader reader = in.createXMLStreamReader(new StringReader(xml));
            try {
                return read(reader);
            } finally {
                reader.close();
            }
        } catch (XMLStreamException e) {
            throw new IllegalArgumentException("The metadata cannot be read as XML: " + e.getMessage(), e);
        }
    }

    private static Fields read(XMLStreamReader reader) throws XMLStreamException {
        Fields fields = new Fields();
        Deque<String> path = new ArrayDeque<>();
        StringBuilder text = new StringBuilder();
        boolean leaf = false;
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    if (path.size() > DEEPEST) {
                        throw new IllegalArgumentException("The metadata has more than " + DEEPEST + " levels.");
                    }
                    path.addLast(name(reader, path));
                    text.setLength(0);
                    leaf = true;
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text.append(reader.getText());
                case XMLStreamConstants.END_ELEMENT -> {
                    String name = path.removeLast();
                    String value = text.toString().strip();
                    if (leaf && !path.isEmpty() && !value.isEmpty() && Fields.isName(name)) {
                        fields.add(name, value);
                    }
                    leaf = false;
                    text.setLength(0);
                }
                default -> {
                    // Comments and the like say nothing.
                }
            }
        }
        return fields;
    }

    private static String name(XMLStreamReader reader, Deque<String> path) {
        String namespace = reader.getNamespaceURI() == null ? "" : reader.getNamespaceURI();
        String local = reader.getLocalName();
        String prefix = PREFIXES.get(namespace);
        if (prefix != null) {
            return prefix + "." + local;
        }
        if (namespace.equals(DIM) && local.equals("field")) {
            return joined(
                    joined(attribute(reader, "mdschema"), attribute(reader, "element")),
                    attribute(reader, "qualifier"));
        }
        if (namespace.equals(OTHER) && local.equals("field")) {
            return attribute(reader, "name");
        }
        return path.isEmpty() ? local : joined(path.getLast(), local);
    }

    private static String attribute(XMLStreamReader reader, String name) {
        String value = reader.getAttributeValue(null, name);
        return value == null ? "" : value;
    }

    private static String joined(String first, String second) {
        return second.isEmpty() ? first : first.isEmpty() ? second : first + "." + second;
    }

    /** Dublin Core as OAI-PMH has it, with what it has no element for in a namespace of its own. */
    public String write(Fields fields) {
        return write(fields, true);
    }

    /** Only what oai_dc may contain. */
    public String writeDublinCore(Fields fields) {
        return write(fields, false);
    }

    private String write(Fields fields, boolean all) {
        StringWriter text = new StringWriter(1024);
        try {
            XMLStreamWriter writer = out.createXMLStreamWriter(text);
            writer.writeStartElement("oai_dc", "dc", OAI_DC);
            writer.writeNamespace("oai_dc", OAI_DC);
            writer.writeNamespace("dc", DC);
            writer.writeNamespace("xsi", "http://www.w3.org/2001/XMLSchema-instance");
            if (all) {
                writer.writeNamespace("dcterms", DCTERMS);
                writer.writeNamespace("f", OTHER);
            }
            writer.writeAttribute(
                    "xsi",
                    "http://www.w3.org/2001/XMLSchema-instance",
                    "schemaLocation",
                    OAI_DC + " http://www.openarchives.org/OAI/2.0/oai_dc.xsd");
            for (String name : fields.names()) {
                for (String value : fields.of(name)) {
                    write(writer, name, value, all);
                }
            }
            writer.writeEndElement();
            writer.close();
        } catch (XMLStreamException e) {
            throw new IllegalArgumentException("The fields cannot be written as XML: " + e.getMessage(), e);
        }
        return text.toString();
    }

    private static void write(XMLStreamWriter writer, String name, String value, boolean all)
            throws XMLStreamException {
        if (isElement(name, "dc.") && (all || DublinCore.ELEMENTS.contains(name))) {
            writer.writeStartElement("dc", name.substring(3), DC);
        } else if (all && isElement(name, "dcterms.")) {
            writer.writeStartElement("dcterms", name.substring(8), DCTERMS);
        } else if (all) {
            writer.writeStartElement("f", "field", OTHER);
            writer.writeAttribute("name", name);
        } else {
            return;
        }
        writer.writeCharacters(clean(value));
        writer.writeEndElement();
    }

    private static boolean isElement(String name, String prefix) {
        return name.startsWith(prefix)
                && name.length() > prefix.length()
                && name.indexOf('.', prefix.length()) < 0
                && name.indexOf(':') < 0;
    }

    /** Without the characters that XML cannot contain. */
    static String clean(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (isForbidden(value.charAt(i))) {
                return value.replaceAll("[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\uFFFE\\uFFFF]", "\uFFFD");
            }
        }
        return value;
    }

    private static boolean isForbidden(char c) {
        return (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == '\uFFFE' || c == '\uFFFF';
    }
}
