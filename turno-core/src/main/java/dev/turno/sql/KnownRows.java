package dev.turno.sql;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers in which rows the names are that were used lately: a hint, since a row may be gone by now. A name is forgotten when another
 * one needs its place. Shared by threads.
 */
public final class KnownRows {

    private record Known(String name, long row) {}

    private static final int PLACES = 4_096; // a power of two

    private final AtomicReferenceArray<@Nullable Known> places = new AtomicReferenceArray<>(PLACES);

    public Optional<Long> find(String name) {
        Known known = places.get(place(name));
        return known != null && known.name().equals(name) ? Optional.of(known.row()) : Optional.empty();
    }

    public void remember(String name, long row) {
        places.set(place(name), new Known(name, row));
    }

    private static int place(String name) {
        int hash = name.hashCode();
        return (hash ^ (hash >>> 16)) & (PLACES - 1);
    }
}
