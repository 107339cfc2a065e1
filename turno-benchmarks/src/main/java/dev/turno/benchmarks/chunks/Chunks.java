package dev.turno.benchmarks.chunks;

import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Ratio;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Rounds;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.runners.Sql;
import dev.turno.benchmarks.server.Server;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Rows read in pages of a thousand and written back, one transaction a page, on one thread. Contestants take turns, each with
 * a fresh table on the same server, after a pass that does not count.
 */
public final class Chunks {

    static final int PAGE = 1_000;
    static final int CONNECTIONS = 6;
    private static final String WORKLOAD = "read and update, pages of 1,000";
    private static final String RATE = "rows/s";

    private record Size(int rows, int rounds) {

        static final Size FULL = new Size(200_000, 15);
        static final Size QUICK = new Size(50_000, 3);
        static final Size TINY = new Size(2_000, 2);
    }

    private final Server server;
    private final Size size;
    private final Setup setup;
    private final Consumer<String> progress;
    private final Contestant items = new TurnoRuns("turno, step per item", false);
    private final Contestant pages = new TurnoRuns("turno, step per page", true);
    private final Contestant plainItems = new PlainLoop("plain loop, batch", false);
    private final Contestant plainPages = new PlainLoop("plain loop, set-based", true);
    private final Contestant cursor = new SpringBatch("Spring Batch, cursor", true);
    private final Contestant paging = new SpringBatch("Spring Batch, paging", false);
    private final List<Contestant> contestants = List.of(items, plainItems, cursor, paging, pages, plainPages);
    private final Map<Contestant, List<Double>> rates = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();

    private Chunks(Server server, Setup setup) {
        this.server = server;
        this.setup = setup;
        this.size = setup.scale().of(Size.FULL, Size.QUICK, Size.TINY);
        this.progress = setup.progress();
    }

    public static Report run(Setup setup) throws Exception {
        try (Server server = Server.start()) {
            return new Chunks(server, setup).run();
        }
    }

    private Report run() throws Exception {
        List<String> notes = List.of(
                server.settings(),
                size.rows() + " rows, " + size.rounds() + " rounds; the table is fresh for each pass",
                "Spring Batch 6.0.4: chunk-oriented step, JDBC job repository, JdbcCursorItemReader (streamed, fetch size"
                        + " 1,000) or JdbcPagingItemReader, JdbcBatchItemWriter with a statement setter",
                "turno: pages by key, read one ahead; plain loop: pages by key, no memory of where it was");
        notes.forEach(progress);
        for (Contestant contestant : contestants) {
            pass(contestant, size.rows());
        }
        Rounds rounds = setup.rounds(size.rounds());
        while (rounds.next()) {
            for (Contestant contestant : rounds.inTurns(contestants)) {
                double rate = pass(contestant, size.rows());
                rates.computeIfAbsent(contestant, key -> new ArrayList<>()).add(rate);
                progress.accept(String.format(
                        Locale.ROOT, "round %d: %s %,.0f rows/s", rounds.number(), contestant.who(), rate));
            }
        }
        return new Report("chunks", notes, figures(), ratios(), goals(), violations);
    }

    private double pass(Contestant contestant, int rows) throws Exception {
        try (FreshDatabase database = server.fresh();
                Connection connection = Sql.patient(database.dataSource())) {
            Account.create(connection, rows);
            try (Contestant.Instance instance = contestant.open(database)) {
                server.checkpoint();
                long start = System.nanoTime();
                instance.run();
                double seconds = (System.nanoTime() - start) / 1e9;
                judge(contestant, connection, rows);
                return rows / seconds;
            }
        }
    }

    private void judge(Contestant contestant, Connection connection, int rows) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from account where amount <> id + 1")) {
            row.next();
            if (row.getLong(1) > 0) {
                violations.add(contestant.who() + " left " + row.getLong(1) + " of " + rows
                        + " rows unchanged or changed them twice");
            }
        }
    }

    private Figure rate(Contestant contestant) {
        return new Figure(WORKLOAD, contestant.who(), RATE, rates.getOrDefault(contestant, List.of()));
    }

    private List<Figure> figures() {
        return contestants.stream().map(this::rate).toList();
    }

    /** Against whichever of its readers was faster. */
    private Ratio toSpringBatch(Contestant contestant) {
        return Ratio.least(
                List.of(rate(contestant).ratioTo(rate(cursor)), rate(contestant).ratioTo(rate(paging))));
    }

    private Map<String, Ratio> ratios() {
        Map<String, Ratio> ratios = new LinkedHashMap<>();
        ratios.put("step per item / Spring Batch (the faster)", toSpringBatch(items));
        ratios.put("step per item / plain batch loop", rate(items).ratioTo(rate(plainItems)));
        ratios.put("step per page / Spring Batch (the faster)", toSpringBatch(pages));
        ratios.put("step per page / plain set-based loop", rate(pages).ratioTo(rate(plainPages)));
        return ratios;
    }

    private List<Goal> goals() {
        return List.of(
                Goal.atLeast("item-to-spring-batch", 1, toSpringBatch(items)),
                Goal.atLeast("item-to-plain", 0.95, rate(items).ratioTo(rate(plainItems))),
                Goal.atLeast("page-to-spring-batch", 1.8, toSpringBatch(pages)),
                Goal.atLeast("page-to-plain", 0.85, rate(pages).ratioTo(rate(plainPages))));
    }
}
