package dev.turno.benchmarks.growth;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.benchmarks.postgres.Server;
import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Report;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Taking 50 messages from a small inbox, from a large one with a long history, and before and after churn. */
public final class Growth {

    static final String INBOX = "bench";
    private static final String WORKLOAD = "growth";
    private static final String BUFFERS = "buffers per take of " + TakeCost.LIMIT;
    private static final int CONNECTIONS = 12;

    private record Size(int few, int many, int windows, Duration window) {

        static final Size FULL = new Size(10_000, 1_000_000, 6, Duration.ofSeconds(10));
        static final Size QUICK = new Size(10_000, 200_000, 4, Duration.ofSeconds(5));
    }

    private final Server server;
    private final Size size;
    private final Consumer<String> progress;
    private final List<Figure> figures = new ArrayList<>();
    private final Map<String, Double> ratios = new LinkedHashMap<>();
    private final List<Goal> goals = new ArrayList<>();

    private Growth(Server server, Size size, Consumer<String> progress) {
        this.server = server;
        this.size = size;
        this.progress = progress;
    }

    public static Report run(boolean quick, Consumer<String> progress) throws Exception {
        try (Server server = Server.start()) {
            return new Growth(server, quick ? Size.QUICK : Size.FULL, progress).run();
        }
    }

    private Report run() throws Exception {
        grow();
        churn();
        String note =
                "growth: buffers from EXPLAIN of Turno's take, rolled back; churn with 10,000 waiting, default retention; "
                        + server.settings();
        return new Report(WORKLOAD, List.of(note), figures, ratios, goals, List.of());
    }

    private void grow() throws SQLException {
        int few = measured("few waiting", size.few(), 0);
        int many = measured("many waiting and finished", size.many(), size.many());
        figure("%,d waiting".formatted(size.few()), BUFFERS, few);
        figure("%,d waiting, %,d finished".formatted(size.many(), size.many()), BUFFERS, many);
        compare("growth-buffers", (double) many / few, 1.3);
    }

    private int measured(String what, int waiting, int finished) throws SQLException {
        try (FreshDatabase database = server.fresh();
                HikariDataSource pool = database.newPool(database.url(), CONNECTIONS)) {
            define(pool);
            insert(pool, finished, "DONE");
            insert(pool, waiting, "PENDING");
            execute(pool, "vacuum analyze turno_inbox");
            TakeCost cost = new TakeCost(pool);
            cost.prepare();
            int buffers = cost.buffers();
            progress.accept(what + ": " + buffers + " " + BUFFERS);
            return buffers;
        }
    }

    private static void define(DataSource source) {
        try (Turno turno = Turno.open(source, TurnoOptions.defaults())) {
            turno.inbox(INBOX);
        }
    }

    /** A million rows take longer than the testkit's connections wait for an answer. */
    private static Connection patient(DataSource source) throws SQLException {
        Connection connection = source.getConnection();
        connection.setNetworkTimeout(Runnable::run, (int) Duration.ofMinutes(10).toMillis());
        return connection;
    }

    private static void insert(DataSource source, int count, String state) throws SQLException {
        try (Connection connection = patient(source);
                PreparedStatement insert = connection.prepareStatement("""
                        insert into turno_inbox (inbox_id, message_id, class, state, turn_at, fence, attempt, put_at, finished_at, body)
                        select s.id, lower(r.state) || '-' || n, 4, r.state,
                               case when r.state = 'PENDING' then now() - interval '1 hour' + n * interval '1 millisecond' end,
                               case when r.state = 'PENDING' then 0 else 1 end,
                               case when r.state = 'PENDING' then 0 else 1 end,
                               now() - interval '1 hour',
                               case when r.state <> 'PENDING' then now() - interval '1 hour' + n * interval '1 millisecond' end,
                               '{"order":' || n || '}'
                          from turno_inbox_setting s, (select cast(? as text) as state) r, generate_series(1, ?) n
                         where s.inbox = ?""")) {
            insert.setString(1, state);
            insert.setInt(2, count);
            insert.setString(3, INBOX);
            insert.executeUpdate();
        }
    }

    private void churn() throws Exception {
        try (FreshDatabase database = server.fresh();
                HikariDataSource pool = database.newPool(database.url(), CONNECTIONS)) {
            define(pool);
            insert(pool, size.few(), "PENDING");
            execute(pool, "vacuum analyze turno_inbox");
            TakeCost cost = new TakeCost(pool);
            cost.prepare();
            int before = cost.buffers();
            List<Double> rates = new Churn(pool).run(size.windows(), size.window());
            long dead = deadTuples(pool);
            int after = cost.buffers();
            figure("after churn, from the beginning, once a second", BUFFERS, cost.buffersFromTheBeginning());
            tell(rates, before, after, dead);
        }
    }

    private void tell(List<Double> rates, int before, int after, long dead) {
        for (int i = 0; i < rates.size(); i++) {
            long from = size.window().multipliedBy(i).toSeconds();
            long to = size.window().multipliedBy(i + 1L).toSeconds();
            figure("churn, second " + from + " to " + to, "messages/s", rates.get(i));
        }
        figure("before churn", BUFFERS, before);
        figure("after churn", BUFFERS, after);
        figure("after churn", "dead tuples", (double) dead);
        compare("churn-slowdown", rates.get(0) / rates.get(rates.size() - 1), 1.5);
        compare("churn-buffers", (double) after / before, 1.5);
        progress.accept("churn: "
                + rates.stream().map(rate -> String.valueOf(Math.round(rate))).toList() + " messages/s, buffers "
                + before + " before and " + after + " after, " + dead + " dead tuples");
    }

    private void figure(String who, String unit, double value) {
        figures.add(Figure.of(WORKLOAD, who, unit, value));
    }

    private void compare(String name, double ratio, double most) {
        ratios.put(name, ratio);
        goals.add(Goal.atMost(name, most, ratio));
    }

    private static long deadTuples(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(
                        "select n_dead_tup from pg_stat_user_tables where relname = 'turno_inbox'")) {
            result.next();
            return result.getLong(1);
        }
    }

    private static void execute(DataSource source, String sql) throws SQLException {
        try (Connection connection = patient(source);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
