package dev.turno.benchmarks.result;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One thing measured, once per round.
 *
 * @param workload what was done
 * @param who who did it
 * @param unit of the values, for example {@code messages/s}
 * @param values one per round, in the order of the rounds
 */
public record Figure(String workload, String who, String unit, List<Double> values) {

    public Figure {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("The figure of " + who + " in " + workload + " has no values.");
        }
        values = List.copyOf(values);
    }

    public static Figure of(String workload, String who, String unit, double value) {
        return new Figure(workload, who, unit, List.of(value));
    }

    public double median() {
        return Medians.of(values);
    }

    public double least() {
        return values.stream().mapToDouble(value -> value).min().orElseThrow();
    }

    public double most() {
        return values.stream().mapToDouble(value -> value).max().orElseThrow();
    }

    /** Round by round. */
    public Ratio ratioTo(Figure other) {
        int rounds = Math.min(values.size(), other.values.size());
        return new Ratio(IntStream.range(0, rounds)
                .mapToObj(round -> values.get(round) / other.values.get(round))
                .toList());
    }
}
