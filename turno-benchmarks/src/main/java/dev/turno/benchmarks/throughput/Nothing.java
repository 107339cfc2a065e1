package dev.turno.benchmarks.throughput;

import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Ratio;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.runners.Runners;
import dev.turno.benchmarks.server.Server;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Handlers with nothing to do, finished in batches: what the engine itself costs. */
final class Nothing {

    private static final Sizes FULL = new Sizes(3, 300_000, 60_000, 6_000, 100_000);
    private static final Sizes QUICK = new Sizes(3, 100_000, 15_000, 2_000, 100_000);
    private static final Sizes TINY = new Sizes(2, 400, 200, 40, 50);

    private final Server server;
    private final Setup setup;
    private final Contestant turnoNone = new TurnoInbox("turno keep=none", false, Load.NOTHING);
    private final Contestant turnoKeep = new TurnoInbox("turno keep=7d", true, Load.NOTHING);
    private final Contestant bareNone = new BareLoop("bare loop keep=none", false);
    private final Contestant bareKeep = new BareLoop("bare loop keep=7d", true);
    private final List<Contestant> ours = List.of(turnoNone, turnoKeep);
    private final List<Contestant> bare;
    private final List<Contestant> peers;
    private final Race race;

    Nothing(Server server, Setup setup) {
        this.server = server;
        this.setup = setup;
        this.bare = setup.isOnPostgres() ? List.of(bareNone, bareKeep) : List.of();
        this.peers = Peers.of(setup, Load.NOTHING);
        List<Contestant> all = new ArrayList<>(ours);
        all.addAll(bare);
        all.addAll(peers);
        this.race = new Race(server, setup, "throughput, no-op", setup.scale().of(FULL, QUICK, TINY), all);
    }

    Report run() throws Exception {
        List<String> notes = notes();
        notes.forEach(setup.progress());
        race.run(0.45);
        return setup.isOnPostgres() ? report(notes, withoutFullPageImages()) : report(notes, Map.of());
    }

    private List<String> notes() throws Exception {
        List<String> notes = new ArrayList<>();
        notes.add(server.settings());
        notes.add(
                ("%,d messages waiting, contestants take turns, each on a fresh database, warmed up once; the best peer is measured"
                                + " over the first %,d, the others over %,d")
                        .formatted(
                                race.sizes().messages(),
                                race.sizes().peer(),
                                race.sizes().slow()));
        notes.add(
                "turno: default options, one node, pool of 10; the bare loop: Turno's own statements, 500 rows, 2 connections");
        Runners.peers().stream()
                .filter(runner -> runner.runsOn(setup.database()))
                .filter(runner -> setup.isFull() || runner == Runners.bestPeer())
                .forEach(runner -> notes.add(runner.settings()));
        return notes;
    }

    /** Without them what is written to the log depends on the work alone. */
    private Map<Contestant, Race.Cost> withoutFullPageImages() throws Exception {
        Map<Contestant, Race.Cost> bytes = new LinkedHashMap<>();
        server.fullPageWrites(false);
        try {
            for (Contestant contestant : ours) {
                Race.Cost cost = race.pass(contestant, race.sizes());
                bytes.put(contestant, cost);
                race.say("without full-page images", contestant, cost);
            }
        } finally {
            server.fullPageWrites(true);
        }
        return bytes;
    }

    private Report report(List<String> notes, Map<Contestant, Race.Cost> withoutImages) {
        List<Figure> figures = new ArrayList<>(race.rates());
        List<Goal> goals = new ArrayList<>();
        Map<String, Ratio> ratios = race.ratios(ours, peers);
        if (setup.isOnPostgres()) {
            figures.addAll(costs(withoutImages));
            ratios.put("throughput, no-op: turno / bare loop, keep=none", race.ratio(turnoNone, bareNone));
            ratios.put("throughput, no-op: turno / bare loop, keep=7d", race.ratio(turnoKeep, bareKeep));
            goals.addAll(goals(withoutImages));
        }
        return new Report(Throughput.WORKLOAD, notes, figures, ratios, goals, race.violations());
    }

    private List<Figure> costs(Map<Contestant, Race.Cost> withoutImages) {
        List<Figure> figures = new ArrayList<>();
        List<Contestant> all = new ArrayList<>(ours);
        all.addAll(peers);
        all.forEach(one -> figures.add(race.figure(one, "commits/message", Race.Cost::commits)));
        withoutImages.forEach(
                (one, cost) -> figures.add(Figure.of("throughput, no-op", one.who(), "WAL bytes/message", cost.wal())));
        all.forEach(one -> figures.add(race.figure(one, "WAL bytes/message with full-page images", Race.Cost::wal)));
        return figures;
    }

    private List<Goal> goals(Map<Contestant, Race.Cost> withoutImages) {
        List<Goal> goals = new ArrayList<>();
        goals.add(Goal.atLeast("noop-to-best-peer-keep-none", 10, race.toBest(turnoNone, peers)));
        goals.add(Goal.atLeast("noop-to-best-peer-keep-7d", 6, race.toBest(turnoKeep, peers)));
        goals.add(Goal.atLeast("noop-to-bare-keep-none", 0.7, race.ratio(turnoNone, bareNone)));
        goals.add(Goal.atLeast("noop-to-bare-keep-7d", 0.7, race.ratio(turnoKeep, bareKeep)));
        for (Contestant one : ours) {
            String keep = one == turnoNone ? "-keep-none" : "-keep-7d";
            Figure commits = race.figure(one, "commits/message", Race.Cost::commits);
            goals.add(Goal.atMost("commits-per-message" + keep, 0.02, commits.median()));
        }
        withoutImages.forEach((one, cost) -> goals.add(
                one == turnoNone
                        ? Goal.atMost("wal-per-message-keep-none", 900, cost.wal())
                        : Goal.atMost("wal-per-message-keep-7d", 1300, cost.wal())));
        return goals;
    }
}
