package dev.turno.benchmarks.burst;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;

/** db-scheduler in its quickest form: lock and fetch, 50 threads, polling every 50 ms. */
final class DbSchedulerTasks implements Contestant {

    private static final String TASK = "bench";

    @Override
    public String who() {
        return "db-scheduler";
    }

    @Override
    public int warmUp() {
        return 10_000;
    }

    @Override
    public Duration leadTime(int tasks) {
        return Duration.ofSeconds(15);
    }

    /** The documented table. */
    @Override
    public void create(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
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

    /** The columns and values that its own client writes. */
    @Override
    public void schedule(HikariDataSource pool, Plan plan) throws SQLException {
        try (Connection connection = pool.getConnection();
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
        Scheduler.create(pool, task)
                .threads(50)
                .pollUsingLockAndFetch(0.5, 4.0)
                .pollingInterval(Duration.ofMillis(50))
                .build()
                .start();
    }
}
