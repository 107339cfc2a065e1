package dev.turno.soak;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.command.Options;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.RestartableServer;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Three processes under moderate load on one database, looked at every minute: {@code ./turno soak [--minutes N] [--db NAME]}. In the end a
 * verdict: nothing lost, nothing done twice, and nothing that grows.
 */
public final class Soak implements AutoCloseable {

    private static final int NODES = 3;
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration ANSWER = Duration.ofMinutes(1);
    private static final Duration REST = Duration.ofMinutes(2);
    private static final int LINES_KEPT = 50_000;

    /** From here on something counts as late. */
    private static final long LATE_MS = 2_000;

    private static final long MB = 1L << 20;

    private final RestartableServer server;
    private final FreshDatabase database;
    private final HikariDataSource own;
    private final Sizes sizes;
    private final Tally tally = new Tally();
    private final BlockingQueue<String> figures = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> quiet = new LinkedBlockingQueue<>();
    private final AtomicLong failures = new AtomicLong();
    private final List<ChildProcess> nodes = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private long troubles;

    private Soak(TestDatabase kind) {
        this.server = kind.newServer();
        this.database = server.fresh();
        this.own = database.newPool(database.url(), 2);
        this.sizes = new Sizes(kind, own);
        for (int i = 0; i < NODES; i++) {
            nodes.add(start("n" + i));
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(Options.run(arguments, Soak::run));
    }

    private static int run(Options options) throws Exception {
        TestDatabase kind = options.one("--db", TestDatabase.POSTGRESQL);
        int minutes = (int) options.number("--minutes", 60, 1, 60 * 24 * 7);
        options.end();
        System.out.printf("soak: %s, %d minutes, %d processes%n", kind.name().toLowerCase(Locale.ROOT), minutes, NODES);
        List<String> complaints;
        try (Soak soak = new Soak(kind)) {
            complaints = soak.run(minutes);
        }
        complaints.forEach(complaint -> System.out.println("soak: NOT GOOD: " + complaint));
        if (complaints.isEmpty()) {
            System.out.println("soak: good: nothing lost, nothing twice"
                    + (minutes < Verdict.FEWEST ? "; too short to see what grows" : ", nothing grows"));
        }
        return complaints.isEmpty() ? 0 : 1;
    }

    private ChildProcess start(String name) {
        ChildProcess node = Launch.main(SoakNode.class)
                .jvmOptions("-Xmx128m")
                .keepLines(LINES_KEPT)
                .arguments(name, database.url(), database.user(), database.password())
                .start();
        node.awaitLine(SoakNode.READY::equals, START);
        Thread listener = new Thread(() -> listen(node), "listens to " + name);
        listener.setDaemon(true);
        listener.start();
        return node;
    }

    /** Every line, until it ends. */
    private void listen(ChildProcess node) {
        try {
            while (true) {
                hear(node.awaitLine(line -> true, Duration.ofHours(1)));
            }
        } catch (AssertionError ended) {
            figures.add("ended");
        }
    }

    private void hear(String line) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "put" -> tally.put(words[1], words[2], Integer.parseInt(words[3]));
            case "did" ->
                tally.done(words[1], words[2], Integer.parseInt(words[3]), Long.parseLong(words[4]) - LATE_MS);
            case "figures" -> figures.add(line);
            case SoakNode.QUIET -> quiet.add(line);
            case "failed" -> {
                failures.incrementAndGet();
                System.out.println("soak: " + line);
            }
            default -> {
                // A log line.
            }
        }
    }

    private List<String> run(int minutes) throws InterruptedException, SQLException {
        System.out.println(
                "minute   heap MB  threads  connections  files  tables MB  dead rows  done/s  open  late  worst ms  twice  failed");
        long begun = System.nanoTime();
        long doneBefore = 0;
        for (int minute = 1; minute <= minutes; minute++) {
            long next = begun + TimeUnit.MINUTES.toNanos(minute);
            TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
            Sample sample = sample();
            samples.add(sample);
            long done = tally.done();
            System.out.printf(
                    Locale.ROOT,
                    "%6d %9.1f %8d %12d %6d %10.1f %10d %7.1f %5d %5d %9d %6d %7d%n",
                    minute,
                    (double) sample.heap() / MB,
                    sample.threads(),
                    sample.connections(),
                    sample.files(),
                    (double) sample.tables() / MB,
                    sample.dead(),
                    (done - doneBefore) / 60.0,
                    tally.open(),
                    tally.late(),
                    Math.max(0, tally.worstLateMillis()) + (tally.worstLateMillis() > 0 ? LATE_MS : 0),
                    tally.twice(),
                    failures.get() + troubles);
            doneBefore = done;
        }
        return verdict();
    }

    private Sample sample() throws InterruptedException, SQLException {
        nodes.forEach(node -> node.send("figures"));
        long heap = 0;
        long threads = 0;
        long files = 0;
        troubles = 0;
        for (int i = 0; i < NODES; i++) {
            String answer = figures.poll(ANSWER.toSeconds(), TimeUnit.SECONDS);
            if (answer == null || answer.equals("ended")) {
                throw new IllegalStateException("A node does not answer any more, or has ended:\n"
                        + nodes.stream()
                                .map(node -> node.failure("was looked at").getMessage())
                                .toList());
            }
            String[] words = answer.split(" ", -1);
            heap += Long.parseLong(words[1]);
            threads += Long.parseLong(words[2]);
            files += Long.parseLong(words[3]);
            troubles += Long.parseLong(words[4]);
        }
        return new Sample(heap, threads, sizes.connections(), files, sizes.tables(), sizes.dead());
    }

    /** When nothing is put any more, everything must come to its end. */
    private List<String> verdict() throws InterruptedException {
        nodes.forEach(node -> node.send("end"));
        for (int i = 0; i < NODES; i++) {
            if (quiet.poll(REST.toSeconds(), TimeUnit.SECONDS) == null) {
                throw new IllegalStateException("A node does not stop putting.");
            }
        }
        long until = System.nanoTime() + REST.toNanos();
        while (tally.open() > 0 && System.nanoTime() - until < 0) {
            Thread.sleep(200);
        }
        System.out.printf("soak: %d things done, %d of them late%n", tally.done(), tally.late());
        List<String> complaints = new ArrayList<>();
        if (tally.open() > 0) {
            complaints.add("lost " + tally.openByFeature());
        }
        if (tally.twice() > 0) {
            complaints.add(tally.twice() + " things were done twice");
        }
        if (failures.get() + troubles > 0) {
            complaints.add(failures.get() + " puts failed, and the engine had " + troubles + " troubles");
        }
        if (samples.size() >= Verdict.FEWEST) {
            complaints.addAll(Verdict.of(samples));
        }
        return complaints;
    }

    @Override
    public void close() {
        nodes.forEach(ChildProcess::close);
        own.close();
        database.close();
        server.close();
    }
}
