package dev.turno.benchmarks.runners;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

/** Another process that runs items and tells of its {@link Starts}. Not shared by threads. */
public final class NodeProcess implements AutoCloseable {

    private static final Duration SOON = Duration.ofMinutes(1);
    private static final String START = "start ";

    private final ChildProcess process;

    private NodeProcess(ChildProcess process) {
        this.process = process;
    }

    /** Starts it with the name of a contestant, and how to reach the database; it may not be ready yet. */
    public static NodeProcess start(Class<?> main, String who, FreshDatabase database) {
        return new NodeProcess(Launch.main(main)
                .jvmOptions("-Xms600m", "-Xmx600m", "-XX:TieredStopAtLevel=4")
                .arguments(who, database.kind().name(), database.url(), database.user(), database.password())
                .start());
    }

    public void awaitReady() {
        process.awaitLine(Starts.READY::equals, SOON);
    }

    /** How many it has started so far. */
    public int count() {
        int seen = counts().size();
        process.send(Starts.COUNT);
        long end = System.nanoTime() + SOON.toNanos();
        while (System.nanoTime() < end) {
            List<String> counts = counts();
            if (counts.size() > seen) {
                return Integer.parseInt(counts.get(counts.size() - 1).substring(Starts.COUNT.length() + 1));
            }
            Thread.onSpinWait();
        }
        throw new IllegalStateException("A node did not say how many it has started.");
    }

    private List<String> counts() {
        return process.lines().stream()
                .filter(line -> line.startsWith(Starts.COUNT + " "))
                .toList();
    }

    /** Each start: the number of the item, and the moment in microseconds. Asked once, at the end. */
    public void starts(BiConsumer<Integer, Long> each) {
        process.send(Starts.PRINT);
        process.awaitLine(Starts.END::equals, SOON);
        for (String line : process.lines()) {
            if (line.startsWith(START)) {
                String[] words = line.split(" ", -1);
                each.accept(Integer.parseInt(words[1]), Long.parseLong(words[2]));
            }
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
