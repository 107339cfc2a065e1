package dev.turno.benchmarks.burst;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.benchmarks.runners.JobRunrRunner;
import dev.turno.benchmarks.runners.Starts;
import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import org.jobrunr.scheduling.JobRequestScheduler;

/** JobRunr's free edition with the shortest poll interval that it allows, 50 workers. */
final class JobRunrJobs implements Contestant {

    @Override
    public String who() {
        return "jobrunr";
    }

    @Override
    public Duration leadTime(int tasks) {
        return Duration.ofSeconds(20 + tasks / 200);
    }

    @Override
    public void create(HikariDataSource pool) {
        new JobRunrRunner().create(pool, TestDatabase.POSTGRESQL);
    }

    @Override
    public void schedule(HikariDataSource pool, Plan plan) {
        JobRequestScheduler scheduler = JobRunrRunner.scheduler(pool);
        for (int number = 0; number < plan.all(); number++) {
            scheduler.schedule(plan.at(number), new JobRunrRunner.BenchRequest(number));
        }
    }

    @Override
    public void run(HikariDataSource pool) {
        JobRunrRunner.start(pool, Starts::started);
    }
}
