package dev.turno.benchmarks.put;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Ratio;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Rounds;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.runners.Runner;
import dev.turno.benchmarks.runners.Runners;
import dev.turno.benchmarks.server.Server;
import dev.turno.testkit.database.FreshDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Storing items, nobody runs them: Turno, the plainest insert into the same table, and the peers. Contestants take turns in many short
 * rounds, each with a fresh database on the same server. All that was put has to be there afterwards.
 */
public final class PutRates {

    private static final String WORKLOAD = "put";
    private static final String RATE = "items/s";
    private static final int BATCH = 1_000;

    /** How items are put. */
    private enum Way {
        SINGLE("put, one at a time, 1 thread", 1),
        EIGHT("put, one at a time, 8 threads", 8),
        BATCH("put, 1,000 at a time, 1 thread", 1),
        TRANSACTION("put in the caller's transaction, 1 thread", 1);

        private final String title;
        private final int threads;

        Way(String title, int threads) {
            this.title = title;
            this.threads = threads;
        }

        int put(Contestant.Putter putter, AtomicInteger next) throws Exception {
            int count = this == BATCH ? PutRates.BATCH : 1;
            int from = next.getAndAdd(count);
            switch (this) {
                case SINGLE, EIGHT -> putter.one(from);
                case BATCH -> putter.many(from, from + count);
                case TRANSACTION -> putter.inTransaction(from);
            }
            return count;
        }
    }

    private record Size(int rounds, Duration pass, Duration warmUp) {

        static final Size FULL = new Size(9, Duration.ofMillis(1_200), Duration.ofMillis(500));
        static final Size QUICK = new Size(5, Duration.ofMillis(600), Duration.ofMillis(300));
        static final Size TINY = new Size(1, Duration.ofMillis(50), Duration.ofMillis(20));
    }

    private record Key(Way way, Contestant contestant) {}

    private final Server server;
    private final Setup setup;
    private final Size size;
    private final Contestant turno = new TurnoPuts();
    private final Contestant bare = new BareInserts();
    private final List<Contestant> peers;
    private final List<Contestant> contestants = new ArrayList<>();
    private final Map<Key, List<Double>> rates = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();

    private PutRates(Server server, Setup setup) {
        this.server = server;
        this.setup = setup;
        this.size = setup.scale().of(Size.FULL, Size.QUICK, Size.TINY);
        List<Runner> runners = Runners.peers().stream()
                // Its two ways of polling put in one way.
                .filter(runner -> !runner.who().equals("db-scheduler, fetch") || !setup.isOnPostgres())
                .filter(runner -> runner.runsOn(setup.database()))
                .toList();
        this.peers = runners.subList(0, setup.isFull() ? runners.size() : 1).stream()
                .<Contestant>map(RunnerPuts::new)
                .toList();
        contestants.addAll(List.of(turno, bare));
        contestants.addAll(peers);
    }

    public static Report run(Setup setup) throws Exception {
        try (Server server = Server.start(setup.database())) {
            return new PutRates(server, setup).run();
        }
    }

    private Report run() throws Exception {
        List<String> notes = notes();
        notes.forEach(setup.progress());
        for (Contestant contestant : size.rounds() > 1 ? contestants : List.<Contestant>of()) {
            pass(Way.SINGLE, contestant, size.pass().multipliedBy(2));
        }
        Rounds rounds = setup.rounds(size.rounds(), 0.9);
        while (rounds.next()) {
            for (Way way : Way.values()) {
                for (Contestant contestant : rounds.inTurns(contestants)) {
                    measure(rounds.number(), way, contestant);
                }
            }
        }
        return new Report(WORKLOAD, notes, figures(), ratios(), setup.isOnPostgres() ? goals() : List.of(), violations);
    }

