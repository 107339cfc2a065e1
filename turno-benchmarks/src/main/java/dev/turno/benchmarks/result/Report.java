package dev.turno.benchmarks.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that a benchmark has to say.
 *
 * @param workload its name
 * @param notes under what conditions it was measured, for people
 * @param ratios by name, in the order in which they are to be read
 * @param violations what was not done right while it was measured; empty, or the figures mean nothing
 */
public record Report(
        String workload,
        List<String> notes,
        List<Figure> figures,
        Map<String, Double> ratios,
        List<Goal> goals,
        List<String> violations) {

    /** This report with the contents of another at the end. */
    public Report with(Report other) {
        Map<String, Double> both = new LinkedHashMap<>(ratios);
        both.putAll(other.ratios);
        return new Report(
                workload,
                joined(notes, other.notes),
                joined(figures, other.figures),
                both,
                joined(goals, other.goals),
                joined(violations, other.violations));
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        List<T> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }
}
