package dev.turno.benchmarks.growth;

import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Ratio;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.server.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether an item costs the same when there are many: rows in the table, processes, dead tuples after a minute of churn, and a transaction
 * that somebody holds open meanwhile.
 */
public final class Growth {

    static final String WORKLOAD = "growth";

    /**
     * @param rows of the small, the middle and the large table
     * @param window of churn
     * @param processes how many at most, in powers of two
     * @param items for them
     * @param others tasks, bursts and locks in each round
     */
    record Size(List<Integer> rows, int rounds, Duration window, int windows, int processes, int items, int others) {

        private static final Size FULL =
                new Size(List.of(10_000, 100_000, 1_000_000), 5, Duration.ofSeconds(10), 6, 8, 100_000, 3_000);
        private static final Size QUICK =
                new Size(List.of(10_000, 50_000, 100_000), 2, Duration.ofSeconds(5), 4, 2, 20_000, 1_000);
        private static final Size TINY = new Size(List.of(500, 600, 1_000), 2, Duration.ofMillis(200), 2, 2, 200, 50);

        int few() {
            return rows.get(0);
        }
    }

    private final Setup setup;
    private final List<Figure> figures = new ArrayList<>();
    private final Map<String, Ratio> ratios = new LinkedHashMap<>();
    private final List<Goal> goals = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    private Growth(Setup setup) {
        this.setup = setup;
    }

    public static Report run(Setup setup) throws Exception {
        try (Server server = Server.start()) {
            return new Growth(setup).run(server);
        }
    }

    private Report run(Server server) throws Exception {
        Size size = setup.scale().of(Size.FULL, Size.QUICK, Size.TINY);
        new ManyRows(server, size, this).run();
        new OtherTables(server, size, this).run();
        new LongChurn(server, size, this).run();
        new ManyProcesses(server, size, this).run();
        List<String> notes = List.of(
                server.settings(),
                "cost: while messages are put, taken and finished at full speed and as many wait all the time; the large tables have as"
                        + " many finished rows as well; default options, default retention",
                "buffers: from EXPLAIN of Turno's take, rolled back; processes: one machine, so more of them share the same cores");
        return new Report(WORKLOAD, notes, figures, ratios, goals, violations);
    }

    Setup setup() {
        return setup;
    }

    void say(String what) {
        setup.progress().accept(what);
    }

    void figure(String what, String unit, double value) {
        figure(what, unit, List.of(value));
    }

    Figure figure(String what, String unit, List<Double> values) {
        Figure figure = new Figure(WORKLOAD + ", " + what, "turno", unit, values);
        figures.add(figure);
        return figure;
    }

    void ratio(String name, Ratio ratio) {
        ratios.put(name, ratio);
    }

    void goal(String name, double most, double value) {
        goals.add(Goal.atMost(name, most, value));
    }

    void require(boolean good, String otherwise) {
        if (!good) {
            violations.add(otherwise);
        }
    }
}
