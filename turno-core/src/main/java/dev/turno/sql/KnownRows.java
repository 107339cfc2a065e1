package dev.turno.sql;

import dev.turno.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers in which rows the names are that were used lately: a hint, since a row may be gone. But seldom, for on MariaDB who looks in vain
 * for a row by its number keeps others from adding theirs: so it is told only a minute after the name was first used here, when a
 * transaction that has added the row is over, and not after an hour without a use, when it may have been removed for its age. A name is
 * forgotten when another one needs its place. Shared by threads.
 */
public final class KnownRows {

    /** By the clock of this process. */
    private record Known(String name, long row, long since, long usedAt) {}

    private static final int PLACES = 4_096; // a power of two
    private static final long RIPE = Duration.ofMinutes(1).toNanos();
    private static final long FRESH = Duration.ofHours(1).toNanos();

    private final Time time;
    private final AtomicReferenceArray<@Nullable Known> places = new AtomicReferenceArray<>(PLACES);

    public KnownRows(Time time) {
        this.time = time;
    }

    public Optional<Long> find(String name) {
        Known known = places.get(place(name));
        long now = time.nanos();
        return known != null && known.name().equals(name) && now - known.since() >= RIPE && now - known.usedAt() < FRESH
                ? Optional.of(known.row())
                : Optional.empty();
    }

    /** It was used just now. */
    public void remember(String name, long row) {
        int place = place(name);
        Known known = places.get(place);
        long now = time.nanos();
        long since = known != null && isSame(known, name, row) && now - known.usedAt() < FRESH ? known.since() : now;
        places.set(place, new Known(name, row, since, now));
    }

    private static boolean isSame(Known known, String name, long row) {
        return known.row() == row && known.name().equals(name);
    }

    /** It was not there. */
    public void forget(String name) {
        int place = place(name);
        Known known = places.get(place);
        if (known != null && known.name().equals(name)) {
            places.compareAndSet(place, known, null);
        }
    }

    private static int place(String name) {
        int hash = name.hashCode();
        return (hash ^ (hash >>> 16)) & (PLACES - 1);
    }
}
