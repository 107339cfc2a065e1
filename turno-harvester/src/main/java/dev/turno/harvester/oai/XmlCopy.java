package dev.turno.harvester.oai;

import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Writes an element out again so that it stands alone: with every namespace declared around it, because a prefix may be used in the
 * text of an attribute alone. Comments and processing instructions are left out. Belongs to one page.
 *
 * <p>It writes UTF-8, as the store keeps it: to make bytes of a text took a sixth of the reading of a page.
 */
final class XmlCopy {

    private record Declared(String prefix, String uri, int depth) {

        int length() {
            return prefix.length() + uri.length();
        }
    }

    /** What is declared around the records is written with each of them: a small page with very many of both would swell without end. */
    private static final int MOST_AROUND = 4_000;

    private static final int BEGINNING = 100_000;

    private final List<Declared> around = new ArrayList<>();
    private final Utf8 out = new Utf8();
    private final int most;
    private int aroundLength;

    XmlCopy(int most) {
        this.most = most;
    }

    /** Remembers what the element at the cursor declares; call at each element on the way down. */
    void enter(XMLStreamReader xml, int depth) throws XMLStreamException {
        leave(depth);
        for (int i = 0; i < xml.getNamespaceCount(); i++) {
            Declared one = new Declared(orEmpty(xml.getNamespacePrefix(i)), orEmpty(xml.getNamespaceURI(i)), depth);
            around.add(one);
            aroundLength += one.length();
        }
        if (aroundLength > MOST_AROUND) {
            throw new XMLStreamException(
                    "The namespaces that are declared around a record have more than " + MOST_AROUND + " characters.");
        }
    }

    private void leave(int depth) {
        while (!around.isEmpty() && around.get(around.size() - 1).depth() >= depth) {
            aroundLength -= around.remove(around.size() - 1).length();
        }
    }

    /** Copies the element at the cursor, up to and with its end. The copy is good until the next one. */
    Utf8 copy(XMLStreamReader xml) throws XMLStreamException {
        out.clear();
        start(xml);
        declareAround(xml);
        attributes(xml);
        for (int depth = 1; depth > 0; ) {
            switch (xml.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    depth++;
                    start(xml);
                    attributes(xml);
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    depth--;
                    end(xml);
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> text(xml);
                default -> {}
            }
            if (out.chars() > most) {
                skip(xml, depth);
                throw new TooLongException(out.beginning(Math.min(most, BEGINNING)), most);
            }
        }
        return out;
    }

    /** The metadata of one record is longer than allowed; the reader stands behind it. */
    static final class TooLongException extends RuntimeException {
        private final String beginning;

        TooLongException(String beginning, int most) {
            super("Its metadata has more than " + most + " characters.");
            this.beginning = beginning;
        }

        String beginning() {
            return beginning;
        }
    }

    /** Passes over the rest of an element. */
    static void skip(XMLStreamReader xml, int open) throws XMLStreamException {
        for (int depth = open; depth > 0; ) {
            int event = xml.next();
            depth += event == XMLStreamConstants.START_ELEMENT ? 1 : event == XMLStreamConstants.END_ELEMENT ? -1 : 0;
        }
    }

    private void start(XMLStreamReader xml) {
        out.mark('<');
        name(orEmpty(xml.getPrefix()), xml.getLocalName());
        for (int i = 0; i < xml.getNamespaceCount(); i++) {
            declare(orEmpty(xml.getNamespacePrefix(i)), orEmpty(xml.getNamespaceURI(i)));
        }
    }

    private void declareAround(XMLStreamReader xml) {
        for (int i = around.size() - 1; i >= 0; i--) {
            Declared one = around.get(i);
            if (!isDeclaredAgain(one.prefix(), i) && !declares(xml, one.prefix())) {
                declare(one.prefix(), one.uri());
            }
        }
    }

    private boolean isDeclaredAgain(String prefix, int index) {
        for (int i = index + 1; i < around.size(); i++) {
            if (around.get(i).prefix().equals(prefix)) {
                return true;
            }
        }
        return false;
    }

    private static boolean declares(XMLStreamReader xml, String prefix) {
        for (int i = 0; i < xml.getNamespaceCount(); i++) {
            if (orEmpty(xml.getNamespacePrefix(i)).equals(prefix)) {
                return true;
            }
        }
        return false;
    }

    private void declare(String prefix, String uri) {
        out.plain(prefix.isEmpty() ? " xmlns" : " xmlns:");
        out.plain(prefix);
        out.plain("=\"");
        out.attribute(uri);
        out.mark('"');
    }

    private void attributes(XMLStreamReader xml) {
        for (int i = 0; i < xml.getAttributeCount(); i++) {
            out.mark(' ');
            name(orEmpty(xml.getAttributePrefix(i)), xml.getAttributeLocalName(i));
            out.plain("=\"");
            out.attribute(xml.getAttributeValue(i));
            out.mark('"');
        }
        out.mark('>');
    }

    private void end(XMLStreamReader xml) {
        out.plain("</");
        name(orEmpty(xml.getPrefix()), xml.getLocalName());
        out.mark('>');
    }

    private void name(String prefix, String local) {
        if (!prefix.isEmpty()) {
            out.plain(prefix);
            out.mark(':');
        }
        out.plain(local);
    }

    private void text(XMLStreamReader xml) {
        out.text(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength());
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
