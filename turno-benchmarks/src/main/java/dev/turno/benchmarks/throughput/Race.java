package dev.turno.benchmarks.throughput;

import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Ratio;
import dev.turno.benchmarks.run.Rounds;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.server.Server;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Contestants take turns, each with a fresh database on the same server, after a warm-up that does not count. PostgreSQL tells what each
 * message cost it.
 */
final class Race {

    static final String RATE = "messages/s";

    /** What one pass of one contestant gave. */
    record Cost(double rate, double commits, double wal) {}

    private final Server server;
    private final Setup setup;
    private final String workload;
    private final Sizes sizes;
    private final List<Contestant> contestants;
    private final Map<Contestant, List<Cost>> costs = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    Race(Server server, Setup setup, String workload, Sizes sizes, List<Contestant> contestants) {
        this.server = server;
        this.setup = setup;
        this.workload = workload;
        this.sizes = sizes;
        this.contestants = contestants;
    }

    /** @param share of the workload's time */
    void run(double share) throws Exception {
        Rounds rounds = setup.rounds(sizes.rounds(), share);
        for (Contestant contestant : sizes.warmUp() > 0 ? contestants : List.<Contestant>of()) {
            pass(contestant, sizes.forWarmUp());
        }
        while (rounds.next()) {
            for (Contestant contestant : rounds.inTurns(contestants)) {
                Cost cost = pass(contestant, sizes);
                costsOf(contestant).add(cost);
                say("round " + rounds.number(), contestant, cost);
            }
        }
    }

    Cost pass(Contestant contestant, Sizes of) throws Exception {
        int waiting = contestant.waiting(of);
        try (FreshDatabase database = server.fresh()) {
            contestant.fill(database, waiting);
            if (!setup.isOnPostgres()) {
                return cost(contestant.handle(database, waiting, contestant.wanted(of)), 0, 0);
            }
            String name = nameOf(database);
            server.awaitNoSessions(name);
            server.checkpoint();
            long commits = server.commits(name);
            long wal = server.walBytes();
            Contestant.Pass pass = contestant.handle(database, waiting, contestant.wanted(of));
            long walAfter = server.walBytes();
            server.awaitNoSessions(name);
            return cost(pass, server.commits(name) - commits, walAfter - wal);
        }
    }

    private Cost cost(Contestant.Pass pass, long commits, long wal) {
        violations.addAll(pass.violations());
        double messages = pass.messages();
        return new Cost(pass.rate(), commits / messages, wal / messages);
    }

    private static String nameOf(FreshDatabase database) throws Exception {
        try (var pool = database.newPool(database.url(), 1);
                Connection connection = pool.getConnection()) {
            return connection.getCatalog();
        }
    }

    void say(String when, Contestant contestant, Cost cost) {
        setup.progress()
                .accept(String.format(
                        Locale.ROOT,
                        "%s, %s: %s %,.0f messages/s, %.4f commits and %,.0f WAL bytes per message",
                        workload,
                        when,
                        contestant.who(),
                        cost.rate(),
                        cost.commits(),
                        cost.wal()));
    }

    Sizes sizes() {
        return sizes;
    }

    List<String> violations() {
        return violations;
    }

    Figure rate(Contestant contestant) {
        return figure(contestant, RATE, Cost::rate);
    }

    Figure figure(Contestant contestant, String unit, ToDoubleFunction<Cost> what) {
        List<Double> values = costsOf(contestant).stream()
                .map(cost -> what.applyAsDouble(cost))
                .toList();
        return new Figure(workload, contestant.who(), unit, values);
    }

    Ratio ratio(Contestant ours, Contestant other) {
        return rate(ours).ratioTo(rate(other));
    }

    Ratio toBest(Contestant ours, Collection<Contestant> others) {
        return Ratio.least(others.stream().map(other -> ratio(ours, other)).toList());
    }

    List<Figure> rates() {
        return contestants.stream().map(this::rate).toList();
    }

    /** Each of ours over each of the others. */
    Map<String, Ratio> ratios(List<Contestant> ours, Collection<Contestant> others) {
        Map<String, Ratio> ratios = new LinkedHashMap<>();
        for (Contestant one : ours) {
            for (Contestant other : others) {
                ratios.put(workload + ": " + one.who() + " / " + other.who(), ratio(one, other));
            }
        }
        return ratios;
    }

    private List<Cost> costsOf(Contestant contestant) {
        return costs.computeIfAbsent(contestant, key -> new ArrayList<>());
    }
}
