package dev.turno.soak;

import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the processes say that they have put and done, counted outside of the database. A bit for each, so that hours of it fit into
 * memory. Threads may share it.
 */
final class Tally {

    /** One feature's things of one producer, numbered from 0. */
    private static final class Line {
        private final BitSet put = new BitSet();
        private final BitSet done = new BitSet();
    }

    private final Map<String, Map<String, Line>> features = new TreeMap<>();
    private long done;
    private long late;
    private long twice;
    private long worstLate;

    synchronized void put(String feature, String producer, int number) {
        line(feature, producer).put.set(number);
    }

    /** @param millis how late it was, beyond what is usual; at most 0: not at all */
    synchronized void done(String feature, String producer, int number, long millis) {
        BitSet bits = line(feature, producer).done;
        twice += bits.get(number) ? 1 : 0;
        bits.set(number);
        done++;
        late += millis > 0 ? 1 : 0;
        worstLate = Math.max(worstLate, millis);
    }

    private Line line(String feature, String producer) {
        return features.computeIfAbsent(feature, name -> new TreeMap<>()).computeIfAbsent(producer, name -> new Line());
    }

    synchronized long done() {
        return done;
    }

    synchronized long late() {
        return late;
    }

    synchronized long worstLateMillis() {
        return worstLate;
    }

    synchronized long twice() {
        return twice;
    }

    /** All that was put and is not done. */
    synchronized long open() {
        return features.values().stream()
                .flatMap(lines -> lines.values().stream())
                .mapToLong(line -> missing(line).cardinality())
                .sum();
    }

    /** The same for each feature. */
    synchronized Map<String, Integer> openByFeature() {
        Map<String, Integer> open = new TreeMap<>();
        features.forEach((feature, lines) -> open.put(
                feature,
                lines.values().stream()
                        .mapToInt(line -> missing(line).cardinality())
                        .sum()));
        return open;
    }

    private static BitSet missing(Line line) {
        BitSet missing = (BitSet) line.put.clone();
        missing.andNot(line.done);
        return missing;
    }
}
