package dev.turno.benchmarks.burst;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Ratio;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Rounds;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.runners.NodeProcess;
import dev.turno.benchmarks.server.Server;
import dev.turno.task.NewTask;
import dev.turno.testkit.database.FreshDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Tasks with nothing to do, all for one instant, two processes: how long after the instant does each start? Contestants take
 * turns, each on a fresh database, after a smaller peak that warms its processes up.
 */
public final class Burst {

    private static final String WORKLOAD = "burst";
    private static final String UNIT = "ms after the instant";
    private static final List<String> PEERS = List.of("db-scheduler", "db-scheduler, fetch", "quartz", "jobrunr");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /**
     * @param large of Turno alone, and once of the best peer
     * @param peers the first so many of them
     */
    private record Size(int rounds, int tasks, int large, int peers, int assigned) {

        static final Size FULL = new Size(3, 10_000, 100_000, 4, 100_000);
        static final Size QUICK = new Size(2, 10_000, 0, 1, 100_000);
        static final Size TINY = new Size(1, 200, 0, 1, 1_000);
    }

    private record Lags(double p50, double p99, double most) {}

    private final Server server;
    private final Size size;
    private final Setup setup;
    private final Consumer<String> progress;
    private final Map<String, List<Lags>> lags = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();

    private Burst(Server server, Setup setup) {
        this.server = server;
        this.setup = setup;
        this.size = setup.scale().of(Size.FULL, Size.QUICK, Size.TINY);
        this.progress = setup.progress();
    }

    static Contestant contestant(String who) {
        return switch (who) {
            case "turno" -> new TurnoTasks();
            case "db-scheduler" -> new DbSchedulerTasks(who, true);
            case "db-scheduler, fetch" -> new DbSchedulerTasks(who, false);
            case "quartz" -> new QuartzJobs();
            case "jobrunr" -> new JobRunrJobs();
            default -> throw new IllegalArgumentException("Nobody is called '" + who + "'.");
        };
    }

    public static Report run(Setup setup) throws Exception {
        try (Server server = Server.start()) {
            return new Burst(server, setup).run();
        }
    }

    private Report run() throws Exception {
        List<String> notes = List.of(
                server.settings(),
                "%,d tasks for one instant, two processes; before it a smaller peak warms each up: turno 20,000 tasks,"
                                .formatted(size.tasks())
                        + " db-scheduler 10,000, the others 2,000",
                "turno: default options; db-scheduler 16.12.0: either way of polling, 50 threads, poll 50 ms; Quartz 2.5.2: clustered,"
                        + " 50 threads, 50 triggers at a time; JobRunr 8.7.0: 50 workers, poll 5 s");
        notes.forEach(progress);
        Rounds rounds = setup.rounds(size.rounds(), 0.95);
        while (rounds.next()) {
            pass("turno", contestant("turno"), size.tasks());
            for (String who : peers()) {
                pass(who, contestant(who), size.tasks());
            }
            if (size.large() > 0) {
                pass("turno " + size.large(), contestant("turno"), size.large());
            }
        }
        if (size.large() > 0) {
            pass(PEERS.get(0) + " " + size.large(), contestant(PEERS.get(0)), size.large());
        }
        return report(notes, assign());
    }

    private List<String> peers() {
        return PEERS.subList(0, size.peers());
    }

    private void pass(String label, Contestant contestant, int tasks) throws Exception {
        try (FreshDatabase database = server.fresh();
                HikariDataSource pool = database.newPool(database.url(), 4)) {
            contestant.create(pool);
            try (NodeProcess a = NodeProcess.start(BurstNode.class, contestant.who(), database);
                    NodeProcess b = NodeProcess.start(BurstNode.class, contestant.who(), database)) {
                a.awaitReady();
                b.awaitReady();
                Instant at = Instant.now().plus(contestant.leadTime(tasks)).truncatedTo(ChronoUnit.SECONDS);
                Plan plan = new Plan(tasks, at, warmUp(contestant));
                contestant.schedule(pool, plan);
                Duration spare = Duration.between(Instant.now(), plan.warmUpAt());
                if (spare.isNegative()) {
                    violations.add(label + ": scheduling took " + spare.negated() + " longer than was planned for");
                }
                awaitStarts(List.of(a, b), plan);
                Lags found = lags(label, List.of(a, b), plan);
                lags.computeIfAbsent(label, key -> new ArrayList<>()).add(found);
                progress.accept(String.format(
                        Locale.ROOT,
                        "%s: p50 %.1f p99 %.1f max %.1f ms",
                        label,
                        found.p50(),
                        found.p99(),
                        found.most()));
            }
        }
    }

    private int warmUp(Contestant contestant) {
        return Math.min(contestant.warmUp(), 2 * size.tasks());
    }

