package dev.turno.benchmarks.throughput;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the machine commits: one row at a time into a table without an index, prepared once, as many connections as Turno has threads.
 *
 * @param inTransactions each row in a transaction that is begun and committed, as a handler's own is: two round trips instead of one
 */
record DurableCommits(boolean inTransactions) implements Contestant {

    @Override
    public String who() {
        return inTransactions ? "durable transactions" : "durable commits";
    }

    @Override
    public void fill(FreshDatabase database, int waiting) throws SQLException {
        OneRow.createTable(database);
    }

    @Override
    public Pass handle(FreshDatabase database, int waiting, int wanted) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(TurnoTransactions.THREADS);
        try (HikariDataSource pool = database.newPool(database.url(), TurnoTransactions.THREADS)) {
            PeerRunner.openAll(pool, TurnoTransactions.THREADS);
            AtomicInteger next = new AtomicInteger();
            List<Callable<Integer>> all = new ArrayList<>();
            for (int i = 0; i < TurnoTransactions.THREADS; i++) {
                all.add(() -> commit(pool, next, waiting));
            }
            long started = System.nanoTime();
            int committed = 0;
            for (Future<Integer> one : threads.invokeAll(all)) {
                committed += one.get();
            }
            double seconds = (System.nanoTime() - started) / 1e9;
            return new Pass(committed, seconds, OneRow.violations(who(), pool, waiting));
        } finally {
            threads.shutdownNow();
        }
    }

    private int commit(HikariDataSource pool, AtomicInteger next, int most) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement(OneRow.INSERT)) {
            connection.setAutoCommit(!inTransactions);
            int committed = 0;
            for (int number = next.getAndIncrement(); number < most; number = next.getAndIncrement()) {
                committed += OneRow.store(insert, number);
                if (inTransactions) {
                    connection.commit();
                }
            }
            return committed;
        }
    }
}
