package dev.turno.harvester.provider;

import java.util.Map;

/** Writes the XML of an answer. Not shared by threads. */
final class OaiAnswer {

    private static final String SCHEMA =
            "http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd";

    private final StringBuilder text = new StringBuilder(4096);

    OaiAnswer(String responseDate) {
        text.append(
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"")
                .append(" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"")
                .append(SCHEMA)
                .append("\">");
        element("responseDate", responseDate);
    }

    OaiAnswer request(String baseUrl, Map<String, String> attributes) {
        text.append("<request");
        attributes.forEach(this::attribute);
        text.append('>');
        escaped(baseUrl);
        return close("request");
    }

    OaiAnswer error(String code, String message) {
        return open("error", "code", code).content(message).close("error");
    }

    OaiAnswer open(String name, String... attributes) {
        text.append('<').append(name);
        for (int i = 0; i < attributes.length; i += 2) {
            attribute(attributes[i], attributes[i + 1]);
        }
        text.append('>');
        return this;
    }

    OaiAnswer close(String name) {
        text.append("</").append(name).append('>');
        return this;
    }

    OaiAnswer element(String name, String content) {
        return open(name).content(content).close(name);
    }

    OaiAnswer content(String content) {
        escaped(content);
        return this;
    }

    /** XML that was made here, as it is. */
    OaiAnswer raw(String xml) {
        text.append(xml);
        return this;
    }

    String end() {
        return text.append("</OAI-PMH>").toString();
    }

    private void attribute(String name, String value) {
        text.append(' ').append(name).append("=\"");
        escaped(value);
        text.append('"');
    }

    private void escaped(String content) {
        content.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> text.append("&lt;");
                case '>' -> text.append("&gt;");
                case '&' -> text.append("&amp;");
                case '"' -> text.append("&quot;");
                case '\t', '\n', '\r' -> text.append("&#").append(c).append(';');
                default -> text.appendCodePoint(isAllowed(c) ? c : 0xFFFD);
            }
        });
    }

    private static boolean isAllowed(int c) {
        return c >= ' ' && !(c >= 0xD800 && c <= 0xDFFF) && c != 0xFFFE && c != 0xFFFF;
    }
}
