package dev.turno.benchmarks.burst;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.benchmarks.runners.Starts;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
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

/** Quartz, clustered, with its JDBC store, 50 threads, and triggers acquired 50 at a time. */
final class QuartzJobs implements Contestant {

    /** What Quartz runs; made by Quartz itself. */
    public static final class BenchJob implements Job {

        public BenchJob() {}

        @Override
        public void execute(JobExecutionContext context) {
            Starts.started(Integer.parseInt(context.getJobDetail().getKey().getName()));
        }
    }

    private record Pooled(HikariDataSource pool) implements ConnectionProvider {

        @Override
        public Connection getConnection() throws java.sql.SQLException {
            return pool.getConnection();
        }

        @Override
        public void shutdown() {}

        @Override
        public void initialize() {}
    }

    private static final int AT_ONCE = 500;

    @Override
    public String who() {
        return "quartz";
    }

    @Override
    public Duration leadTime(int tasks) {
        return Duration.ofSeconds(30 + tasks / 250);
    }

    /** The script that Quartz brings along. */
    @Override
    public void create(HikariDataSource pool) throws Exception {
        try (InputStream script = Job.class.getResourceAsStream("/org/quartz/impl/jdbcjobstore/tables_postgres.sql");
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            if (script == null) {
                throw new IllegalStateException("Quartz did not bring its tables along.");
            }
            statement.execute(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Override
    public void schedule(HikariDataSource pool, Plan plan) throws SchedulerException {
        Scheduler scheduler = scheduler(pool);
        Map<JobDetail, Set<? extends Trigger>> jobs = new HashMap<>();
        for (int number = 0; number < plan.all(); number++) {
            JobDetail job = JobBuilder.newJob(BenchJob.class)
                    .withIdentity(Integer.toString(number))
                    .build();
            Trigger trigger = TriggerBuilder.newTrigger()
                    .withIdentity(Integer.toString(number))
                    .startAt(Date.from(plan.at(number)))
                    .build();
            jobs.put(job, Set.of(trigger));
            if (jobs.size() == AT_ONCE || number == plan.all() - 1) {
                scheduler.scheduleJobs(jobs, false);
                jobs.clear();
            }
        }
        scheduler.shutdown();
    }

    @Override
    public void run(HikariDataSource pool) throws SchedulerException {
        scheduler(pool).start();
    }

    private static Scheduler scheduler(HikariDataSource pool) throws SchedulerException {
        DBConnectionManager.getInstance().addConnectionProvider("bench", new Pooled(pool));
        Properties settings = new Properties();
        settings.setProperty("org.quartz.scheduler.instanceName", "bench");
        settings.setProperty("org.quartz.scheduler.instanceId", "AUTO");
        settings.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        settings.setProperty("org.quartz.scheduler.batchTriggerAcquisitionMaxCount", "50");
        settings.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        settings.setProperty("org.quartz.threadPool.threadCount", "50");
        settings.setProperty("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
        settings.setProperty(
                "org.quartz.jobStore.driverDelegateClass", "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate");
        settings.setProperty("org.quartz.jobStore.dataSource", "bench");
        settings.setProperty("org.quartz.jobStore.isClustered", "true");
        settings.setProperty("org.quartz.jobStore.acquireTriggersWithinLock", "true");
        settings.setProperty("org.quartz.jobStore.misfireThreshold", "600000");
        return new StdSchedulerFactory(settings).getScheduler();
    }
}
