package dev.turno.benchmarks.runners;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * db-scheduler in its quickest form: 50 threads with a connection each, one-time tasks without data, what is scheduled in the same
 * process executed at once, either of its two ways of polling.
 */
public record DbSchedulerRunner(String who, boolean lockAndFetch) implements Runner {

    private static final String TASK = "bench";
    public static final Duration POLL = Duration.ofMillis(50);

    @Override
    public String settings() {
        return who + " 16.12.0: " + (lockAndFetch ? "lock-and-fetch (0.5, 4.0)" : "fetch (0.5, 4.0)") + ", " + THREADS
                + " threads, pool of " + CONNECTIONS + ", poll 50 ms, immediate execution";
    }

    /** It locks and fetches in one statement on PostgreSQL, not on H2 or MariaDB. */
    @Override
    public boolean runsOn(TestDatabase kind) {
        return !lockAndFetch || kind == TestDatabase.POSTGRESQL;
    }

    @Override
    public void create(HikariDataSource pool, TestDatabase kind) throws SQLException {
        createTable(pool, kind);
    }

    /** The documented table, without the index on priority, which it does not need here. */
    public static void createTable(HikariDataSource pool, TestDatabase kind) throws SQLException {
        String name = kind == TestDatabase.POSTGRESQL ? "text" : "varchar(100)";
        String moment = kind == TestDatabase.MARIADB ? "timestamp(6)" : "timestamp with time zone";
        String bytes = kind == TestDatabase.POSTGRESQL ? "bytea" : "blob";
        Sql.execute(
                pool,
                """
                create table scheduled_tasks (
                    task_name %1$s not null,
                    task_instance %1$s not null,
                    task_data %3$s,
                    execution_time %2$s not null,
                    picked boolean not null,
                    picked_by %1$s,
                    last_success %2$s null,
                    last_failure %2$s null,
                    consecutive_failures int,
                    last_heartbeat %2$s null,
                    version bigint not null,
                    priority smallint,
                    primary key (task_name, task_instance))""".formatted(name, moment, bytes),
                "create index execution_time_idx on scheduled_tasks (execution_time)",
                "create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)");
    }

    /** How it polls: the same wherever it is measured. */
    public static SchedulerBuilder polling(SchedulerBuilder builder, boolean lockAndFetch) {
        SchedulerBuilder polling = builder.threads(THREADS).pollingInterval(POLL);
        return lockAndFetch ? polling.pollUsingLockAndFetch(0.5, 4.0) : polling.pollUsingFetch(0.5, 4.0);
    }

    @Override
    public Node open(HikariDataSource pool, TestDatabase kind) {
        OneTimeTask<Void> task =
                Tasks.oneTime(TASK).execute((instance, context) -> Ran.item(Integer.parseInt(instance.getId())));
        Scheduler scheduler = polling(Scheduler.create(pool, task), lockAndFetch)
                .enableImmediateExecution()
                .build();
        return new Node() {
            @Override
            public void put(int number) {
                scheduler.schedule(task.instance(Integer.toString(number)), Instant.now());
            }

            @Override
            public void putAll(int from, int to) {
                List<TaskInstance<?>> all = IntStream.range(from, to)
                        .<TaskInstance<?>>mapToObj(number -> task.instance(Integer.toString(number)))
                        .toList();
                scheduler.scheduleBatch(all, Instant.now());
            }

            @Override
            public void start(IntConsumer ran) {
                Ran.tell(ran);
                scheduler.start();
            }

            @Override
            public long left() throws SQLException {
                return Sql.number(pool, "select count(*) from scheduled_tasks");
            }

            @Override
            public void close() {
                scheduler.stop();
            }
        };
    }
}
