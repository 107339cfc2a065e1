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
        Map<String, Ratio> ratios,
        List<Goal> goals,
        List<String> violations) {

    /** Of a benchmark that could not be carried out: no figures, one violation. */
    public static Report ofFailure(String workload, Throwable failure) {
        String why = workload + " could not be measured: " + failure;
        return new Report(workload, List.of(), List.of(), Map.of(), List.of(), List.of(why));
    }

    /** This report with the contents of another at the end. */
    public Report with(Report other) {
        Map<String, Ratio> both = new LinkedHashMap<>(ratios);
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
