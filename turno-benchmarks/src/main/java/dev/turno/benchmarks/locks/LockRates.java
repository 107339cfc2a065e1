package dev.turno.benchmarks.locks;

import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Ratio;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Rounds;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.server.Server;
import dev.turno.testkit.database.FreshDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Taking a lock and giving it back, with nothing to do in between: alone, eight threads with a lock each, and eight threads that
 * want the same lock. Contestants take turns, each with a fresh database on the same server, after a warm-up that does not count.
 */
public final class LockRates {

    static final int CONNECTIONS = 10;
    private static final int THREADS = 8;
    private static final String RATE = "cycles/s";

    private enum Workload {
        ALONE("uncontended, 1 thread"),
        EACH("uncontended, 8 threads"),
        BESIDE("uncontended, 1 thread, just before the contended"),
        ONE("contended, 8 threads");

        private final String title;

        Workload(String title) {
            this.title = title;
        }

        /** The lock that each thread wants. */
        List<String> names() {
            return switch (this) {
                case ALONE, BESIDE -> LockRates.names().subList(0, 1);
                case EACH -> LockRates.names();
                case ONE -> Collections.nCopies(THREADS, LockRates.names().get(0));
            };
        }
    }

    /** @param before each pass: connections are opened, rows are there and statements prepared before the clock starts */
    private record Size(int rounds, Duration pass, Duration warmUp, Duration before) {

        static final Size FULL = new Size(12, Duration.ofMillis(1_500), Duration.ofSeconds(3), Duration.ofMillis(800));
        static final Size QUICK = new Size(3, Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofMillis(300));
        static final Size TINY = new Size(1, Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofMillis(20));
    }

    private record Key(Workload workload, Contestant contestant) {}

    private final Server server;
    private final Size size;
    private final Setup setup;
    private final Consumer<String> progress;
    private final Contestant turno = new TurnoLocks("turno", 1);
    private final Contestant twoNodes = new TurnoLocks("turno, 2 nodes", 2);
    private final Contestant bare = new BareStatements();
    private final Contestant shedLock = new ShedLock();
    private final Contestant registry = new LockRegistry();
    private final List<Contestant> peers;
    private final List<Contestant> contestants = new ArrayList<>();
    private final Map<Key, List<Pass>> passes = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();

    private LockRates(Server server, Setup setup) {
        this.server = server;
        this.setup = setup;
        this.size = setup.scale().of(Size.FULL, Size.QUICK, Size.TINY);
        this.progress = setup.progress();
        this.peers = setup.isFull() ? List.of(shedLock, registry) : List.of(shedLock);
        contestants.addAll(List.of(turno, bare));
        contestants.addAll(peers);
    }

    public static Report run(Setup setup) throws Exception {
        try (Server server = Server.start(setup.database())) {
            return new LockRates(server, setup).run();
        }
    }

    /** One lock for each thread. */
    static List<String> names() {
        return IntStream.range(0, THREADS).mapToObj(i -> "lock-" + i).toList();
    }

