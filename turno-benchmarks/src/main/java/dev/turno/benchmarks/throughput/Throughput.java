package dev.turno.benchmarks.throughput;

import dev.turno.benchmarks.postgres.Server;
import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Report;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Messages with nothing to do, all waiting: how many a second, and what each costs the database. Contestants take turns, each
 * with a fresh database on the same server, after a warm-up that does not count.
 */
public final class Throughput {

    private static final String WORKLOAD = "throughput";
    private static final String RATE = "messages/s";

    /** @param peerWanted so many of the messages are waited for with db-scheduler, whose pass would last for a minute else */
    private record Size(int rounds, int messages, int peerWanted, int warmUp) {

        static final Size FULL = new Size(3, 300_000, 60_000, 30_000);
        static final Size QUICK = new Size(1, 100_000, 15_000, 20_000);
    }

    /** What one pass of one contestant gave. */
    private record Cost(double rate, double commits, double wal) {}

    private final Server server;
    private final Size size;
    private final Consumer<String> progress;
    private final Contestant turnoNone = new TurnoInbox("turno keep=none", false);
    private final Contestant turnoKeep = new TurnoInbox("turno keep=7d", true);
    private final Contestant bareNone = new BareLoop("bare loop keep=none", false);
    private final Contestant bareKeep = new BareLoop("bare loop keep=7d", true);
    private final Contestant peer = new DbScheduler();
    private final List<Contestant> contestants = List.of(turnoNone, bareNone, turnoKeep, bareKeep, peer);
    private final Map<Contestant, List<Cost>> costs = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    private Throughput(Server server, Size size, Consumer<String> progress) {
        this.server = server;
        this.size = size;
        this.progress = progress;
    }

    public static Report run(boolean quick, Consumer<String> progress) throws Exception {
        try (Server server = Server.start()) {
            return new Throughput(server, quick ? Size.QUICK : Size.FULL, progress).run();
        }
    }

    private Report run() throws Exception {
        List<String> notes = notes();
        notes.forEach(progress);
        for (Contestant contestant : contestants) {
            pass(contestant, size.warmUp());
        }
        for (int round = 1; round <= size.rounds(); round++) {
            for (Contestant contestant : inTurns(round)) {
                Cost cost = pass(contestant, size.messages());
                costsOf(contestant).add(cost);
                say("round " + round, contestant, cost);
            }
        }
        return report(notes, withoutFullPageImages());
    }

    private List<String> notes() throws Exception {
        return List.of(
                server.settings(),
                "%,d messages waiting, %d round(s); contestants take turns, each on a fresh database, warmed up once"
                        .formatted(size.messages(), size.rounds()),
                "turno: default options, one node, pool of 10; the bare loop: Turno's own statements, 500 rows, 2 connections",
                "db-scheduler 16.12.0: lock-and-fetch (0.5, 4.0), 50 threads, pool of 60, poll 50 ms; measured over the first"
                        + " %,d of %,d waiting executions".formatted(size.peerWanted(), size.messages()));
    }

    /** Every round begins with another contestant: whoever comes after a heavy one meets a busier disk. */
    private List<Contestant> inTurns(int round) {
        List<Contestant> order = new ArrayList<>(contestants);
        Collections.rotate(order, 1 - round);
        return order;
    }

    private Cost pass(Contestant contestant, int messages) throws Exception {
        try (FreshDatabase database = server.fresh()) {
            contestant.fill(database, messages);
            String name = nameOf(database);
            server.awaitNoSessions(name);
            server.checkpoint();
            long commits = server.commits(name);
            long wal = server.walBytes();
            Contestant.Pass pass = contestant.handle(database, messages, Math.min(messages, size.peerWanted()));
            long walAfter = server.walBytes();
            server.awaitNoSessions(name);
            violations.addAll(pass.violations());
            return new Cost(
                    pass.rate(),
                    (double) (server.commits(name) - commits) / pass.messages(),
                    (double) (walAfter - wal) / pass.messages());
        }
    }

    private static String nameOf(FreshDatabase database) throws Exception {
        try (var pool = database.newPool(database.url(), 1);
                Connection connection = pool.getConnection()) {
            return connection.getCatalog();
        }
    }

