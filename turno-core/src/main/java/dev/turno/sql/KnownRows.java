package dev.turno.sql;

import dev.turno.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers in which rows the names are that were used lately: a hint, since a row may be gone. But seldom, for on MariaDB who looks in vain
 * for a row by its number keeps others from adding theirs. So one that was added in a transaction whose end is not known is told only
 * after it was used again a minute later, and none after ten minutes without a use, when it may have been removed for its age. A name is
 * forgotten when another one needs its place. Shared by threads.
 */
public final class KnownRows {

    /** By the clock of this process. */
    private record Known(String name, long row, boolean isThere, long since, long usedAt) {

        boolean is(String otherName, long otherRow) {
            return row == otherRow && name.equals(otherName);
        }

        boolean isCertain() {
            return isThere || usedAt - since >= RIPE;
        }

        boolean isFresh(long now) {
            return now - usedAt < FRESH;
        }
    }

    private static final int PLACES = 4_096; // a power of two
    private static final long RIPE = Duration.ofMinutes(1).toNanos();
    private static final long FRESH = Duration.ofMinutes(10).toNanos();

    private final Time time;
    private final AtomicReferenceArray<@Nullable Known> places = new AtomicReferenceArray<>(PLACES);

    public KnownRows(Time time) {
        this.time = time;
    }

    public Optional<Long> find(String name) {
        Known known = places.get(place(name));
        return known != null && known.name().equals(name) && known.isCertain() && known.isFresh(time.nanos())
                ? Optional.of(known.row())
                : Optional.empty();
    }

    /**
     * It was used just now.
     *
     * @param isThere false if it may have been added by a transaction that is still open
     */
    public void remember(String name, long row, boolean isThere) {
        int place = place(name);
        Known known = places.get(place);
        long now = time.nanos();
        places.set(
                place,
                known != null && known.is(name, row) && known.isFresh(now)
                        ? new Known(name, row, known.isThere(), known.since(), now)
                        : new Known(name, row, isThere, now, now));
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
