package dev.turno.inbox;

import dev.turno.sql.Database;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** An item and its place in a list, as text for the caller to bring back. */
record Cursor<T>(T item, String text) {

    /** The turn of what waits behind others in its lane. */
    private static final long HIGHEST = Database.micros(Instant.parse("9999-12-31T00:00:00Z"));

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
            // Times between 1970 and 9999: PostgreSQL cannot compute with all others.
            if (place.length == start.length
                    && Arrays.stream(place).allMatch(number -> number >= 0 && number <= HIGHEST)) {
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
