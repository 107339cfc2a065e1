package dev.turno.benchmarks.growth;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Medians;
import dev.turno.benchmarks.run.Rounds;
import dev.turno.benchmarks.server.Server;
import dev.turno.inbox.Inbox;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Tables of three sizes at once, in turns: what a message costs from put to finish, what a put costs, how many pages a take touches. */
final class ManyRows {

    private static final int CONNECTIONS = 12;
    private static final int PUTS = 500;

    private final Server server;
    private final Growth.Size size;
    private final Growth growth;

    ManyRows(Server server, Growth.Size size, Growth growth) {
        this.server = server;
        this.size = size;
        this.growth = growth;
    }

    /** One of the tables. The small one has no history. */
    private final class Table implements AutoCloseable {

        private final int rows;
        private final int finished;
        private final FreshDatabase database = server.fresh();
        private final HikariDataSource pool = database.newPool(database.url(), CONNECTIONS);
        private final Churn churn = new Churn(pool);
        private final List<Double> cost = new ArrayList<>();
        private final List<Double> put = new ArrayList<>();
        private int puts;

        Table(int rows) throws SQLException {
            this.rows = rows;
            this.finished = rows == size.few() ? 0 : rows;
            Rows.fill(pool, rows, finished);
            growth.say("filled in %,d rows".formatted(rows + finished));
        }

        int buffers() throws SQLException {
            TakeCost take = new TakeCost(pool);
            take.prepare();
            int buffers = take.buffers();
            growth.figure(title(), "buffers per take of " + TakeCost.LIMIT, buffers);
            return buffers;
        }

        void round() throws Exception {
            double rate = churn.run(1, window()).get(0);
            cost.add(1e6 / rate);
            put.add(micros());
            growth.say(String.format(
                    Locale.ROOT, "%s: %.1f us a message, %.0f us a put", title(), 1e6 / rate, put.get(put.size() - 1)));
        }

        private double micros() throws SQLException {
            try (Turno turno = Turno.start(pool)) {
                Inbox inbox = turno.inbox(Rows.INBOX);
                List<Double> all = new ArrayList<>();
                for (int i = 0; i < PUTS; i++) {
                    long started = System.nanoTime();
                    inbox.put("p-" + puts++, "{\"order\":1}");
                    all.add((System.nanoTime() - started) / 1e3);
                }
                return Medians.of(all);
            }
        }

        private String title() {
            return finished == 0
                    ? "%,d waiting".formatted(rows)
                    : "%,d waiting and %,d finished".formatted(rows, finished);
        }

        Figure cost() {
            return growth.figure(title(), "us per message", cost);
        }

        Figure put() {
            return growth.figure(title(), "us per put", put);
        }

        @Override
        public void close() throws SQLException {
            growth.require(
                    Rows.areWhole(pool, rows, finished, churn.handled()),
                    title() + ": what was handled is not what is finished in the database");
            pool.close();
            database.close();
        }
    }

    private Duration window() {
        return size.window().dividedBy(2);
    }

    void run() throws Exception {
        try (Table small = new Table(size.rows().get(0));
                Table middle = new Table(size.rows().get(1));
                Table large = new Table(size.rows().get(2))) {
            int few = small.buffers();
            growth.goal("growth-buffers-per-take", 1.3, (double) large.buffers() / few);
            small.churn.run(1, window()); // compiles
            Rounds rounds = growth.setup().rounds(size.rounds(), 0.3);
            while (rounds.next()) {
                for (Table table : rounds.inTurns(List.of(small, middle, large))) {
                    table.round();
                }
            }
            tell(small, middle, large);
        }
    }

    private void tell(Table small, Table middle, Table large) {
        Figure costOfFew = small.cost();
        Figure costAmongSome = middle.cost();
        Figure costOfMany = large.cost();
        growth.ratio("cost per message, middle / small table", costAmongSome.ratioTo(costOfFew));
        growth.ratio("cost per message, large / small table", costOfMany.ratioTo(costOfFew));
        growth.goal(
                "growth-cost-per-message", 1.3, costOfMany.ratioTo(costOfFew).median());
        Figure putToFew = small.put();
        Figure putToMany = large.put();
        growth.ratio("cost per put, large / small table", putToMany.ratioTo(putToFew));
        growth.goal("growth-cost-per-put", 1.3, putToMany.ratioTo(putToFew).median());
    }
}
