package dev.turno.benchmarks.runners;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.DBOSClient;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Queue;
import dev.dbos.transact.workflow.Workflow;
import dev.turno.testkit.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** DBOS transact: a workflow without steps on a queue, 50 at once, polled every 50 ms. It has no way to put many at once. */
record DbosRunner() implements Runner {

    private static final String QUEUE = "bench";
    private static final String WORKFLOW = "run";

    /** What is stored: a call of this. */
    public interface Work {
        void run(int number);
    }

    /** The workflow. */
    public static final class Working implements Work {

        @Override
        @Workflow(name = WORKFLOW)
        public void run(int number) {
            Ran.item(number);
        }
    }

    @Override
    public String who() {
        return "dbos";
    }

    @Override
    public String settings() {
        return "dbos transact 1.1.0-m6: a workflow without steps on a queue, worker concurrency " + THREADS
                + ", pool of " + CONNECTIONS + ", poll 50 ms";
    }

    @Override
    public boolean runsOn(TestDatabase kind) {
        return kind == TestDatabase.POSTGRESQL;
    }

    @Override
    public void create(HikariDataSource pool, TestDatabase kind) {
        try (DBOS dbos = new DBOS(config(pool))) {
            dbos.launch();
        }
    }

    private static DBOSConfig config(HikariDataSource pool) {
        return DBOSConfig.defaults("bench").withDataSource(pool).withAppVersion("1");
    }

    @Override
    public Node open(HikariDataSource pool, TestDatabase kind) {
        DBOSClient client = new DBOSClient(pool);
        AtomicReference<@Nullable DBOS> running = new AtomicReference<>();
        return new Node() {
            @Override
            public void put(int number) {
                client.enqueueWorkflow(
                        new DBOSClient.EnqueueOptions(WORKFLOW, Working.class.getName(), QUEUE).withAppVersion("1"),
                        new Object[] {number});
            }

            @Override
            public void putAll(int from, int to) {
                for (int number = from; number < to; number++) {
                    put(number);
                }
            }

            @Override
            public void start(IntConsumer ran) {
                Ran.tell(ran);
                DBOS dbos = new DBOS(config(pool));
                dbos.registerQueue(
                        new Queue(QUEUE).withWorkerConcurrency(THREADS).withPollingInterval(Duration.ofMillis(50)));
                Work unused = dbos.registerProxy(Work.class, new Working());
                dbos.launch();
                running.set(dbos);
            }

            @Override
            public long left() throws SQLException {
                return Sql.number(
                        pool, "select count(*) from dbos.workflow_status where status in ('ENQUEUED', 'PENDING')");
            }

            @Override
            public void close() {
                DBOS dbos = running.get();
                if (dbos != null) {
                    dbos.close();
                }
                client.close();
            }
        };
    }
}