    static void backOff(Duration least, Duration most) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(least.toNanos(), most.toNanos()));
    }

    private Report run() throws Exception {
        List<String> notes = notes();
        notes.forEach(progress);
        for (Contestant contestant : contestants) {
            pass(Workload.EACH, contestant, size.warmUp());
        }
        Rounds rounds = setup.rounds(size.rounds());
        while (rounds.next()) {
            for (Workload workload : List.of(Workload.ALONE, Workload.EACH, Workload.ONE)) {
                round(rounds, workload);
            }
        }
        return new Report("locks", notes, figures(), ratios(), setup.isOnPostgres() ? goals() : List.of(), violations);
    }

    private void round(Rounds rounds, Workload workload) throws Exception {
        List<Contestant> order = new ArrayList<>(rounds.inTurns(contestants));
        if (workload == Workload.ONE) {
            order.add(twoNodes);
        }
        for (Contestant contestant : order) {
            if (workload == Workload.ONE && contestant == turno) {
                measure(rounds.number(), Workload.BESIDE, turno);
            }
            measure(rounds.number(), workload, contestant);
        }
    }

    private void measure(int round, Workload workload, Contestant contestant) throws Exception {
        Pass pass = pass(workload, contestant, size.pass());
        passesOf(workload, contestant).add(pass);
        say(round, workload, contestant, pass);
        judge(workload, contestant, pass);
    }

    private Pass pass(Workload workload, Contestant contestant, Duration length) throws Exception {
        try (FreshDatabase database = server.fresh();
                Contestant.Instance instance = contestant.open(database)) {
            Pass.of(instance, workload.names(), size.before().toNanos());
            server.checkpoint();
            return Pass.of(instance, workload.names(), length.toNanos());
        }
    }

    private void judge(Workload workload, Contestant contestant, Pass pass) {
        if (pass.overlaps() > 0) {
            violations.add(contestant.who() + ", " + workload.title + ": two were inside at once " + pass.overlaps()
                    + " times");
        }
        if (pass.leastShare() == 0 && (contestant == turno || contestant == twoNodes)) {
            violations.add(contestant.who() + ", " + workload.title + ": one thread never got the lock");
        }
    }

    private List<String> notes() throws Exception {
        return List.of(
                server.settings(),
                "%d rounds of %d ms each, many and short: what a shared disk does in a while meets everybody"
                        .formatted(size.rounds(), size.pass().toMillis()),
                "turno: whileHolding on the usual terms (lease 30 s, renewed, clean-up on), pool of " + CONNECTIONS
                        + "; two statements: a conditional update and a release, a connection per thread",
                "ShedLock 7.10.1: JdbcTemplate, database time, pool of " + CONNECTIONS
                        + ", its user backs off 5 to 20 ms; Spring Integration 7.0.5: JdbcLockRegistry, pool of "
                        + CONNECTIONS + ", 10 ms between tries");
    }

    private void say(int round, Workload workload, Contestant contestant, Pass pass) {
        progress.accept(String.format(
                Locale.ROOT,
                "round %d, %s: %s %,.0f cycles/s, longest %,.0f ms, least share %.2f",
                round,
                workload.title,
                contestant.who(),
                pass.rate(),
                pass.longestWait(),
                pass.leastShare()));
    }

    private List<Pass> passesOf(Workload workload, Contestant contestant) {
        return passes.computeIfAbsent(new Key(workload, contestant), key -> new ArrayList<>());
    }

    private List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        passes.keySet().forEach(key -> figures.add(rate(key.workload(), key.contestant())));
        passes.forEach((key, all) -> {
            if (key.workload() == Workload.ONE) {
                String title = key.workload().title;
                String who = key.contestant().who();
                figures.add(new Figure(
                        title,
                        who,
                        "ms, longest wait",
                        all.stream().map(Pass::longestWait).toList()));
                figures.add(new Figure(
                        title,
                        who,
                        "least share of a thread",
                        all.stream().map(Pass::leastShare).toList()));
            }
        });
        return figures;
    }

    private Figure rate(Workload workload, Contestant contestant) {
        return new Figure(
                workload.title,
                contestant.who(),
                RATE,
                passesOf(workload, contestant).stream().map(Pass::rate).toList());
    }

    private Ratio ratio(Workload workload, Contestant other) {
        return rate(workload, turno).ratioTo(rate(workload, other));
    }

    private Map<String, Ratio> ratios() {
        Map<String, Ratio> ratios = new LinkedHashMap<>();
        for (Workload workload : List.of(Workload.ALONE, Workload.EACH, Workload.ONE)) {
            for (Contestant other : contestants.subList(1, contestants.size())) {
                ratios.put("turno / " + other.who() + ", " + workload.title, ratio(workload, other));
            }
        }
        ratios.put("turno contended / turno alone", contendedToAlone(turno));
        ratios.put("turno contended on 2 nodes / turno alone", contendedToAlone(twoNodes));
        return ratios;
    }

    private Ratio contendedToAlone(Contestant contestant) {
        return rate(Workload.ONE, contestant).ratioTo(rate(Workload.BESIDE, turno));
    }

    private List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        for (Workload workload : List.of(Workload.ALONE, Workload.EACH)) {
            String suffix = workload == Workload.ALONE ? "-1-thread" : "-8-threads";
            double toBare = ratio(workload, bare).median();
            double toPeer = ratio(workload, shedLock).median();
            // 1.3 times ShedLock or 95 % of the two statements, whichever is reached first: 1 is enough.
            goals.add(Goal.atLeast("lock-fast-enough" + suffix, 1, Math.max(toPeer / 1.3, toBare / 0.95)));
            goals.add(Goal.atLeast("lock-to-bare" + suffix, 0.9, toBare));
        }
        goals.add(Goal.atLeast("eight-waiters-to-one-thread", 0.75, contendedToAlone(turno)));
        return goals;
    }
}
