package dev.turno.harvester.index;

import com.fasterxml.aalto.stax.InputFactoryImpl;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.StoredRecord;
import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.transform.Source;
import javax.xml.transform.Templates;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stax.StAXSource;
import javax.xml.transform.stream.StreamResult;

/**
 * A crosswalk written by a user as XSLT 1.0: it makes {@code <doc><field name="...">value</field></doc>} of a record's metadata. Id,
 * network and snapshot are added to what it makes. Compiled once; it can neither read files nor call Java.
 */
public final class XsltCrosswalk implements Crosswalk {

    private final IndexKind kind;
    private final Templates templates;
    private final XMLInputFactory in = new InputFactoryImpl();

    private XsltCrosswalk(IndexKind kind, Templates templates) {
        this.kind = kind;
        this.templates = templates;
        in.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        in.setProperty(XMLInputFactory.IS_COALESCING, true);
    }

    /**
     * @throws IllegalArgumentException if the stylesheet cannot be used
     */
    public static XsltCrosswalk of(IndexKind kind, Source stylesheet) {
        try {
            TransformerFactory factory = TransformerFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_STYLESHEET, "");
            return new XsltCrosswalk(kind, factory.newTemplates(stylesheet));
        } catch (TransformerException e) {
            throw new IllegalArgumentException("The stylesheet cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public IndexDocument document(StoredNetwork network, long snapshot, StoredRecord record) {
        IndexDocument document = new IndexDocument(IndexDocument.idOf(network.id(), record.identifier()));
        try {
            XMLStreamReader made = in.createXMLStreamReader(new StringReader(transformed(record.published())));
            while (made.hasNext()) {
                if (made.next() == XMLStreamConstants.START_ELEMENT
                        && made.getLocalName().equals("field")) {
                    String name = made.getAttributeValue(null, "name");
                    document.add(name == null ? "" : name, made.getElementText());
                }
            }
        } catch (XMLStreamException | TransformerException e) {
            throw new IllegalArgumentException(
                    "The stylesheet made no document of record '" + record.identifier() + "': " + e.getMessage(), e);
        }
        return document.add(kind.networkField(), Long.toString(network.id()))
                .add(kind.snapshotField(), Long.toString(snapshot));
    }

    private String transformed(String xml) throws XMLStreamException, TransformerException {
        StringWriter text = new StringWriter();
        Transformer transformer = templates.newTransformer();
        transformer.transform(new StAXSource(in.createXMLStreamReader(new StringReader(xml))), new StreamResult(text));
        return text.toString();
    }
}
