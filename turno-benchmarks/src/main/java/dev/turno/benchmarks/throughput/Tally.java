package dev.turno.benchmarks.throughput;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Who ran how often: the only thing that a handler does here. Shared by threads. */
final class Tally {

    private static final String PREFIX = "m-";

    private final AtomicIntegerArray runs;
    private final AtomicInteger total = new AtomicInteger();

    Tally(int messages) {
        this.runs = new AtomicIntegerArray(messages);
    }

    /** The name of a message, the same for all contestants. Names are put in their order, as a clock or a sequence gives them. */
    static String name(int number) {
        return String.format("%s%07d", PREFIX, number);
    }

    static int number(String name) {
        return Integer.parseInt(name, PREFIX.length(), name.length(), 10);
    }

    void ran(String name) {
        ran(number(name));
    }

    void ran(int number) {
        runs.incrementAndGet(number);
        total.incrementAndGet();
    }

    int total() {
        return total.get();
    }

    /** Every one ran, and nobody twice; else what is wrong. */
    List<String> violations(String who) {
        List<String> violations = new ArrayList<>();
        if (neverRan() > 0) {
            violations.add(who + ": " + neverRan() + " messages never ran");
        }
        if (ranTwice() > 0) {
            violations.add(who + ": " + ranTwice() + " messages ran more than once");
        }
        return violations;
    }

    int ranTwice() {
        int twice = 0;
        for (int i = 0; i < runs.length(); i++) {
            twice += runs.get(i) > 1 ? 1 : 0;
        }
        return twice;
    }

    private int neverRan() {
        int never = 0;
        for (int i = 0; i < runs.length(); i++) {
            never += runs.get(i) == 0 ? 1 : 0;
        }
        return never;
    }
}
