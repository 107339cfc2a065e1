package dev.turno.benchmarks.burst;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.benchmarks.postgres.Server;
import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Report;
import dev.turno.task.NewTask;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
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
    private static final int TASKS = 10_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration SOON = Duration.ofMinutes(1);

    /** @param large of Turno alone */
    private record Size(int rounds, int large, int assigned) {

        static final Size FULL = new Size(3, 100_000, 100_000);
        static final Size QUICK = new Size(1, 30_000, 100_000);
    }

    private record Lags(double p50, double p99, double most) {}

    private final Server server;
    private final Size size;
    private final Consumer<String> progress;
    private final Map<String, List<Lags>> lags = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();

    private Burst(Server server, Size size, Consumer<String> progress) {
        this.server = server;
        this.size = size;
        this.progress = progress;
    }

    static Contestant contestant(String who) {
        return switch (who) {
            case "turno" -> new TurnoTasks();
            case "db-scheduler" -> new DbSchedulerTasks();
            case "quartz" -> new QuartzJobs();
            case "jobrunr" -> new JobRunrJobs();
            default -> throw new IllegalArgumentException("Nobody is called '" + who + "'.");
        };
    }

    public static Report run(boolean quick, Consumer<String> progress) throws Exception {
        try (Server server = Server.start()) {
            return new Burst(server, quick ? Size.QUICK : Size.FULL, progress).run();
        }
    }

    private Report run() throws Exception {
        List<String> notes = List.of(
                server.settings(),
                "%,d tasks for one instant, two processes, %d round(s); before it a smaller peak warms each up: turno 20,000 tasks,"
                                .formatted(TASKS, size.rounds())
                        + " db-scheduler 10,000, the others 2,000",
                "turno: default options; db-scheduler 16.12.0: lock-and-fetch, 50 threads, poll 50 ms; Quartz 2.5.2: clustered,"
                        + " 50 threads, 50 triggers at a time; JobRunr 8.7.0: 50 workers, poll 5 s");
        notes.forEach(progress);
        for (int round = 1; round <= size.rounds(); round++) {
            for (String who : List.of("turno", "db-scheduler", "quartz", "jobrunr")) {
                pass(who, contestant(who), TASKS);
            }
            pass("turno " + size.large(), contestant("turno"), size.large());
        }
        return report(notes, assign());
    }

    private void pass(String label, Contestant contestant, int tasks) throws Exception {
        try (FreshDatabase database = server.fresh();
                HikariDataSource pool = database.newPool(database.url(), 4)) {
            contestant.create(pool);
            ChildProcess a = node(contestant, database);
            ChildProcess b = node(contestant, database);
            try (a;
                    b) {
                a.awaitLine(BurstNode.READY::equals, SOON);
                b.awaitLine(BurstNode.READY::equals, SOON);
                Instant at = Instant.now().plus(contestant.leadTime(tasks)).truncatedTo(ChronoUnit.SECONDS);
                Plan plan = new Plan(tasks, at, contestant.warmUp());
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

    private static ChildProcess node(Contestant contestant, FreshDatabase database) {
        return Launch.main(BurstNode.class)
                .jvmOptions("-Xms600m", "-Xmx600m", "-XX:TieredStopAtLevel=4")
                .arguments(contestant.who(), database.url(), database.user(), database.password())
                .start();
    }

    private static void awaitStarts(List<ChildProcess> nodes, Plan plan) throws InterruptedException {
        // Nothing is asked around the instant itself: asking would disturb.
        Thread.sleep(Math.max(
                0, Duration.between(Instant.now(), plan.at().plusSeconds(3)).toMillis()));
        Instant end = plan.at().plus(PATIENCE);
        int before = -1;
        while (Instant.now().isBefore(end)) {
            int count = nodes.stream().mapToInt(Burst::count).sum();
            if (count >= plan.all() && count == before) {
                return;
            }
            before = count;
            Thread.sleep(1_000);
        }
    }

    private static int count(ChildProcess node) {
        int seen = (int)
                node.lines().stream().filter(line -> line.startsWith("count ")).count();
        node.send("count");
        Instant end = Instant.now().plus(SOON);
        while (Instant.now().isBefore(end)) {
            List<String> counts = node.lines().stream()
                    .filter(line -> line.startsWith("count "))
                    .toList();
            if (counts.size() > seen) {
                return Integer.parseInt(counts.get(counts.size() - 1).substring("count ".length()));
            }
            Thread.onSpinWait();
        }
        throw new IllegalStateException("A node did not say how many it has started.");
    }

    private Lags lags(String label, List<ChildProcess> nodes, Plan plan) {
        int[] times = new int[plan.all()];
        List<Double> millis = new ArrayList<>();
        long at = plan.at().getEpochSecond() * 1_000_000;
        for (ChildProcess node : nodes) {
            node.send("print");
            node.awaitLine("end"::equals, SOON);
            for (String line : node.lines()) {
                if (line.startsWith("start ")) {
                    String[] words = line.split(" ", -1);
                    int number = Integer.parseInt(words[1]);
                    times[number]++;
                    if (number < plan.tasks()) {
                        millis.add((Long.parseLong(words[2]) - at) / 1_000.0);
                    }
                }
            }
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
        double best = List.of("db-scheduler", "quartz", "jobrunr").stream()
                .mapToDouble(who -> p99(who).ratioTo(turno))
                .min()
                .orElseThrow();
        Map<String, Double> ratios = new LinkedHashMap<>();
        for (String who : List.of("db-scheduler", "quartz", "jobrunr")) {
            ratios.put(who + " p99 / turno p99", p99(who).ratioTo(turno));
        }
        List<Goal> goals = List.of(
                Goal.atMost("p99-at-10000-ms", 50, turno.median()),
                Goal.atLeast("best-peer-p99-ratio", 50, best),
                Goal.atMost("assign-seconds", 3, assignSeconds));
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
