package dev.turno.benchmarks.throughput;

import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.runners.Runner;
import dev.turno.benchmarks.runners.Runners;
import java.util.List;

/** The peers that are measured: all that run on the database, or the best of them in a quick look. */
final class Peers {

    private Peers() {}

    static List<Contestant> of(Setup setup, Load load) {
        List<Runner> all = Runners.peers().stream()
                .filter(runner -> runner.runsOn(setup.database()))
                .toList();
        return all.subList(0, setup.isFull() ? all.size() : 1).stream()
                .map(runner -> contestant(setup, runner, load))
                .toList();
    }

    /** The best one is filled by SQL, because it is given very many. */
    static Contestant contestant(Setup setup, Runner runner, Load load) {
        return runner == Runners.bestPeer() && setup.isOnPostgres()
                ? new DbScheduler(load)
                : new PeerRunner(runner, load);
    }
}
