package dev.turno.web.api;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What callers write, read with care. */
public final class Inputs {

    public static final int LONGEST_PAGE = 1_000;
    private static final int LONGEST_TEXT = 255;
    private static final int LONGEST_QUOTE = 40;

    private Inputs() {}

    public static int limit(int limit) {
        if (limit < 1 || limit > LONGEST_PAGE) {
            throw new IllegalArgumentException("A page has 1 to " + LONGEST_PAGE + " items, not " + limit + ".");
        }
        return limit;
    }

    /**
     * ISO-8601, or short: {@code 250ms}, {@code 2s}, {@code 10m}, {@code 3h}, {@code 7d}. A number alone is refused: whoever writes 30
     * means seconds or minutes, and a guess would be wrong for one of them.
     */
    public static Duration duration(String name, String text) {
        String written = text.strip().toLowerCase(Locale.ROOT);
        try {
            return written.endsWith("ms")
                    ? Duration.ofMillis(Long.parseLong(written.substring(0, written.length() - 2)))
                    : Duration.parse(iso(written));
        } catch (DateTimeParseException | NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'" + name + "' is '" + quoted(text)
                            + "'; write a duration with its unit, such as PT2S, 250ms, 2s, 10m, 3h or 7d. Nothing was changed.",
                    e);
        }
    }

    private static String iso(String written) {
        if (written.startsWith("p")) {
            return written;
        }
        return (written.endsWith("d") ? "p" : "pt") + written;
    }

    /** The beginning of what somebody wrote, such that an answer can carry it. */
    private static String quoted(String text) {
        return text.codePoints()
                .limit(LONGEST_QUOTE)
                .map(c -> cannotBeStored(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
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
