package dev.turno.benchmarks.growth;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.benchmarks.server.Server;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** A minute of putting and handling at full speed, with and without a transaction that somebody holds open all the while. */
final class LongChurn {

    private static final int CONNECTIONS = 12;

    private final Server server;
    private final Growth.Size size;
    private final Growth growth;

    LongChurn(Server server, Growth.Size size, Growth growth) {
        this.server = server;
        this.size = size;
        this.growth = growth;
    }

    void run() throws Exception {
        churn("churn", false);
        churn("held transaction", true);
    }

    private void churn(String what, boolean held) throws Exception {
        try (FreshDatabase database = server.fresh();
                HikariDataSource pool = database.newPool(database.url(), CONNECTIONS);
                Connection holder = pool.getConnection()) {
            Rows.fill(pool, size.few(), 0);
            TakeCost take = new TakeCost(pool);
            take.prepare();
            Churn churn = new Churn(pool);
            churn.run(1, size.window().dividedBy(2)); // compiles
            int before = take.buffers();
            if (held) {
                hold(holder);
            }
            long wal = server.walBytes();
            long handledBefore = churn.handled();
            List<Double> rates = churn.run(size.windows(), size.window());
            figures(what, rates);
            growth.figure(
                    what,
                    "WAL bytes per message",
                    perMessage(server.walBytes() - wal, churn.handled() - handledBefore));
            growth.figure(what, "dead tuples at the end", (double) Rows.dead(pool));
            if (held) {
                release(holder);
            } else {
                int after = take.buffers();
                growth.figure(what + ", before", "buffers per take of " + TakeCost.LIMIT, before);
                growth.figure(what + ", after", "buffers per take of " + TakeCost.LIMIT, after);
                growth.figure(
                        what + ", after, from the beginning, once a second",
                        "buffers per take of " + TakeCost.LIMIT,
                        take.buffersFromTheBeginning());
                growth.goal("churn-buffers-per-take", 1.5, (double) after / before);
                commits(what, holder, pool, churn);
            }
            growth.goal(
                    held ? "held-transaction-slowdown" : "churn-slowdown",
                    1.5,
                    rates.get(0) / rates.get(rates.size() - 1));
        }
    }

    private static double perMessage(long all, long messages) {
        return (double) all / Math.max(1, messages);
    }

    /** It has a number of its own, so that nothing can be cleaned up that died after it began. */
    private static void hold(Connection holder) throws SQLException {
        holder.setAutoCommit(false);
        try (Statement statement = holder.createStatement();
                ResultSet unused = statement.executeQuery("select pg_current_xact_id(), count(*) from turno_inbox")) {
            unused.next();
        }
    }

    private static void release(Connection holder) throws SQLException {
        holder.rollback();
        holder.setAutoCommit(true);
    }

    private void figures(String what, List<Double> rates) {
        for (int i = 0; i < rates.size(); i++) {
            Duration from = size.window().multipliedBy(i);
            Duration to = size.window().multipliedBy(i + 1L);
            growth.figure(what + ", second " + from.toSeconds() + " to " + to.toSeconds(), "messages/s", rates.get(i));
        }
        growth.say(what + ": " + rates.stream().map(Math::round).toList() + " messages/s");
    }

    /** Sessions report their commits at their end. */
    private void commits(String what, Connection holder, HikariDataSource pool, Churn churn) throws SQLException {
        growth.require(
                Rows.areWhole(pool, size.few(), 0, churn.handled()),
                what + ": what was handled is not what is finished in the database");
        String name = holder.getCatalog();
        holder.close();
        pool.close();
        server.awaitNoSessions(name);
        growth.figure(what, "commits per message", perMessage(server.commits(name), churn.handled()));
    }
}
