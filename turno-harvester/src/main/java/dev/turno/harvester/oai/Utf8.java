package dev.turno.harvester.oai;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** XML that is being written, in UTF-8. Belongs to one page. */
final class Utf8 {

    private static final int SLICE = 1_024;
    private static final int LONGEST = 6; // "&quot;", more than the bytes of any character

    /** Characters that need an escape, as bits; all of them are below 64. */
    private static final long IN_TEXT = bits("&<>\r");

    private static final long IN_ATTRIBUTE = bits("&<>\r\"\n\t");

    private byte[] bytes = new byte[8 << 10];
    private int size;
    private int beyond; // how many bytes more there are than characters
    private char high; // the first half of a pair of which the second has not come yet; it may come with the next text

    private static long bits(String characters) {
        return characters.chars().mapToLong(c -> 1L << c).reduce(0, (one, other) -> one | other);
    }

    void clear() {
        size = 0;
        beyond = 0;
        high = 0;
    }

    /** Its bytes, from the first to that of {@link #size}; good until more is written. */
    byte[] bytes() {
        return bytes;
    }

    int size() {
        return size;
    }

    /** How long it is as a text. */
    int chars() {
        return size - beyond;
    }

    /** Its first characters, or a few less. */
    String beginning(int chars) {
        String text = new String(bytes, 0, (int) Math.min(size, 4L * chars), StandardCharsets.UTF_8);
        return text.substring(0, Math.min(text.length(), chars));
    }

    @Override
    public String toString() {
        return new String(bytes, 0, size, StandardCharsets.UTF_8);
    }

    /** One ASCII character of the markup. */
    void mark(char c) {
        room(1);
        put(c, 0);
    }

    /** Names and markup, as they are. */
    void plain(String text) {
        write(text, 0);
    }

    /** The value of an attribute. */
    void attribute(String value) {
        write(value, IN_ATTRIBUTE);
    }

    private void write(String text, long escaped) {
        for (int from = 0; from < text.length(); from += SLICE) {
            int end = Math.min(text.length(), from + SLICE);
            room(end - from);
            for (int i = from; i < end; i++) {
                put(text.charAt(i), escaped);
            }
        }
    }

    /** What stands between tags. */
    void text(char[] chars, int start, int length) {
        for (int from = start; from < start + length; from += SLICE) {
            int end = Math.min(start + length, from + SLICE);
            room(end - from);
            for (int i = from; i < end; i++) {
                put(chars[i], IN_TEXT);
            }
        }
    }

    private void room(int chars) {
        int least = size + (chars + 1) * LONGEST;
        if (least > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(least, bytes.length * 2));
        }
    }

    private void put(char c, long escaped) {
        if (c < 0x80 && high == 0 && (c >= 64 || ((escaped >>> c) & 1) == 0)) {
            bytes[size++] = (byte) c;
        } else {
            rare(c, escaped);
        }
    }

    private void rare(char c, long escaped) {
        if (high != 0) {
            char first = high;
            high = 0;
            if (Character.isLowSurrogate(c)) {
                four(Character.toCodePoint(first, c));
                return;
            }
            bytes[size++] = '?'; // as the JDK does it
        }
        if (Character.isHighSurrogate(c)) {
            high = c;
        } else if (Character.isLowSurrogate(c)) {
            bytes[size++] = '?';
        } else if (c >= 0x800) {
            bytes[size++] = (byte) (0xE0 | (c >> 12));
            bytes[size++] = (byte) (0x80 | ((c >> 6) & 0x3F));
            bytes[size++] = (byte) (0x80 | (c & 0x3F));
            beyond += 2;
        } else if (c >= 0x80) {
            bytes[size++] = (byte) (0xC0 | (c >> 6));
            bytes[size++] = (byte) (0x80 | (c & 0x3F));
            beyond++;
        } else if (c < 64 && ((escaped >>> c) & 1) == 1) {
            escape(c);
        } else {
            bytes[size++] = (byte) c;
        }
    }

    private void four(int point) {
        bytes[size++] = (byte) (0xF0 | (point >> 18));
        bytes[size++] = (byte) (0x80 | ((point >> 12) & 0x3F));
        bytes[size++] = (byte) (0x80 | ((point >> 6) & 0x3F));
        bytes[size++] = (byte) (0x80 | (point & 0x3F));
        beyond += 2;
    }

    private void escape(char c) {
        String name = switch (c) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            default -> "&#" + (int) c + ";";
        };
        for (int i = 0; i < name.length(); i++) {
            bytes[size++] = (byte) name.charAt(i);
        }
    }
}
