package dev.turno.benchmarks.runners;

import dev.turno.testkit.process.ParentWatch;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** When this process started which item, for the parent that asks. Static, because some contestants make their handlers themselves. */
public final class Starts {

    static final String READY = "ready";
    static final String COUNT = "count";
    static final String PRINT = "print";
    static final String END = "end";

    private record Start(int number, long micros) {}

    private static final Queue<Start> STARTS = new ConcurrentLinkedQueue<>();

    private Starts() {}

    /** Called first by the main class of such a process. */
    public static void hearParent() {
        ParentWatch.exitWithParent(Starts::hear);
    }

    /** Called when items can be run; does not come back. */
    public static void readyForParent() throws InterruptedException {
        System.out.println(READY);
        Thread.currentThread().join();
    }

    public static void started(int number) {
        STARTS.add(new Start(number, micros()));
    }

    /** Of the clock that the processes of this machine share. */
    public static long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }

    private static void hear(String line) {
        switch (line) {
            case COUNT -> System.out.println(COUNT + " " + STARTS.size());
            case PRINT -> print();
            default -> throw new IllegalArgumentException("What is '" + line + "'?");
        }
    }

    private static void print() {
        StringBuilder lines = new StringBuilder();
        STARTS.forEach(start -> lines.append("start ")
                .append(start.number())
                .append(' ')
                .append(start.micros())
                .append('\n'));
        System.out.print(lines);
        System.out.println(END);
    }
}
