package dev.turno.sql;

import org.jspecify.annotations.Nullable;

/**
 * What every database stores as it is: no NUL, which PostgreSQL refuses, and no half of a surrogate pair, which has no UTF-8 form
 * and comes back as another character.
 */
public final class StorableText {

    private static final char REPLACEMENT = '\uFFFD';

    private StorableText() {}

    /** @throws IllegalArgumentException if the text is missing, empty, too long, or cannot be stored as it is */
    public static void require(String what, @Nullable String text, int longest) {
        requireStorable(what, "", text);
        if (text == null || text.isEmpty() || text.length() > longest) {
            throw new IllegalArgumentException("The " + what + " has " + (text == null ? 0 : text.length())
                    + " characters; use 1 to " + longest + ".");
        }
    }

    /**
     * @param what for example the body of a message
     * @param whose for example the id of that message; empty if there is but one
     * @throws IllegalArgumentException if the text is missing or cannot be stored as it is
     */
    public static void requireStorable(String what, String whose, @Nullable String text) {
        if (text == null) {
            throw new IllegalArgumentException("The " + named(what, whose) + " is null.");
        }
        int bad = firstBad(text, 0);
        if (bad >= 0) {
            throw new IllegalArgumentException("The " + named(what, whose) + " has "
                    + (text.charAt(bad) == '\0' ? "a NUL character" : "half of a surrogate pair") + " at position "
                    + bad
                    + ", which not every database can store; use text without it, or encode it.");
        }
    }

    private static String named(String what, String whose) {
        return whose.isEmpty() ? what : what + " '" + whose + "'";
    }

    /** The text, cut and with what cannot be stored replaced. */
    public static String of(String text, int longest) {
        StringBuilder storable = new StringBuilder(text.substring(0, Math.min(longest, text.length())));
        for (int bad = firstBad(storable, 0); bad >= 0; bad = firstBad(storable, bad + 1)) {
            storable.setCharAt(bad, REPLACEMENT);
        }
        return storable.toString();
    }

    private static int firstBad(CharSequence text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (c == '\0' || Character.isSurrogate(c)) {
                return i;
            }
        }
        return -1;
    }
}