    private static void awaitStarts(List<NodeProcess> nodes, Plan plan) throws InterruptedException {
        // Nothing is asked around the instant itself: asking would disturb.
        Thread.sleep(Math.max(
                0, Duration.between(Instant.now(), plan.at().plusSeconds(3)).toMillis()));
        Instant end = plan.at().plus(PATIENCE);
        int before = -1;
        while (Instant.now().isBefore(end)) {
            int count = nodes.stream().mapToInt(NodeProcess::count).sum();
            if (count >= plan.all() && count == before) {
                return;
            }
            before = count;
            Thread.sleep(1_000);
        }
    }

    private Lags lags(String label, List<NodeProcess> nodes, Plan plan) {
        int[] times = new int[plan.all()];
        List<Double> millis = new ArrayList<>();
        long at = plan.at().getEpochSecond() * 1_000_000;
        for (NodeProcess node : nodes) {
            node.starts((number, micros) -> {
                times[number]++;
                if (number < plan.tasks()) {
                    millis.add((micros - at) / 1_000.0);
                }
            });
        }
        millis.sort(null);
        judge(label, times, millis);
        return new Lags(share(millis, 0.5), share(millis, 0.99), share(millis, 1));
    }

    private void judge(String label, int[] times, List<Double> millis) {
        long twice = IntStream.of(times).filter(count -> count > 1).count();
        long never = IntStream.of(times).filter(count -> count == 0).count();
        long early = millis.stream().filter(one -> one < 0).count();
        if (twice > 0) {
            violations.add(label + ": " + twice + " ran more than once");
        }
        if (never > 0) {
            violations.add(label + ": " + never + " did not start within " + PATIENCE);
        }
        if (early > 0 && label.startsWith("turno")) {
            violations.add(label + ": " + early + " started before the instant");
        }
    }

    private static double share(List<Double> sorted, double share) {
        return sorted.isEmpty()
                ? PATIENCE.toMillis()
                : sorted.get((int) Math.min(sorted.size() - 1L, Math.round(sorted.size() * share)));
    }

    /** How many seconds it takes to share tasks out over ten holders. */
    private double assign() throws Exception {
        try (FreshDatabase database = server.fresh();
                HikariDataSource pool = database.newPool(database.url(), 4)) {
            List<Turno> holders = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                holders.add(Turno.open(
                        pool, TurnoOptions.defaults().withNode("n" + i).withLease(Duration.ofHours(1))));
                holders.get(i).tasks().canRun("bench", holders.get(i).holder());
            }
            Instant at = Instant.now().plus(Duration.ofMinutes(9));
            List<NewTask> tasks = IntStream.range(0, size.assigned())
                    .mapToObj(n -> NewTask.at("bench", "x".repeat(100), at))
                    .toList();
            holders.get(0).tasks().scheduleAll(tasks);
            long started = System.nanoTime();
            int assigned = holders.get(0).tasks().preAssign(Duration.ofMinutes(10));
            double seconds = (System.nanoTime() - started) / 1e9;
            if (assigned != size.assigned()) {
                violations.add("only " + assigned + " tasks were shared out");
            }
            holders.forEach(Turno::close);
            progress.accept(String.format(Locale.ROOT, "sharing %,d out over 10 holders: %.2f s", assigned, seconds));
            return seconds;
        }
    }

    private Report report(List<String> notes, double assignSeconds) {
        List<Figure> figures = new ArrayList<>();
        lags.forEach((label, rounds) -> {
            figures.add(new Figure(
                    "burst p50", label, UNIT, rounds.stream().map(Lags::p50).toList()));
            figures.add(new Figure(
                    "burst p99", label, UNIT, rounds.stream().map(Lags::p99).toList()));
            figures.add(new Figure(
                    "burst max", label, UNIT, rounds.stream().map(Lags::most).toList()));
        });
        figures.add(Figure.of("assign " + size.assigned(), "turno", "s over 10 holders", assignSeconds));
        Figure turno = p99("turno");
        Map<String, Ratio> ratios = new LinkedHashMap<>();
        for (String who : peers()) {
            ratios.put(who + " p99 / turno p99", p99(who).ratioTo(turno));
        }
        List<Goal> goals = List.of(
                Goal.atMost("burst-p99-ms", 50, turno.median()),
                Goal.atLeast("burst-best-peer-p99-to-ours", 50, Ratio.least(ratios.values())),
                Goal.atMost("assign-100000-seconds", 3, assignSeconds));
        return new Report(WORKLOAD, notes, figures, ratios, goals, violations);
    }

    private Figure p99(String label) {
        return new Figure(
                "burst p99",
                label,
                UNIT,
                lags.getOrDefault(label, List.of()).stream().map(Lags::p99).toList());
    }
}