    private List<String> notes() throws Exception {
        List<String> notes = new ArrayList<>();
        notes.add(server.settings());
        notes.add("rounds of %d ms each, many and short; nothing is run meanwhile"
                .formatted(size.pass().toMillis()));
        notes.add(
                "turno: put, putAll and put on a connection; bare insert: into Turno's table, prepared once, by unnest");
        Runners.peers().stream()
                .filter(runner -> peers.stream().anyMatch(peer -> peer.who().equals(runner.who())))
                .forEach(runner -> notes.add(runner.settings()));
        return notes;
    }

    private void measure(int round, Way way, Contestant contestant) throws Exception {
        if (way == Way.TRANSACTION && !contestant.joinsTransactions()) {
            return;
        }
        double rate = pass(way, contestant, size.pass());
        rates.computeIfAbsent(new Key(way, contestant), key -> new ArrayList<>())
                .add(rate);
        setup.progress()
                .accept(String.format(
                        Locale.ROOT, "round %d, %s: %s %,.0f items/s", round, way.title, contestant.who(), rate));
    }

    private double pass(Way way, Contestant contestant, Duration length) throws Exception {
        try (FreshDatabase database = server.fresh();
                HikariDataSource pool = database.newPool(database.url(), Runner.CONNECTIONS)) {
            contestant.create(pool, database.kind());
            try (Contestant.Open open = contestant.open(pool, database.kind())) {
                AtomicInteger next = new AtomicInteger();
                long warm = put(way, open, next, size.warmUp());
                server.checkpoint();
                long started = System.nanoTime();
                long put = put(way, open, next, length);
                double seconds = (System.nanoTime() - started) / 1e9;
                judge(way, contestant, warm + put, open.stored());
                return put / seconds;
            }
        }
    }

    private void judge(Way way, Contestant contestant, long put, long stored) {
        if (put != stored) {
            violations.add(
                    "%s, %s: %d items were put and %d are there".formatted(way.title, contestant.who(), put, stored));
        }
    }

    private static long put(Way way, Contestant.Open open, AtomicInteger next, Duration length) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(way.threads);
        try {
            long end = System.nanoTime() + length.toNanos();
            List<Future<Long>> all = new ArrayList<>();
            for (int i = 0; i < way.threads; i++) {
                all.add(threads.submit(() -> put(way, open, next, end)));
            }
            long put = 0;
            for (Future<Long> one : all) {
                put += one.get();
            }
            return put;
        } finally {
            threads.shutdownNow();
        }
    }

    private static long put(Way way, Contestant.Open open, AtomicInteger next, long end) throws Exception {
        long put = 0;
        try (Contestant.Putter putter = open.putter()) {
            while (end - System.nanoTime() > 0) {
                put += way.put(putter, next);
            }
        }
        return put;
    }

    private Figure rate(Way way, Contestant contestant) {
        return new Figure(way.title, contestant.who(), RATE, rates.getOrDefault(new Key(way, contestant), List.of()));
    }

    private List<Figure> figures() {
        return rates.keySet().stream()
                .map(key -> rate(key.way(), key.contestant()))
                .toList();
    }

    private Ratio ratio(Way way, Contestant other) {
        return rate(way, turno).ratioTo(rate(way, other));
    }

    private Ratio toBest(Way way) {
        return Ratio.least(peers.stream().map(peer -> ratio(way, peer)).toList());
    }

    private Map<String, Ratio> ratios() {
        Map<String, Ratio> ratios = new LinkedHashMap<>();
        rates.keySet().stream()
                .filter(key -> key.contestant() != turno)
                .forEach(key -> ratios.put(
                        "turno / " + key.contestant().who() + ", " + key.way().title,
                        ratio(key.way(), key.contestant())));
        return ratios;
    }

    private List<Goal> goals() {
        return List.of(
                Goal.atLeast("put-single-to-bare", 0.85, ratio(Way.SINGLE, bare)),
                Goal.atLeast("put-single-to-best-peer", 1, toBest(Way.SINGLE)),
                Goal.atLeast("put-batch-to-bare", 0.55, ratio(Way.BATCH, bare)),
                Goal.atLeast("put-batch-to-best-peer", 1.5, toBest(Way.BATCH)));
    }
}
