package dev.turno.benchmarks.throughput;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.benchmarks.server.TurnoStatement;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * What the statements themselves cost: Turno's take and finish, word for word, 500 rows at a time, prepared once, on two
 * connections that overlap as Turno's do. No handler threads, no leases, no retries: nobody can be much faster with these statements.
 */
final class BareLoop implements Contestant {

    /** One fence is enough: nobody has taken these messages before. */
    private record Batch(List<Long> ids, long fence, long newestPut) {

        int size() {
            return ids.size();
        }
    }

    private static final int BATCH = 500;
    private static final int BATCHES_BETWEEN = 2;
    private static final long HOLDER = 4711;
    private static final Batch LAST = new Batch(List.of(), 0, 0);

    private final String who;
    private final boolean keep;
    private final TurnoStatement take = TurnoStatement.named("take");
    private final TurnoStatement finish;

    BareLoop(String who, boolean keep) {
        this.who = who;
        this.keep = keep;
        this.finish = TurnoStatement.named(keep ? "done" : "done-gone");
    }

    @Override
    public String who() {
        return who;
    }

    @Override
    public void fill(FreshDatabase database, int waiting) throws SQLException {
        InboxRows.fill(database, waiting);
    }

    @Override
    public Pass handle(FreshDatabase database, int waiting, int wanted) throws Exception {
        Tally tally = new Tally(waiting);
        try (HikariDataSource pool = database.newPool(database.url(), 2)) {
            double seconds;
            try (Connection taking = pool.getConnection();
                    Connection finishing = pool.getConnection()) {
                long inbox = register(taking);
                BlockingQueue<Batch> between = new ArrayBlockingQueue<>(BATCHES_BETWEEN);
                FutureTask<Integer> taker = new FutureTask<>(() -> takeAll(taking, inbox, between, tally));
                long started = System.nanoTime();
                Thread thread = new Thread(taker, "bare-take");
                thread.setDaemon(true);
                thread.start();
                finishAll(finishing, inbox, between);
                seconds = (System.nanoTime() - started) / 1e9;
                taker.get();
            }
            return new Pass(waiting, seconds, InboxRows.violations(who, pool, tally, waiting, keep));
        }
    }

    /** The take asks whether its holder lives. */
    private static long register(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("insert into turno_holder (id, namespace, node, started_at, lease_until) values ("
                    + HOLDER + ", 'default', 'bare', now(), now() + interval '1 hour')");
            try (ResultSet result = statement.executeQuery("select id from turno_inbox_setting")) {
                result.next();
                return result.getLong(1);
            }
        }
    }

    private int takeAll(Connection connection, long inbox, BlockingQueue<Batch> between, Tally tally) throws Exception {
        int taken = 0;
        try (PreparedStatement prepared = take.prepare(connection)) {
            long floor = 0;
            for (Batch batch = take(prepared, inbox, floor, tally);
                    batch.size() > 0;
                    batch = take(prepared, inbox, floor, tally)) {
                taken += batch.size();
                floor = batch.newestPut();
                put(between, batch);
            }
        } finally {
            put(between, LAST);
        }
        return taken;
    }

    private static void put(BlockingQueue<Batch> between, Batch batch) throws InterruptedException {
        if (!between.offer(batch, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The bare loop's finisher is stuck.");
        }
    }

    private Batch take(PreparedStatement prepared, long inbox, long floor, Tally tally) throws SQLException {
        take.bind(
                prepared,
                Map.of(
                        "inbox",
                        inbox,
                        "holder",
                        HOLDER,
                        "limit",
                        BATCH,
                        "max_run_us",
                        TimeUnit.MINUTES.toMicros(5),
                        "floors_us",
                        Collections.nCopies(10, floor),
                        "in_slots",
                        false));
        List<Long> ids = new ArrayList<>(BATCH);
        long fence = 0;
        long newestPut = 0;
        take.run(prepared);
        try (ResultSet result = prepared.getResultSet()) {
            int idColumn = result.findColumn("id");
            int fenceColumn = result.findColumn("fence");
            int nameColumn = result.findColumn("message_id");
            int putColumn = result.findColumn("put_at");
            while (result.next()) {
                ids.add(result.getLong(idColumn));
                fence = result.getLong(fenceColumn);
                newestPut = Math.max(
                        newestPut,
                        TimeUnit.MILLISECONDS.toMicros(
                                result.getTimestamp(putColumn).getTime()));
                tally.ran(result.getString(nameColumn));
            }
        }
        return new Batch(ids, fence, newestPut);
    }

    private void finishAll(Connection connection, long inbox, BlockingQueue<Batch> between) throws Exception {
        try (PreparedStatement prepared = finish.prepare(connection)) {
            for (Batch batch = next(between); batch.size() > 0; batch = next(between)) {
                finish.bind(
                        prepared, Map.of("inbox", inbox, "ids", batch.ids(), "fence", batch.fence(), "in_lane", false));
                int finished = finish(prepared);
                if (finished != batch.size()) {
                    throw new IllegalStateException("Of " + batch.size() + " rows " + finished + " were finished.");
                }
            }
        }
    }

    private static Batch next(BlockingQueue<Batch> between) throws InterruptedException {
        Batch batch = between.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (batch == null) {
            throw new IllegalStateException(
                    "The bare loop took nothing for " + Duration.ofSeconds(PATIENCE_SECONDS) + ".");
        }
        return batch;
    }

    /** One way of finishing returns its rows, the other only counts them. */
    private int finish(PreparedStatement prepared) throws SQLException {
        finish.run(prepared);
        try (ResultSet result = prepared.getResultSet()) {
            if (result == null) {
                return prepared.getUpdateCount();
            }
            int rows = 0;
            while (result.next()) {
                rows++;
            }
            return rows;
        }
    }
}
