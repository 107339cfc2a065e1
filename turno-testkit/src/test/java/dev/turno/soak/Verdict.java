package dev.turno.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Whether something grows. The first third of the time is for warming up and for retention to begin; after it the highest value of the
 * first half must not be passed by the lowest of the last quarter: a saw goes up and down, a leak only up.
 */
final class Verdict {

    /** With fewer nobody can tell a leak from a beginning. */
    static final int FEWEST = 9;

    private static final long MB = 1L << 20;

    private final List<Sample> samples;
    private final List<String> complaints = new ArrayList<>();

    private Verdict(List<Sample> samples) {
        this.samples = samples.subList(samples.size() / 3, samples.size());
    }

    /** What grew; empty is good. */
    static List<String> of(List<Sample> samples) {
        Verdict verdict = new Verdict(samples);
        verdict.flat("heap after collection (bytes)", Sample::heap, 2 * MB);
        verdict.flat("threads", Sample::threads, 2);
        verdict.flat("connections", Sample::connections, 2);
        verdict.flat("open files", Sample::files, 5);
        verdict.flat("tables (bytes)", Sample::tables, 8 * MB);
        verdict.flat("dead rows", Sample::dead, 5_000);
        return verdict.complaints;
    }

    private void flat(String what, ToLongFunction<Sample> figure, long slack) {
        long before = samples.subList(0, samples.size() / 2).stream()
                .mapToLong(figure)
                .max()
                .orElseThrow();
        long after = samples.subList(samples.size() - Math.max(1, samples.size() / 4), samples.size()).stream()
                .mapToLong(figure)
                .min()
                .orElseThrow();
        if (after > before + slack) {
            complaints.add(what + " grew from at most " + before + " to at least " + after);
        }
    }
}
