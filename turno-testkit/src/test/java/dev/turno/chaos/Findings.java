package dev.turno.chaos;

import java.util.EnumMap;
import java.util.Map;

/** What was found of one workload: how many items it had, and what was wrong. Not shared by threads. */
final class Findings {

    private final String workload;
    private final Map<Wrong, Integer> wrongs = new EnumMap<>(Wrong.class);
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

    int count(Wrong wrong) {
        return wrongs.getOrDefault(wrong, 0);
    }

    boolean isRight() {
        return wrongs.isEmpty();
    }

    Map<Wrong, Integer> wrongs() {
        return wrongs;
    }

    @Override
    public String toString() {
        return workload + ": " + items + " items, " + (isRight() ? "nothing wrong" : "WRONG " + wrongs);
    }
}
