package dev.turno.buffer;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers in which rows the keys are that were added to lately: a hint, since a row may be gone by now. A key is forgotten when another
 * one needs its place. Shared by threads.
 */
final class KnownHeaders {

    private record Header(String key, long id) {}

    private static final int PLACES = 4_096; // a power of two

    private final AtomicReferenceArray<@Nullable Header> headers = new AtomicReferenceArray<>(PLACES);

    Optional<Long> find(String key) {
        Header header = headers.get(place(key));
        return header != null && header.key().equals(key) ? Optional.of(header.id()) : Optional.empty();
    }

    void remember(String key, long id) {
        headers.set(place(key), new Header(key, id));
    }

    private static int place(String key) {
        int hash = key.hashCode();
        return (hash ^ (hash >>> 16)) & (PLACES - 1);
    }
}
