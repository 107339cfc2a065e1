package dev.turno.web.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** What callers write, read with care. */
public final class Inputs {

    public static final int LONGEST_PAGE = 1_000;
    private static final int LONGEST_TEXT = 255;

    private Inputs() {}

    public static int limit(int limit) {
        if (limit < 1 || limit > LONGEST_PAGE) {
            throw new IllegalArgumentException("A page has 1 to " + LONGEST_PAGE + " items, not " + limit + ".");
        }
        return limit;
    }

    /** {@code PT2S}, or short: {@code 2s}. */
    public static Duration duration(String name, String text) {
        try {
            return DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException("'" + name + "' cannot be read; write it as PT2S, or as 2s.", e);
        }
    }

    public static long number(Optional<String> text, long otherwise) {
        try {
            return text.map(Long::parseLong).orElse(otherwise);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "This is not a place in the list. Use the 'next' of the page before, unchanged.", e);
        }
    }

    public static <T> T required(String name, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException("'" + name + "' is missing. Nothing was changed.");
        }
        return value;
    }

    /** The things of a list, none of which may be null. */
    public static <T> List<T> all(List<@Nullable T> items) {
        return items.stream().map(item -> required("an item of the list", item)).toList();
    }

    /** Texts that no database can store, such as those with a zero character, are refused before they are asked for. */
    static String plain(String name, String text) {
        if (text.length() > LONGEST_TEXT || text.codePoints().anyMatch(Inputs::cannotBeStored)) {
            throw new IllegalArgumentException(
                    "'" + name + "' has at most " + LONGEST_TEXT + " plain characters in a search.");
        }
        return text;
    }

    /** Zero, or half of a surrogate pair. */
    private static boolean cannotBeStored(int c) {
        return c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    /** A text to search for; empty is none. */
    public static Optional<String> searched(Optional<String> text) {
        return text.map(q -> plain("q", q)).filter(q -> !q.isEmpty());
    }
}
