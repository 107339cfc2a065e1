package dev.turno.benchmarks.throughput;

import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.runners.Runner;
import dev.turno.benchmarks.runners.Runners;
import dev.turno.benchmarks.server.Server;
import java.util.ArrayList;
import java.util.List;

/** Handlers that wait for a millisecond, fifty at once: what the engine adds to work that takes time. */
final class Millisecond {

    private static final Sizes FULL = new Sizes(3, 100_000, 20_000, 5_000, 10_000);
    private static final Sizes QUICK = new Sizes(2, 30_000, 6_000, 1_000, 2_000);
    private static final Sizes TINY = new Sizes(2, 200, 100, 40, 20);

    private final Setup setup;
    private final Contestant turno = new TurnoInbox("turno, 50 threads", false, Load.MILLISECOND);
    private final List<Contestant> peers;
    private final Race race;

    Millisecond(Server server, Setup setup) {
        this.setup = setup;
        this.peers = List.of(Peers.contestant(setup, peer(setup), Load.MILLISECOND));
        List<Contestant> all = new ArrayList<>(List.of(turno));
        all.addAll(peers);
        this.race = new Race(server, setup, "throughput, 1 ms", setup.scale().of(FULL, QUICK, TINY), all);
    }

    private static Runner peer(Setup setup) {
        return Runners.peers().stream()
                .filter(runner -> runner.runsOn(setup.database()))
                .findFirst()
                .orElseThrow();
    }

    Report run() throws Exception {
        race.run(0.15);
        List<Goal> goals = setup.isOnPostgres()
                ? List.of(Goal.atLeast("one-ms-to-best-peer", 1.2, race.toBest(turno, peers)))
                : List.of();
        return new Report(
                Throughput.WORKLOAD,
                List.of("1 ms: each handler waits for a millisecond, 50 threads on both sides"),
                race.rates(),
                race.ratios(List.of(turno), peers),
                goals,
                race.violations());
    }
}
