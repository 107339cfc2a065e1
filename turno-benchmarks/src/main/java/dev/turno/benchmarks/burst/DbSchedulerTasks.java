package dev.turno.benchmarks.burst;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.turno.benchmarks.runners.DbSchedulerRunner;
import dev.turno.benchmarks.runners.Sql;
import dev.turno.benchmarks.runners.Starts;
import dev.turno.testkit.database.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;

/** db-scheduler in its quickest form, either of its two ways of polling: 50 threads, polling every 50 ms. */
record DbSchedulerTasks(String who, boolean lockAndFetch) implements Contestant {

    private static final String TASK = "bench";

    @Override
    public int warmUp() {
        return 10_000;
    }

    @Override
    public Duration leadTime(int tasks) {
        return Duration.ofSeconds(15);
    }

    @Override
    public void create(HikariDataSource pool) throws SQLException {
        DbSchedulerRunner.createTable(pool, TestDatabase.POSTGRESQL);
    }

    /** The columns and values that its own client writes. */
    @Override
    public void schedule(HikariDataSource pool, Plan plan) throws SQLException {
        try (Connection connection = Sql.patient(pool);
                PreparedStatement insert = connection.prepareStatement("""
                insert into scheduled_tasks (task_name, task_instance, task_data, execution_time, picked, version)
                select ?, cast(n as text), null, case when n < ? then cast(? as timestamptz) else cast(? as timestamptz) end,
                       false, 1 from generate_series(0, ? - 1) n""")) {
            insert.setString(1, TASK);
            insert.setInt(2, plan.tasks());
            insert.setTimestamp(3, Timestamp.from(plan.at()));
            insert.setTimestamp(4, Timestamp.from(plan.warmUpAt()));
            insert.setInt(5, plan.all());
            insert.executeUpdate();
        }
    }

    @Override
    public void run(HikariDataSource pool) {
        OneTimeTask<Void> task =
                Tasks.oneTime(TASK).execute((instance, context) -> Starts.started(Integer.parseInt(instance.getId())));
        DbSchedulerRunner.polling(Scheduler.create(pool, task), lockAndFetch)
                .build()
                .start();
    }
}
