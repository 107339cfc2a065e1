package dev.turno.harvester.oai;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;

/**
 * Reads an answer that is not well-formed: first cleaned of what XML forbids, then, if that is not enough, record by record, so that one
 * bad record does not cost the others. Belongs to one page.
 */
final class Repair {

    private static final String NAME = "(?:[A-Za-z_][\\w.-]*:)?";

    // They end at the next tag at the latest: else each of very many beginnings without an end would be followed
    // through the whole page.
    private static final String ATTRIBUTES = "(?:\\s[^<>]*)?";
    private static final Pattern ROOT = Pattern.compile("<" + NAME + "OAI-PMH(?:\\s[^<>]{0,10000})?>");
    private static final Pattern END = Pattern.compile("</" + NAME + "OAI-PMH\\s*>");
    private static final Pattern RECORD =
            Pattern.compile("<" + NAME + "record" + ATTRIBUTES + ">\\s*(?=<" + NAME + "header[\\s>])");
    private static final Pattern RECORD_END = Pattern.compile("</" + NAME + "record\\s*>");
    private static final Pattern LIST_END =
            Pattern.compile("<" + NAME + "resumptionToken[\\s/>]|</" + NAME + "ListRecords\\s*>");
    private static final Pattern TOKEN =
            Pattern.compile("<" + NAME + "resumptionToken" + ATTRIBUTES + ">([^<]*)</" + NAME + "resumptionToken");
    private static final Pattern IDENTIFIER = Pattern.compile("<" + NAME + "identifier[^<>]*>([^<]{1,1000})<");
    private static final Pattern ENCODING =
            Pattern.compile("^[^<]{0,10}<\\?xml[^>]{0,100}encoding\\s*=\\s*[\"']([\\w.:-]{1,40})[\"']");
    private static final Pattern REFERENCE = Pattern.compile("&(?:#(\\d{1,7})|#x([0-9A-Fa-f]{1,6})|(\\w{1,20}));");
    private static final List<String> KNOWN = List.of("amp", "lt", "gt", "quot", "apos");

    private final String metadataPrefix;
    private final int recordChars;
    private final RecordSink sink;

    Repair(String metadataPrefix, int recordChars, RecordSink sink) {
        this.metadataPrefix = metadataPrefix;
        this.recordChars = recordChars;
        this.sink = sink;
    }

    /** The encoding that the XML declaration names, if it does. */
    static Optional<String> declared(byte[] bytes) {
        String head = new String(bytes, 0, Math.min(bytes.length, 200), StandardCharsets.ISO_8859_1);
        Matcher found = ENCODING.matcher(head);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /** @param why what was wrong with it at the first reading */
    OaiPage read(byte[] raw, String why) throws OaiException {
        String text = decode(raw);
        Matcher root = ROOT.matcher(text);
        if (!root.find()) {
            throw OaiException.passing("The answer is not OAI-PMH but begins with: " + beginning(text));
        }
        int end = lastEnd(text);
        if (end < root.end()) {
            throw OaiException.passing(
                    "The answer was cut off after " + raw.length + " bytes: it does not end with </OAI-PMH>.");
        }
        String clean = clean(text.substring(root.start(), end));
        try {
            return whole(raw, clean, why);
        } catch (XMLStreamException | PageReader.NotOaiException e) {
            return pieces(
                    raw,
                    clean,
                    root.group(),
                    String.valueOf(e.getMessage()).lines().findFirst().orElse(why));
        }
    }

    private static int lastEnd(String text) {
        int end = -1;
        for (Matcher found = END.matcher(text); found.find(); ) {
            end = found.end();
        }
        return end;
    }

    static String beginning(String text) {
        String squeezed = text.substring(0, Math.min(text.length(), 1_000))
                .replaceAll("[\\s\\p{Cntrl}]+", " ")
                .strip();
        return squeezed.isEmpty() ? "(nothing)" : squeezed.substring(0, Math.min(squeezed.length(), 200));
    }

    private OaiPage whole(byte[] raw, String clean, String why) throws XMLStreamException, PageReader.NotOaiException {
        PageReader reader = new PageReader(metadataPrefix, recordChars, sink);
        reader.read(new StringReader(clean));
        reader.warn("The page was not well-formed and was repaired: " + why);
        return reader.page(Optional.of(raw));
    }

    /** Each record by itself, in a page of its own. */
    private OaiPage pieces(byte[] raw, String clean, String root, String why) throws OaiException {
        List<Integer> starts = new ArrayList<>();
        for (Matcher found = RECORD.matcher(clean); found.find(); ) {
            starts.add(found.start());
        }
        Optional<String> token = token(clean, starts.isEmpty() ? 0 : starts.get(starts.size() - 1));
        if (starts.isEmpty() && token.isEmpty()) {
            throw OaiException.passing(
                    "The answer is not XML, and neither records nor a token were found in it: " + why);
        }
        sink.begin();
        if (starts.isEmpty()) {
            sink.quarantine("", "The page is not XML, and no records were found in it: " + why, beginning(clean));
        }
        OaiPage head = head(clean, root, starts.isEmpty() ? clean.length() : starts.get(0));
        for (int i = 0; i < starts.size(); i++) {
            int next = i + 1 < starts.size() ? starts.get(i + 1) : listEnd(clean, starts.get(i));
            piece(root, clean.substring(starts.get(i), next));
        }
        return new OaiPage(
                head.responseDate(),
                Optional.empty(),
                token,
                head.listSize(),
                List.of("The page was not well-formed and was read record by record: " + why),
                Optional.of(raw));
    }

    private OaiPage head(String clean, String root, int end) {
        PageReader reader = new PageReader(metadataPrefix, recordChars, new Discarding());
        int list = clean.lastIndexOf("ListRecords", end);
        int cut = list < 0 ? end : clean.lastIndexOf('<', list);
        try {
            reader.read(new StringReader(clean.substring(0, Math.max(cut, root.length())) + closing(root)));
        } catch (XMLStreamException | PageReader.NotOaiException e) {
            reader.warn("Its beginning could not be read.");
        }
        return reader.page(Optional.empty());
    }

    private static String closing(String root) {
        String name = root.substring(1).split("[\\s>]", 2)[0];
        return "</" + name + ">";
    }

    private void piece(String root, String text) {
        int end = -1;
        for (Matcher found = RECORD_END.matcher(text); found.find(); ) {
            end = found.end();
        }
        Matcher found = IDENTIFIER.matcher(text);
        String identifier = found.find() ? unescape(found.group(1)).strip() : "";
        if (end < 0) {
            sink.quarantine(identifier, "It has no end.", text);
            return;
        }
        Held held = new Held();
        PageReader reader = new PageReader(metadataPrefix, recordChars, held);
        String page = root + "<ListRecords>" + text.substring(0, end) + "</ListRecords>" + closing(root);
        try {
            reader.read(new StringReader(page));
            held.release(sink);
        } catch (XMLStreamException | PageReader.NotOaiException e) {
            sink.quarantine(identifier, "It is not well-formed: " + e.getMessage(), text);
        }
    }

    private static int listEnd(String clean, int from) {
        Matcher found = LIST_END.matcher(clean);
        int end = clean.length();
        for (int at = from; found.find(at); at = found.end()) {
            end = found.start();
            if (found.group().startsWith("</")) {
                break;
            }
        }
        Matcher token = TOKEN.matcher(clean);
        return token.find(from) ? Math.min(end, token.start()) : end;
    }

    private static Optional<String> token(String clean, int from) {
        Matcher found = TOKEN.matcher(clean);
        return found.find(from)
                ? Optional.of(unescape(found.group(1).strip())).filter(text -> !text.isEmpty())
                : Optional.empty();
    }

    private static String unescape(String text) {
        return text.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&apos;", "'")
                .replace("&amp;", "&");
    }

    /** What the bytes say: UTF-8 if they can be that, else what was declared, else the old Windows alphabet. */
    static String decode(byte[] bytes) {
        int bom = bytes.length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF
                ? 3
                : 0;
        boolean wide = bytes.length >= 2
                && ((bytes[0] == (byte) 0xFE && bytes[1] == (byte) 0xFF)
                        || (bytes[0] == (byte) 0xFF && bytes[1] == (byte) 0xFE));
        if (wide) {
            return new String(bytes, StandardCharsets.UTF_16);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes, bom, bytes.length - bom);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(buffer)
                    .toString();
        } catch (CharacterCodingException e) {
            return new String(bytes, declaredOr1252(bytes));
        }
    }

