package dev.turno.benchmarks.throughput;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.turno.benchmarks.runners.DbSchedulerRunner;
import dev.turno.benchmarks.runners.Runner;
import dev.turno.benchmarks.runners.Sql;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * db-scheduler in its quickest form: lock and fetch in one statement, 50 threads with a connection each, one-time tasks without
 * data, no index that it does not need here (that on priority), priority off.
 */
final class DbScheduler implements Contestant {

    private static final String TASK = "bench";

    private final Load load;
    private final boolean stores;

    DbScheduler(Load load) {
        this(load, false);
    }

    /** @param stores a row in each execution, committed by itself: it has no way to finish in the same transaction */
    DbScheduler(Load load, boolean stores) {
        this.load = load;
        this.stores = stores;
    }

    @Override
    public String who() {
        return "db-scheduler";
    }

    @Override
    public int wanted(Sizes sizes) {
        return sizes.peer();
    }

    @Override
    public void fill(FreshDatabase database, int waiting) throws SQLException {
        try (HikariDataSource pool = database.newPool(database.url(), 1)) {
            DbSchedulerRunner.createTable(pool, database.kind());
            try (Connection connection = Sql.patient(pool)) {
                schedule(connection, waiting);
            }
            InboxRows.analyze(pool, "scheduled_tasks");
        }
        OneRow.createTable(database);
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
        try (HikariDataSource pool = database.newPool(database.url(), Runner.CONNECTIONS);
                HikariDataSource counting = database.newPool(database.url(), 1)) {
            PeerRunner.openAll(pool, Runner.CONNECTIONS);
            OneTimeTask<Void> task = Tasks.oneTime(TASK).execute((instance, context) -> {
                load.bear();
                store(pool, instance.getId());
                tally.ran(instance.getId());
            });
            Scheduler scheduler = DbSchedulerRunner.polling(Scheduler.create(pool, task), true)
                    .build();
            long started = System.nanoTime();
            scheduler.start();
            PeerRunner.await(who(), tally, wanted, started);
            double seconds = (System.nanoTime() - started) / 1e9;
            int finished = waiting - left(counting);
            scheduler.stop();
            List<String> violations = violations(tally, waiting - left(counting));
            if (stores) {
                violations.addAll(OneRow.violations(who(), counting, waiting - left(counting)));
            }
            return new Pass(finished, seconds, violations);
        }
    }

    private void store(DataSource source, String id) {
        if (!stores) {
            return;
        }
        try (Connection connection = source.getConnection()) {
            OneRow.store(connection, Tally.number(id));
        } catch (SQLException e) {
            throw new IllegalStateException("The row of " + id + " was not stored.", e);
        }
    }

    /** Its table has no rows but those not finished. Asked after the clock was stopped: a few too many count, in its favour. */
    private static int left(HikariDataSource source) throws SQLException {
        return (int) Sql.number(source, "select count(*) from scheduled_tasks");
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
