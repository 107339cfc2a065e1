package dev.turno.benchmarks.throughput;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.benchmarks.runners.Runner;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A peer that stores its items itself, and so is given fewer of them. All of them have to be done. */
record PeerRunner(Runner runner, Load load) implements Contestant {

    private static final int AT_ONCE = 1_000;
    private static final Duration LOOK_EVERY = Duration.ofMillis(5);
    private static final Duration TO_SETTLE = Duration.ofSeconds(30);

    @Override
    public String who() {
        return runner.who();
    }

    @Override
    public int waiting(Sizes sizes) {
        return sizes.slow();
    }

    @Override
    public int wanted(Sizes sizes) {
        return sizes.slow();
    }

    @Override
    public void fill(FreshDatabase database, int waiting) throws Exception {
        try (HikariDataSource pool = database.newPool(database.url(), Runner.CONNECTIONS)) {
            runner.create(pool, database.kind());
            try (Runner.Node node = runner.open(pool, database.kind())) {
                for (int from = 0; from < waiting; from += AT_ONCE) {
                    node.putAll(from, Math.min(waiting, from + AT_ONCE));
                }
            }
        }
    }

    @Override
    public Pass handle(FreshDatabase database, int waiting, int wanted) throws Exception {
        Tally tally = new Tally(waiting);
        try (HikariDataSource pool = database.newPool(database.url(), Runner.CONNECTIONS)) {
            openAll(pool, Runner.CONNECTIONS);
            try (Runner.Node node = runner.open(pool, database.kind())) {
                long started = System.nanoTime();
                node.start(number -> {
                    load.bear();
                    tally.ran(number);
                });
                await(who(), tally, wanted, started);
                double seconds = (System.nanoTime() - started) / 1e9;
                return new Pass(wanted, seconds, violations(tally, settled(node)));
            }
        }
    }

    /** Fifty connections take a second to open, which is not to be measured. */
    static void openAll(HikariDataSource pool, int connections) throws SQLException {
        List<Connection> open = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            open.add(pool.getConnection());
        }
        for (Connection connection : open) {
            connection.close();
        }
    }

    static void await(String who, Tally tally, int wanted, long started) {
        while (tally.total() < wanted) {
            if (System.nanoTime() - started
                    > Duration.ofSeconds(PATIENCE_SECONDS).toNanos()) {
                throw new IllegalStateException(
                        who + " ran " + tally.total() + " of " + wanted + " in " + PATIENCE_SECONDS + " s.");
            }
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }

    /** What ran is written as finished a little later; the clock has been stopped by then, in the peer's favour. */
    private static long settled(Runner.Node node) throws Exception {
        long end = System.nanoTime() + TO_SETTLE.toNanos();
        long left = node.left();
        while (left > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
            left = node.left();
        }
        return left;
    }

    private List<String> violations(Tally tally, long left) {
        List<String> violations = new ArrayList<>(tally.violations(who()));
        if (left > 0) {
            violations.add(who() + ": " + left + " ran, but are not finished in the database");
        }
        return violations;
    }
}