    private static Charset declaredOr1252(byte[] bytes) {
        Charset fallback = Charset.forName("windows-1252");
        try {
            Charset declared = declared(bytes).map(Charset::forName).orElse(fallback);
            return declared.equals(StandardCharsets.UTF_8) ? fallback : declared;
        } catch (IllegalArgumentException e) {
            return fallback;
        }
    }

    /** Without what XML forbids, and with every ampersand meant as one escaped. */
    static String clean(String text) {
        StringBuilder out = new StringBuilder(text.length() + 1_000);
        Matcher reference = REFERENCE.matcher(text);
        for (int i = 0; i < text.length(); ) {
            char c = text.charAt(i);
            if (c == '<' && text.startsWith("<![CDATA[", i)) {
                int end = text.indexOf("]]>", i);
                int stop = end < 0 ? text.length() : end + 3;
                appendAllowed(out, text, i, stop);
                i = stop;
            } else if (c == '&') {
                i = reference(out, text, i, reference);
            } else {
                int next = Character.charCount(text.codePointAt(i));
                appendAllowed(out, text, i, i + next);
                i += next;
            }
        }
        return out.toString();
    }

    private static int reference(StringBuilder out, String text, int at, Matcher matcher) {
        matcher.region(at, Math.min(text.length(), at + 30));
        if (!matcher.lookingAt() || (matcher.group(3) != null && !KNOWN.contains(matcher.group(3)))) {
            out.append("&amp;");
            return at + 1;
        }
        boolean allowed = matcher.group(3) != null
                || isAllowed(
                        matcher.group(1) != null
                                ? Integer.parseInt(matcher.group(1))
                                : Integer.parseInt(matcher.group(2), 16));
        if (allowed) {
            out.append(matcher.group());
        }
        return matcher.end();
    }

    private static void appendAllowed(StringBuilder out, String text, int from, int to) {
        for (int i = from; i < to; ) {
            int point = text.codePointAt(i);
            if (isAllowed(point)) {
                out.appendCodePoint(point);
            }
            i += Character.charCount(point);
        }
    }

    private static boolean isAllowed(int point) {
        return point == 0x9
                || point == 0xA
                || point == 0xD
                || (point >= 0x20 && point <= 0xD7FF)
                || (point >= 0xE000 && point <= 0xFFFD)
                || (point >= 0x10000 && point <= 0x10FFFF);
    }
}
