package dev.turno.benchmarks.burst;

import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** When this process started which task. Static, because some contestants make their handlers themselves. */
final class Starts {

    private record Start(int number, long micros) {}

    private static final Queue<Start> STARTS = new ConcurrentLinkedQueue<>();

    private Starts() {}

    static void started(int number) {
        Instant now = Instant.now();
        STARTS.add(new Start(number, now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000));
    }

    static int count() {
        return STARTS.size();
    }

    static void print() {
        StringBuilder lines = new StringBuilder();
        STARTS.forEach(start -> lines.append("start ")
                .append(start.number())
                .append(' ')
                .append(start.micros())
                .append('\n'));
        System.out.print(lines);
        System.out.println("end");
    }
}
