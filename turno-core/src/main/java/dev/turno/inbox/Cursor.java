package dev.turno.inbox;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** An item and its place in a list, as text for the caller to bring back. */
record Cursor<T>(T item, String text) {

    static <T> Cursor<T> at(T item, long... place) {
        return new Cursor<>(item, LongStream.of(place).mapToObj(Long::toString).collect(Collectors.joining("_")));
    }

    static long[] read(Optional<String> text, long... start) {
        if (text.isEmpty()) {
            return start;
        }
        try {
            long[] place = Arrays.stream(text.get().split("_", -1))
                    .mapToLong(Long::parseLong)
                    .toArray();
            // Nothing in a list stands before 1970; PostgreSQL cannot even compute with the lowest numbers.
            if (place.length == start.length && Arrays.stream(place).allMatch(number -> number >= 0)) {
                return place;
            }
        } catch (NumberFormatException e) {
            // Said below in the reader's words.
        }
        throw new IllegalArgumentException(
                "'" + text.get() + "' is not a place in this list. Use the 'next' of the page"
                        + " before, unchanged, with the same filter.");
    }
}
