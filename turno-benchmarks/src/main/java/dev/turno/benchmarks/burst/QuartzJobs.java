package dev.turno.benchmarks.burst;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.benchmarks.runners.QuartzRunner;
import dev.turno.benchmarks.runners.Starts;
import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;

/** Quartz, clustered, with its JDBC store, 50 threads, and triggers acquired 50 at a time. */
final class QuartzJobs implements Contestant {

    private static final int AT_ONCE = 500;

    /** Its default: it looks as far ahead, which a peak needs. */
    private static final Duration IDLE_WAIT = Duration.ofSeconds(30);

    @Override
    public String who() {
        return "quartz";
    }

    @Override
    public Duration leadTime(int tasks) {
        return Duration.ofSeconds(30 + tasks / 120);
    }

    @Override
    public void create(HikariDataSource pool) {
        new QuartzRunner().create(pool, TestDatabase.POSTGRESQL);
    }

    @Override
    public void schedule(HikariDataSource pool, Plan plan) throws SchedulerException {
        Scheduler scheduler = scheduler(pool);
        Map<JobDetail, Set<? extends Trigger>> jobs = new HashMap<>();
        for (int number = 0; number < plan.all(); number++) {
            Trigger trigger = TriggerBuilder.newTrigger()
                    .withIdentity(Integer.toString(number))
                    .startAt(Date.from(plan.at(number)))
                    .build();
            jobs.put(QuartzRunner.job(number), Set.of(trigger));
            if (jobs.size() == AT_ONCE || number == plan.all() - 1) {
                scheduler.scheduleJobs(jobs, false);
                jobs.clear();
            }
        }
        scheduler.shutdown();
    }

    @Override
    public void run(HikariDataSource pool) throws SchedulerException {
        QuartzRunner.start(scheduler(pool), Starts::started);
    }

    private static Scheduler scheduler(HikariDataSource pool) throws SchedulerException {
        return QuartzRunner.scheduler(pool, TestDatabase.POSTGRESQL, IDLE_WAIT);
    }
}
