package dev.turno.benchmarks.result;

import java.util.List;

/** The middle of some values. */
public final class Medians {

    private Medians() {}

    public static double of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
