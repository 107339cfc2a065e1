package dev.turno.benchmarks.throughput;

import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Ratio;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.runners.Runner;
import dev.turno.benchmarks.runners.Runners;
import dev.turno.benchmarks.server.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One transaction for each message, in which the handler finishes it. The limit is what the machine commits: one row into a table without
 * an index, begun and committed as a handler does it, from as many connections. The peers commit for each message in any case.
 */
final class OneTransaction {

    private static final Sizes FULL = new Sizes(5, 40_000, 20_000, 5_000, 10_000);
    private static final Sizes QUICK = new Sizes(3, 10_000, 5_000, 1_000, 8_000);
    private static final Sizes TINY = new Sizes(2, 200, 100, 40, 20);

    private final Setup setup;
    private final Contestant turnoNone = new TurnoTransactions("turno keep=none", false, false);
    private final Contestant turnoKeep = new TurnoTransactions("turno keep=7d", true, false);
    private final Contestant commits = new DurableCommits(false);
    private final Contestant transactions = new DurableCommits(true);
    private final List<Contestant> peers;
    private final Race race;

    OneTransaction(Server server, Setup setup) {
        this.setup = setup;
        this.peers = peers(setup);
        List<Contestant> all = new ArrayList<>(List.of(turnoNone, commits, turnoKeep, transactions));
        all.addAll(peers);
        this.race = new Race(
                server, setup, "throughput, a transaction each", setup.scale().of(FULL, QUICK, TINY), all);
    }

    /** Those that came nearest to the machine's commits: the best at nothing, and the one that is made for this. */
    private static List<Contestant> peers(Setup setup) {
        Stream<Runner> runners = Stream.of(Runners.bestPeer(), Runners.named("transaction-outbox"))
                .filter(runner -> runner.runsOn(setup.database()))
                .limit(setup.isFull() ? 2 : 1);
        return runners.map(runner -> Peers.contestant(setup, runner, Load.NOTHING))
                .toList();
    }

    Report run() throws Exception {
        race.run(0.25);
        Map<String, Ratio> ratios = race.ratios(List.of(turnoNone, turnoKeep), peers);
        ratios.putAll(race.ratios(List.of(turnoNone, turnoKeep), List.of(commits, transactions)));
        List<Goal> goals = setup.isOnPostgres()
                ? List.of(Goal.atLeast("transaction-to-durable-transactions", 0.9, race.ratio(turnoNone, transactions)))
                : List.of();
        return new Report(
                Throughput.WORKLOAD,
                List.of("a transaction each: finished in the handler's transaction, " + TurnoTransactions.THREADS
                        + " threads and connections; durable commits: one row each from as many connections, committed by itself;"
                        + " durable transactions: the same, begun and committed as a handler's transaction is"),
                race.rates(),
                ratios,
                goals,
                race.violations());
    }
}
