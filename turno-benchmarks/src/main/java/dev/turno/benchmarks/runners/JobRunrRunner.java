package dev.turno.benchmarks.runners;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.gson.GsonJsonMapper;

/** JobRunr's free edition with the shortest poll interval that it allows, 50 workers. */
public record JobRunrRunner() implements Runner {

    private static final Duration SHORTEST_POLL = Duration.ofSeconds(5);

    /** Written to the database as JSON and read back by JobRunr. */
    public static final class BenchRequest implements JobRequest {

        private int number;

        public BenchRequest() {}

        public BenchRequest(int number) {
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
            Ran.item(request.number);
        }
    }

    @Override
    public String who() {
        return "jobrunr";
    }

    @Override
    public String settings() {
        return "jobrunr 8.7.0: " + THREADS + " workers, pool of " + CONNECTIONS + ", poll 5 s, the shortest allowed";
    }

    @Override
    public void create(HikariDataSource pool, TestDatabase kind) {
        configuration(pool).initialize();
    }

    /** Stores jobs; runs none. */
    public static JobRequestScheduler scheduler(HikariDataSource pool) {
        return configuration(pool).initialize().getJobRequestScheduler();
    }

    /** Runs what is stored until the process ends. */
    public static void start(HikariDataSource pool, IntConsumer ran) {
        Ran.tell(ran);
        configuration(pool)
                .useBackgroundJobServer(BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andPollInterval(SHORTEST_POLL)
                        .andWorkerCount(THREADS))
                .initialize();
    }

    private static JobRunrConfiguration configuration(HikariDataSource pool) {
        return JobRunr.configure()
                .useJsonMapper(new GsonJsonMapper())
                .useStorageProvider(SqlStorageProviderFactory.using(pool));
    }

    @Override
    public Node open(HikariDataSource pool, TestDatabase kind) {
        JobRequestScheduler scheduler = scheduler(pool);
        return new Node() {
            @Override
            public void put(int number) {
                scheduler.enqueue(new BenchRequest(number));
            }

            @Override
            public void putAll(int from, int to) {
                scheduler.enqueue(IntStream.range(from, to).mapToObj(BenchRequest::new));
            }

            @Override
            public void start(IntConsumer ran) {
                JobRunrRunner.start(pool, ran);
            }

            @Override
            public long left() throws SQLException {
                return Sql.number(
                        pool, "select count(*) from jobrunr_jobs where state not in ('SUCCEEDED', 'DELETED')");
            }

            @Override
            public void close() {
                JobRunr.destroy();
            }
        };
    }
}
