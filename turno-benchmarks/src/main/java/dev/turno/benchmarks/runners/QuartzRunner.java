package dev.turno.benchmarks.runners;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.IntConsumer;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** Quartz, clustered, with its JDBC store: 50 threads, 50 triggers at a time, looking again after a second, the least it allows. */
public record QuartzRunner() implements Runner {

    private static final Duration LEAST_IDLE_WAIT = Duration.ofSeconds(1);

    /** What Quartz runs; made by Quartz itself. */
    public static final class BenchJob implements Job {

        public BenchJob() {}

        @Override
        public void execute(JobExecutionContext context) {
            Ran.item(Integer.parseInt(context.getJobDetail().getKey().getName()));
        }
    }

    private record Pooled(HikariDataSource pool) implements ConnectionProvider {

        @Override
        public Connection getConnection() throws SQLException {
            return pool.getConnection();
        }

        @Override
        public void shutdown() {}

        @Override
        public void initialize() {}
    }

    @Override
    public String who() {
        return "quartz";
    }

    @Override
    public String settings() {
        return "quartz 2.5.2: clustered, " + THREADS + " threads, 50 triggers at a time, idle wait 1 s";
    }

    /** The script that Quartz brings along. */
    @Override
    public void create(HikariDataSource pool, TestDatabase kind) {
        String script = switch (kind) {
            case POSTGRESQL -> "postgres";
            case MARIADB -> "mysql_innodb";
            case H2 -> "h2";
        };
        ResourceDatabasePopulator tables = new ResourceDatabasePopulator(
                new ClassPathResource("org/quartz/impl/jdbcjobstore/tables_" + script + ".sql"));
        tables.setCommentPrefixes("--", "#");
        tables.execute(pool);
    }

    @Override
    public Node open(HikariDataSource pool, TestDatabase kind) throws SchedulerException {
        Scheduler scheduler = scheduler(pool, kind, LEAST_IDLE_WAIT);
        return new Node() {
            @Override
            public void put(int number) throws SchedulerException {
                scheduler.scheduleJob(job(number), trigger(number));
            }

            @Override
            public void putAll(int from, int to) throws SchedulerException {
                Map<JobDetail, Set<? extends Trigger>> jobs = new HashMap<>();
                for (int number = from; number < to; number++) {
                    jobs.put(job(number), Set.of(trigger(number)));
                }
                scheduler.scheduleJobs(jobs, false);
            }

            @Override
            public void start(IntConsumer ran) throws SchedulerException {
                QuartzRunner.start(scheduler, ran);
            }

            @Override
            public long left() throws SQLException {
                return Sql.number(pool, "select count(*) from QRTZ_TRIGGERS");
            }

            @Override
            public void close() {
                try {
                    scheduler.shutdown(true);
                } catch (SchedulerException e) {
                    throw new IllegalStateException("Quartz did not end.", e);
                }
            }
        };
    }

    public static void start(Scheduler scheduler, IntConsumer ran) throws SchedulerException {
        Ran.tell(ran);
        scheduler.start();
    }

    public static JobDetail job(int number) {
        return JobBuilder.newJob(BenchJob.class)
                .withIdentity(Integer.toString(number))
                .build();
    }

    private static Trigger trigger(int number) {
        return TriggerBuilder.newTrigger()
                .withIdentity(Integer.toString(number))
                .startNow()
                .build();
    }

    /** @param idleWait how long it waits before it looks for new triggers again; it also looks so far ahead */
    public static Scheduler scheduler(HikariDataSource pool, TestDatabase kind, Duration idleWait)
            throws SchedulerException {
        DBConnectionManager.getInstance().addConnectionProvider("bench", new Pooled(pool));
        Properties settings = new Properties();
        settings.setProperty("org.quartz.scheduler.instanceName", "bench");
        settings.setProperty("org.quartz.scheduler.instanceId", "AUTO");
        settings.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        settings.setProperty("org.quartz.scheduler.idleWaitTime", Long.toString(idleWait.toMillis()));
        settings.setProperty("org.quartz.scheduler.batchTriggerAcquisitionMaxCount", "50");
        settings.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        settings.setProperty("org.quartz.threadPool.threadCount", Integer.toString(THREADS));
        settings.setProperty("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
        settings.setProperty(
                "org.quartz.jobStore.driverDelegateClass",
                kind == TestDatabase.POSTGRESQL
                        ? "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate"
                        : "org.quartz.impl.jdbcjobstore.StdJDBCDelegate");
        settings.setProperty("org.quartz.jobStore.dataSource", "bench");
        settings.setProperty("org.quartz.jobStore.isClustered", "true");
        settings.setProperty("org.quartz.jobStore.acquireTriggersWithinLock", "true");
        settings.setProperty("org.quartz.jobStore.misfireThreshold", "600000");
        return new StdSchedulerFactory(settings).getScheduler();
    }
}
