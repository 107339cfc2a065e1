package dev.turno.benchmarks.latency;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Ratio;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Rounds;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.runners.NodeProcess;
import dev.turno.benchmarks.runners.Runner;
import dev.turno.benchmarks.runners.RunnerNode;
import dev.turno.benchmarks.runners.Runners;
import dev.turno.benchmarks.runners.Starts;
import dev.turno.benchmarks.server.Server;
import dev.turno.testkit.database.FreshDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * One item now and then on a node that has nothing else to do: the time from the moment when the put has returned, so the item is on the
 * disk, to the moment when its handler starts. In the process that puts, and in another one. Contestants take turns.
 */
public final class Latency {

    private static final String WORKLOAD = "latency";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LEAST_GAP_MS = 20;
    private static final int MOST_GAP_MS = 60;

    /** Where the handler runs. */
    private enum Place {
        SAME("latency, same process"),
        ACROSS("latency, across processes");

        private final String title;

        Place(String title) {
            this.title = title;
        }
    }

    /** @param warmUp so many before, quickly one after the other */
    private record Size(int rounds, int items, int warmUp) {

        static final Size FULL = new Size(3, 200, 500);
        static final Size QUICK = new Size(2, 150, 300);
        static final Size TINY = new Size(2, 5, 10);

        int all() {
            return warmUp + items;
        }
    }

    private record Key(Place place, Runner runner) {}

    private record Delays(double p50, double p99, double most) {}

    private final Server server;
    private final Setup setup;
    private final Size size;
    private final Runner turno = Runners.named("turno");
    private final List<Runner> peers;
    private final Map<Key, List<Delays>> delays = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();

    private Latency(Server server, Setup setup) {
        this.server = server;
        this.setup = setup;
        this.size = setup.scale().of(Size.FULL, Size.QUICK, Size.TINY);
        this.peers = setup.isFull() ? Runners.peers() : List.of(Runners.bestPeer());
    }

    public static Report run(Setup setup) throws Exception {
        try (Server server = Server.start()) {
            return new Latency(server, setup).run();
        }
    }

    private Report run() throws Exception {
        List<String> notes = notes();
        notes.forEach(setup.progress());
        List<Runner> all = new ArrayList<>(List.of(turno));
        all.addAll(peers);
        Rounds rounds = setup.rounds(size.rounds(), 0.95);
        while (rounds.next()) {
            for (Place place : Place.values()) {
                for (Runner runner : rounds.inTurns(all)) {
                    measure(place, runner);
                }
            }
        }
        return new Report(WORKLOAD, notes, figures(), ratios(), goals(), violations);
    }

    private List<String> notes() throws Exception {
        List<String> notes = new ArrayList<>();
        notes.add(server.settings());
        notes.add("%d items a round, %d to %d ms between them, from the return of the put to the start of the handler"
                .formatted(size.items(), LEAST_GAP_MS, MOST_GAP_MS));
        notes.add(turno.settings());
        peers.forEach(peer -> notes.add(peer.settings()));
        return notes;
    }

    private void measure(Place place, Runner runner) throws Exception {
        Delays found = place == Place.SAME ? inThisProcess(runner) : inAnother(runner);
        delays.computeIfAbsent(new Key(place, runner), key -> new ArrayList<>()).add(found);
        setup.progress()
                .accept(String.format(
                        Locale.ROOT,
                        "%s: %s p50 %.2f p99 %.2f max %.2f ms",
                        place.title,
                        runner.who(),
                        found.p50(),
                        found.p99(),
                        found.most()));
    }

    private Delays inThisProcess(Runner runner) throws Exception {
        Times times = new Times(size.all());
        try (FreshDatabase database = server.fresh();
                HikariDataSource pool = database.newPool(database.url(), Runner.CONNECTIONS)) {
            runner.create(pool, database.kind());
            try (Runner.Node node = runner.open(pool, database.kind())) {
                node.start(number -> times.started(number, Starts.micros()));
                putAll(node, times);
                times.await(PATIENCE);
            }
        }
        return judged(Place.SAME, runner, times);
    }

