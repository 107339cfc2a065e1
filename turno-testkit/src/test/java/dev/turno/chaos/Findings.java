package dev.turno.chaos;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What was found of one workload: how many items it had, and what was wrong. Not shared by threads. */
final class Findings {

    private static final int MOST_EXAMPLES = 5;

    private final String workload;
    private final Map<Wrong, Integer> wrongs = new EnumMap<>(Wrong.class);
    private final List<String> examples = new ArrayList<>();
    private long items;

    Findings(String workload) {
        this.workload = workload;
    }

    String workload() {
        return workload;
    }

    long items() {
        return items;
    }

    void items(long count) {
        items = count;
    }

    void add(Wrong wrong, long times) {
        if (times > 0) {
            wrongs.merge(wrong, (int) times, Integer::sum);
        }
    }

    /** With the name of what is wrong, and what else is known of it. */
    void add(Wrong wrong, boolean is, String example) {
        add(wrong, is ? 1 : 0);
        if (is && examples.size() < MOST_EXAMPLES) {
            examples.add(wrong + ": " + example);
        }
    }

    int count(Wrong wrong) {
        return wrongs.getOrDefault(wrong, 0);
    }

    boolean isRight() {
        return wrongs.isEmpty();
    }

    @Override
    public String toString() {
        return workload + ": " + items + " items, "
                + (isRight() ? "nothing wrong" : "WRONG " + wrongs + " as in " + examples);
    }
}
