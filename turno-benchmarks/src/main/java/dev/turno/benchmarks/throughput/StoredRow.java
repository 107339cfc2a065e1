package dev.turno.benchmarks.throughput;

import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Ratio;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.server.Server;
import java.util.List;
import java.util.Map;

/**
 * Handlers that store one row each. Turno's finish in the same transaction, so row and finish are there or neither is; the best peer's
 * commit the row, and then it commits that they ran.
 */
final class StoredRow {

    private static final Sizes FULL = new Sizes(5, 40_000, 20_000, 5_000, 10_000);
    private static final Sizes QUICK = new Sizes(3, 10_000, 5_000, 1_000, 8_000);
    private static final Sizes TINY = new Sizes(2, 200, 100, 40, 20);

    private final Contestant turnoNone = new TurnoTransactions("turno keep=none", false, true);
    private final Contestant turnoKeep = new TurnoTransactions("turno keep=7d", true, true);
    private final Contestant peer = new DbScheduler(Load.NOTHING, true);
    private final Race race;

    StoredRow(Server server, Setup setup) {
        this.race = new Race(
                server,
                setup,
                "throughput, a row stored each",
                setup.scale().of(FULL, QUICK, TINY),
                List.of(turnoNone, peer, turnoKeep));
    }

    Report run() throws Exception {
        race.run(0.15);
        Map<String, Ratio> ratios = race.ratios(List.of(turnoNone, turnoKeep), List.of(peer));
        return new Report(
                Throughput.WORKLOAD,
                List.of(
                        "a row stored each: by the handler, in the transaction in which it finishes; db-scheduler's handlers commit the row"
                                + " by itself"),
                race.rates(),
                ratios,
                List.of(Goal.atLeast("stored-row-to-best-peer", 1.2, race.ratio(turnoNone, peer))),
                race.violations());
    }
}
