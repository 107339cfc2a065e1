package dev.turno.benchmarks.throughput;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * db-scheduler in its quickest form: lock and fetch in one statement, 50 threads with a connection each, one-time tasks without
 * data, no index that it does not need here (that on priority), priority off.
 */
final class DbScheduler implements Contestant {

    private static final int THREADS = 50;
    private static final int CONNECTIONS = THREADS + 10;
    private static final String TASK = "bench";
    private static final Duration LOOK_EVERY = Duration.ofMillis(5);

    @Override
    public String who() {
        return "db-scheduler";
    }

    @Override
    public void fill(FreshDatabase database, int waiting) throws SQLException {
        try (HikariDataSource pool = database.newPool(database.url(), 1)) {
            try (Connection connection = pool.getConnection()) {
                create(connection);
                schedule(connection, waiting);
            }
            InboxRows.analyze(pool, "scheduled_tasks");
        }
    }

    /** The documented table. */
    private static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    create table scheduled_tasks (
                        task_name text not null,
                        task_instance text not null,
                        task_data bytea,
                        execution_time timestamp with time zone not null,
                        picked boolean not null,
                        picked_by text,
                        last_success timestamp with time zone,
                        last_failure timestamp with time zone,
                        consecutive_failures int,
                        last_heartbeat timestamp with time zone,
                        version bigint not null,
                        priority smallint,
                        primary key (task_name, task_instance))""");
            statement.execute("create index execution_time_idx on scheduled_tasks (execution_time)");
            statement.execute("create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)");
        }
    }

    /** The columns and values that its own client writes; due one after the other, all of them in the past. */
    private static void schedule(Connection connection, int waiting) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                insert into scheduled_tasks (task_name, task_instance, task_data, execution_time, picked, version)
                select ?, 'm-' || lpad(cast(n as text), 7, '0'), null,
                       now() - interval '1 hour' + n * interval '1 millisecond', false, 1
                  from generate_series(0, ? - 1) n""")) {
            insert.setString(1, TASK);
            insert.setInt(2, waiting);
            insert.executeUpdate();
        }
    }

    @Override
    public Pass handle(FreshDatabase database, int waiting, int wanted) throws Exception {
        Tally tally = new Tally(waiting);
        OneTimeTask<Void> task = Tasks.oneTime(TASK).execute((instance, context) -> tally.ran(instance.getId()));
        try (HikariDataSource pool = database.newPool(database.url(), CONNECTIONS);
                HikariDataSource counting = database.newPool(database.url(), 1)) {
            openAll(pool);
            Scheduler scheduler = Scheduler.create(pool, task)
                    .threads(THREADS)
                    .pollUsingLockAndFetch(0.5, 4.0)
                    .pollingInterval(Duration.ofMillis(50))
                    .build();
            long started = System.nanoTime();
            scheduler.start();
            awaitRuns(tally, wanted, started);
            double seconds = (System.nanoTime() - started) / 1e9;
            int finished = waiting - left(counting);
            scheduler.stop();
            return new Pass(finished, seconds, violations(tally, waiting - left(counting)));
        }
    }

    /** Fifty connections take a second to open, which is not to be measured. */
    private static void openAll(HikariDataSource pool) throws SQLException {
        List<Connection> open = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            open.add(pool.getConnection());
        }
        for (Connection connection : open) {
            connection.close();
        }
    }

    private static void awaitRuns(Tally tally, int wanted, long started) {
        while (tally.total() < wanted) {
            if (System.nanoTime() - started
                    > Duration.ofSeconds(PATIENCE_SECONDS).toNanos()) {
                throw new IllegalStateException(
                        "db-scheduler ran " + tally.total() + " of " + wanted + " in " + PATIENCE_SECONDS + " s.");
            }
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }

    /** Its table has no rows but those not finished. Asked after the clock was stopped: a few too many count, in its favour. */
    private static int left(HikariDataSource source) throws SQLException {
        return (int) InboxRows.number(source, "select count(*) from scheduled_tasks");
    }

    private List<String> violations(Tally tally, int finished) {
        List<String> violations = new ArrayList<>();
        if (tally.ranTwice() > 0) {
            violations.add(who() + ": " + tally.ranTwice() + " executions ran more than once");
        }
        if (tally.total() != finished) {
            violations.add(who() + ": " + tally.total() + " executions ran, but " + finished + " are finished");
        }
        return violations;
    }
}
