package dev.turno.sql;

import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The numbers by which a list is ordered, as text for the caller to bring back: where the next page begins. */
public final class Place {

    /** The turn of what waits behind others in its lane: a page may end there, and the next one begin. */
    private static final long HIGHEST = Database.micros(Instant.parse("9999-12-31T00:00:00Z"));

    private final long[] numbers;

    private Place(long... numbers) {
        this.numbers = numbers;
    }

    public static Place of(long... numbers) {
        return new Place(numbers.clone());
    }

    /**
     * The place that a caller brought back, or {@code start} if there is none.
     *
     * @throws IllegalArgumentException if no list of this kind gives such a place
     */
    public static Place read(Optional<String> text, long... start) {
        if (text.isEmpty()) {
            return of(start);
        }
        try {
            long[] numbers = Arrays.stream(text.get().split("_", -1))
                    .mapToLong(Long::parseLong)
                    .toArray();
            // Times between 1970 and 9999: PostgreSQL cannot compute with all others.
            if (numbers.length == start.length
                    && Arrays.stream(numbers).allMatch(number -> number >= 0 && number <= HIGHEST)) {
                return new Place(numbers);
            }
        } catch (NumberFormatException e) {
            // Said below in the reader's words.
        }
        throw new IllegalArgumentException("'" + text.get()
                + "' is not a place in this list. Use the 'next' of the page before, unchanged, with the same filter.");
    }

    public long number(int index) {
        return numbers[index];
    }

    public String text() {
        return LongStream.of(numbers).mapToObj(Long::toString).collect(Collectors.joining("_"));
    }
}
