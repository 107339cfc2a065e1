package dev.turno.web.dashboard;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** How many handlers took how long, between bounds that grow, so that the counts of all processes can be added. Used by one thread. */
final class Took {

    private static final long[] BOUNDS_MS = {
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000
    };
    private static final String MORE = "took more";

    /** By which the history keeps them. */
    static final List<String> NAMES = Stream.concat(
                    Arrays.stream(BOUNDS_MS).mapToObj(bound -> "took " + bound), Stream.of(MORE))
            .toList();

    private final long[] counts = new long[NAMES.size()];

    static String name(Duration took) {
        long millis = took.toMillis();
        int place = 0;
        while (place < BOUNDS_MS.length && millis >= BOUNDS_MS[place]) {
            place++;
        }
        return NAMES.get(place);
    }

    void add(String name, long count) {
        counts[NAMES.indexOf(name)] += count;
    }

    /** In milliseconds; as if those between two bounds were spread evenly. What took longer than all bounds took no one knows how long. */
    long percentile(int percent) {
        long all = Arrays.stream(counts).sum();
        double wished = all * percent / 100.0;
        double below = 0;
        for (int place = 0; place < BOUNDS_MS.length; place++) {
            if (counts[place] > 0 && below + counts[place] >= wished) {
                long from = place == 0 ? 0 : BOUNDS_MS[place - 1];
                return from + Math.round((BOUNDS_MS[place] - from) * (wished - below) / counts[place]);
            }
            below += counts[place];
        }
        return all == 0 ? 0 : Long.MAX_VALUE;
    }
}