    private Map<Contestant, Cost> withoutFullPageImages() throws Exception {
        Map<Contestant, Cost> bare = new LinkedHashMap<>();
        server.fullPageWrites(false);
        try {
            for (Contestant contestant : List.of(turnoNone, turnoKeep)) {
                Cost cost = pass(contestant, size.messages());
                bare.put(contestant, cost);
                say("without full-page images", contestant, cost);
            }
        } finally {
            server.fullPageWrites(true);
        }
        return bare;
    }

    private void say(String when, Contestant contestant, Cost cost) {
        progress.accept(String.format(
                Locale.ROOT,
                "%s: %s %,.0f messages/s, %.4f commits and %,.0f WAL bytes per message",
                when,
                contestant.who(),
                cost.rate(),
                cost.commits(),
                cost.wal()));
    }

    private Report report(List<String> notes, Map<Contestant, Cost> withoutImages) {
        List<Figure> figures = new ArrayList<>();
        contestants.forEach(contestant -> figures.add(rate(contestant)));
        for (Contestant contestant : contestants) {
            figures.add(figure(contestant, "commits/message", commits(contestant)));
        }
        withoutImages.forEach((contestant, cost) ->
                figures.add(Figure.of(WORKLOAD, contestant.who(), "WAL bytes/message", cost.wal())));
        for (Contestant contestant : contestants) {
            figures.add(figure(
                    contestant,
                    "WAL bytes/message with full-page images",
                    costsOf(contestant).stream().map(Cost::wal).toList()));
        }
        return new Report(WORKLOAD, notes, figures, ratios(), goals(withoutImages), violations);
    }

    private Map<String, Double> ratios() {
        Map<String, Double> ratios = new LinkedHashMap<>();
        ratios.put("turno keep=none / db-scheduler", rate(turnoNone).ratioTo(rate(peer)));
        ratios.put("turno keep=7d / db-scheduler", rate(turnoKeep).ratioTo(rate(peer)));
        ratios.put("turno keep=none / bare loop", rate(turnoNone).ratioTo(rate(bareNone)));
        ratios.put("turno keep=7d / bare loop", rate(turnoKeep).ratioTo(rate(bareKeep)));
        return ratios;
    }

    private List<Goal> goals(Map<Contestant, Cost> withoutImages) {
        List<Goal> goals = new ArrayList<>();
        goals.add(Goal.atLeast("peer-ratio-keep-none", 10, rate(turnoNone).ratioTo(rate(peer))));
        goals.add(Goal.atLeast("peer-ratio-keep-7d", 6, rate(turnoKeep).ratioTo(rate(peer))));
        goals.add(Goal.atLeast("bare-ratio-keep-none", 0.7, rate(turnoNone).ratioTo(rate(bareNone))));
        goals.add(Goal.atLeast("bare-ratio-keep-7d", 0.7, rate(turnoKeep).ratioTo(rate(bareKeep))));
        for (Contestant contestant : List.of(turnoNone, turnoKeep)) {
            String suffix = contestant == turnoNone ? "-keep-none" : "-keep-7d";
            Figure commits = figure(contestant, "commits/message", commits(contestant));
            goals.add(Goal.atMost("commits-per-message" + suffix, 0.02, commits.median()));
        }
        withoutImages.forEach((contestant, cost) -> goals.add(
                contestant == turnoNone
                        ? Goal.atMost("wal-per-message-keep-none", 900, cost.wal())
                        : Goal.atMost("wal-per-message-keep-7d", 1300, cost.wal())));
        return goals;
    }

    private List<Cost> costsOf(Contestant contestant) {
        return costs.computeIfAbsent(contestant, key -> new ArrayList<>());
    }

    private Figure rate(Contestant contestant) {
        return figure(
                contestant, RATE, costsOf(contestant).stream().map(Cost::rate).toList());
    }

    private List<Double> commits(Contestant contestant) {
        return costsOf(contestant).stream().map(Cost::commits).toList();
    }

    private static Figure figure(Contestant contestant, String unit, List<Double> values) {
        return new Figure(WORKLOAD, contestant.who(), unit, values);
    }
}
