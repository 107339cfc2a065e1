package dev.turno.benchmarks.runners;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * transaction-outbox with 50 threads. What is put in a process that runs items is submitted at the commit; what others put is found by
 * flushing, which goes on without a pause while there is something, and every 50 ms else.
 */
record OutboxRunner() implements Runner {

    private static final Duration FLUSH = Duration.ofMillis(50);
    /** When others may look for what this process does not run; it insists on a moment in the future. */
    private static final Duration SOON = Duration.ofMillis(250);

    /** Long enough for a batch that waits for threads not to be flushed again. */
    private static final Duration AGAIN = Duration.ofSeconds(30);

    private static final int BATCH = 4_096;

    /** What is stored: a call of this. */
    public interface Work {
        void run(int number);
    }

    @Override
    public String who() {
        return "transaction-outbox";
    }

    @Override
    public String settings() {
        return "transaction-outbox 4.2.268: " + THREADS + " threads, pool of " + CONNECTIONS
                + ", submitted at the commit, flushed 4,096 at a time, every 50 ms when idle, by others after 250 ms";
    }

    @Override
    public void create(HikariDataSource pool, TestDatabase kind) {
        Submitter nobody = (entry, worker) -> {};
        outbox(TransactionManager.fromDataSource(pool), kind, nobody, AGAIN).initialize();
    }

    private static TransactionOutbox outbox(
            TransactionManager transactions, TestDatabase kind, Submitter submitter, Duration attempts) {
        Dialect dialect = switch (kind) {
            case POSTGRESQL -> Dialect.POSTGRESQL_9;
            case MARIADB -> Dialect.MY_SQL_8;
            case H2 -> Dialect.H2;
        };
        return TransactionOutbox.builder()
                .transactionManager(transactions)
                .persistor(Persistor.forDialect(dialect))
                .instantiator(Instantiator.using(type -> (Work) Ran::item))
                .submitter(submitter)
                .attemptFrequency(attempts)
                .flushBatchSize(BATCH)
                .build();
    }

    @Override
    public Node open(HikariDataSource pool, TestDatabase kind) {
        return new Open(pool, kind);
    }

    private static final class Open implements Node {

        private final HikariDataSource pool;
        private final TransactionManager transactions;
        private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        private final Thread flusher = new Thread(this::flush, "outbox-flush");
        private final TransactionOutbox running;
        private volatile TransactionOutbox putting;
        private volatile boolean closed;

        Open(HikariDataSource pool, TestDatabase kind) {
            this.pool = pool;
            this.transactions = TransactionManager.fromDataSource(pool);
            this.running = outbox(transactions, kind, Submitter.withExecutor(threads), AGAIN);
            this.putting = outbox(transactions, kind, (entry, worker) -> {}, SOON);
        }

        @Override
        public void put(int number) {
            transactions.inTransaction(() -> putting.schedule(Work.class).run(number));
        }

        @Override
        public void putAll(int from, int to) {
            transactions.inTransaction(() -> {
                for (int number = from; number < to; number++) {
                    putting.schedule(Work.class).run(number);
                }
            });
        }

        @Override
        public void start(IntConsumer ran) {
            Ran.tell(ran);
            putting = running;
            flusher.start();
        }

        private void flush() {
            while (!closed) {
                if (!running.flush()) {
                    LockSupport.parkNanos(FLUSH.toNanos());
                }
            }
        }

        @Override
        public long left() throws SQLException {
            return Sql.number(pool, "select count(*) from TXNO_OUTBOX");
        }

        @Override
        public void close() {
            closed = true;
            threads.shutdownNow();
            try {
                flusher.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
