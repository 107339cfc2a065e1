package dev.turno.benchmarks.burst;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.benchmarks.runners.Starts;
import java.time.Duration;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.gson.GsonJsonMapper;

/** JobRunr's free edition with the shortest poll interval that it allows, 50 workers. */
final class JobRunrJobs implements Contestant {

    private static final Duration SHORTEST_POLL = Duration.ofSeconds(5);

    /** Written to the database as JSON and read back by JobRunr. */
    public static final class BenchRequest implements JobRequest {

        private int number;

        public BenchRequest() {}

        BenchRequest(int number) {
            this.number = number;
        }

        @Override
        public Class<BenchHandler> getJobRequestHandler() {
            return BenchHandler.class;
        }
    }

    /** Made by JobRunr itself. */
    public static final class BenchHandler implements JobRequestHandler<BenchRequest> {

        public BenchHandler() {}

        @Override
        public void run(BenchRequest request) {
            Starts.started(request.number);
        }
    }

    @Override
    public String who() {
        return "jobrunr";
    }

    @Override
    public Duration leadTime(int tasks) {
        return Duration.ofSeconds(20 + tasks / 300);
    }

    @Override
    public void create(HikariDataSource pool) {
        configuration(pool).initialize();
    }

    private static JobRunrConfiguration configuration(HikariDataSource pool) {
        return JobRunr.configure()
                .useJsonMapper(new GsonJsonMapper())
                .useStorageProvider(SqlStorageProviderFactory.using(pool));
    }

    @Override
    public void schedule(HikariDataSource pool, Plan plan) {
        JobRequestScheduler scheduler = configuration(pool).initialize().getJobRequestScheduler();
        for (int number = 0; number < plan.all(); number++) {
            scheduler.schedule(plan.at(number), new BenchRequest(number));
        }
    }

    @Override
    public void run(HikariDataSource pool) {
        configuration(pool)
                .useBackgroundJobServer(BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andPollInterval(SHORTEST_POLL)
                        .andWorkerCount(50))
                .initialize();
    }
}
