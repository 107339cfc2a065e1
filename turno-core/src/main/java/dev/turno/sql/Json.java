package dev.turno.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the little JSON that MariaDB gets instead of arrays. */
final class Json {

    private Json() {}

    static String array(List<? extends @Nullable Object> values) {
        StringBuilder out = new StringBuilder(16 * values.size() + 2);
        appendArray(out, values);
        return out.toString();
    }

    private static void appendArray(StringBuilder out, List<? extends @Nullable Object> values) {
        out.append('[');
        for (int i = 0; i < values.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            append(out, values.get(i));
        }
        out.append(']');
    }

    private static void append(StringBuilder out, @Nullable Object value) {
        if (value instanceof List<?> list) {
            appendArray(out, list);
        } else if (value instanceof String text) {
            appendText(out, text);
        } else {
            out.append(value);
        }
    }

    private static void appendText(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(c < 0x10 ? "\\u000" : "\\u001").append(Character.forDigit(c & 0xf, 16));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
