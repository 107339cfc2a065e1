package dev.turno.harvester.store;

import dev.turno.harvester.record.Selection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Walks that may go on, by the place where they stand: at most sixteen, and not more than may be kept in memory together. One that had to
 * go is begun anew, which costs time, never records. Shared by threads.
 */
final class StandingWalks {

    /** Where a walk stands. */
    record Place(long snapshot, Selection selection, String cursor) {}

    /** Eight walks over a million identifiers each, with room for what they read at the moment. */
    static final long MOST_BYTES = 160L << 20;

    private static final int MOST = 16;

    private final long mostBytes;
    private final Map<Place, Reading> walks = new LinkedHashMap<>(); // guarded by this

    StandingWalks(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** The walk that stands there, which now belongs to the caller. */
    synchronized Optional<Reading> take(Place place) {
        return Optional.ofNullable(walks.remove(place));
    }

    /** The newest one stays, however large it is: without it every page would be looked for from the beginning. */
    void put(Place place, Reading walk) throws IOException {
        List<Reading> tooMany = new ArrayList<>();
        synchronized (this) {
            Optional.ofNullable(walks.put(place, walk)).ifPresent(tooMany::add);
            while (walks.size() > MOST || (walks.size() > 1 && bytes() > mostBytes)) {
                Place oldest = walks.keySet().iterator().next();
                take(oldest).ifPresent(tooMany::add);
            }
        }
        close(tooMany);
    }

    private long bytes() {
        return walks.values().stream().mapToLong(Reading::bytes).sum();
    }

    void forget(Predicate<Place> which) throws IOException {
        List<Reading> forgotten = new ArrayList<>();
        synchronized (this) {
            walks.entrySet().removeIf(entry -> {
                boolean is = which.test(entry.getKey());
                if (is) {
                    forgotten.add(entry.getValue());
                }
                return is;
            });
        }
        close(forgotten);
    }

    private static void close(List<Reading> walks) throws IOException {
        for (Reading one : walks) {
            one.close();
        }
    }
}