    private Delays inAnother(Runner runner) throws Exception {
        Times times = new Times(size.all());
        try (FreshDatabase database = server.fresh();
                HikariDataSource pool = database.newPool(database.url(), Runner.CONNECTIONS)) {
            runner.create(pool, database.kind());
            try (NodeProcess other = NodeProcess.start(RunnerNode.class, runner.who(), database);
                    Runner.Node node = runner.open(pool, database.kind())) {
                other.awaitReady();
                putAll(node, times);
                long end = System.nanoTime() + PATIENCE.toNanos();
                while (other.count() < size.all() && System.nanoTime() < end) {
                    TimeUnit.MILLISECONDS.sleep(200);
                }
                other.starts(times::started);
            }
        }
        return judged(Place.ACROSS, runner, times);
    }

    /** Nobody knows when the next one comes; the gaps are the same for all. */
    private void putAll(Runner.Node node, Times times) throws Exception {
        for (int number = 0; number < size.warmUp(); number++) {
            node.put(number);
        }
        TimeUnit.SECONDS.sleep(1); // what is behind on the warm-up must not be in the way
        SplittableRandom random = new SplittableRandom(7);
        for (int number = size.warmUp(); number < size.all(); number++) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LEAST_GAP_MS, MOST_GAP_MS));
            node.put(number);
            times.put(number, Starts.micros());
        }
    }

    private Delays judged(Place place, Runner runner, Times times) {
        violations.addAll(times.violations(place.title + ", " + runner.who()));
        double[] sorted = times.millis(size.warmUp(), size.all());
        Arrays.sort(sorted);
        return new Delays(sorted[sorted.length / 2], sorted[sorted.length * 99 / 100], sorted[sorted.length - 1]);
    }

    private Figure figure(Place place, Runner runner, String what, ToDoubleFunction<Delays> value) {
        List<Double> values = delays.getOrDefault(new Key(place, runner), List.of()).stream()
                .map(one -> value.applyAsDouble(one))
                .toList();
        return new Figure(place.title, runner.who(), what, values);
    }

    private Figure p50(Place place, Runner runner) {
        return figure(place, runner, "ms, p50", Delays::p50);
    }

    private Figure p99(Place place, Runner runner) {
        return figure(place, runner, "ms, p99", Delays::p99);
    }

    private List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        delays.keySet().forEach(key -> figures.add(p50(key.place(), key.runner())));
        delays.keySet().forEach(key -> figures.add(p99(key.place(), key.runner())));
        delays.keySet().forEach(key -> figures.add(figure(key.place(), key.runner(), "ms, longest", Delays::most)));
        return figures;
    }

    private Map<String, Ratio> ratios() {
        Map<String, Ratio> ratios = new LinkedHashMap<>();
        for (Place place : Place.values()) {
            for (Runner peer : peers) {
                ratios.put(
                        peer.who() + " / turno, p50, " + place.title,
                        p50(place, peer).ratioTo(p50(place, turno)));
                ratios.put(
                        peer.who() + " / turno, p99, " + place.title,
                        p99(place, peer).ratioTo(p99(place, turno)));
            }
        }
        return ratios;
    }

    private Ratio bestPeer(Function<Runner, Figure> figure) {
        return Ratio.least(peers.stream()
                .map(peer -> figure.apply(peer).ratioTo(figure.apply(turno)))
                .toList());
    }

    private List<Goal> goals() {
        return List.of(
                Goal.atMost("latency-same-p50-ms", 1, p50(Place.SAME, turno).median()),
                Goal.atMost("latency-same-p99-ms", 10, p99(Place.SAME, turno).median()),
                Goal.atMost("latency-across-p50-ms", 5, p50(Place.ACROSS, turno).median()),
                Goal.atMost(
                        "latency-across-p99-ms", 25, p99(Place.ACROSS, turno).median()),
                Goal.atLeast("latency-same-best-peer-p50-to-ours", 1, bestPeer(who -> p50(Place.SAME, who))),
                Goal.atLeast("latency-same-best-peer-p99-to-ours", 1, bestPeer(who -> p99(Place.SAME, who))),
                Goal.atLeast("latency-across-best-peer-p50-to-ours", 1, bestPeer(who -> p50(Place.ACROSS, who))),
                Goal.atLeast("latency-across-best-peer-p99-to-ours", 1, bestPeer(who -> p99(Place.ACROSS, who))));
    }
}
