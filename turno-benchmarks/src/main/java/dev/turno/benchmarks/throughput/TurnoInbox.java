package dev.turno.benchmarks.throughput;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.benchmarks.runners.Runner;
import dev.turno.claim.Result;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One node with the default options: threads, batches, pool of ten connections. More threads where handlers wait. */
final class TurnoInbox implements Contestant {

    private static final int CONNECTIONS = 10;

    private final String who;
    private final boolean keep;
    private final Load load;

    TurnoInbox(String who, boolean keep, Load load) {
        this.who = who;
        this.keep = keep;
        this.load = load;
    }

    @Override
    public String who() {
        return who;
    }

    @Override
    public void fill(FreshDatabase database, int waiting) throws SQLException {
        InboxRows.fill(database, waiting);
    }

    @Override
    public Pass handle(FreshDatabase database, int waiting, int wanted) throws Exception {
        Tally tally = new Tally(waiting);
        FinishLine finishLine = new FinishLine(waiting);
        try (HikariDataSource pool = database.newPool(database.url(), CONNECTIONS)) {
            double seconds;
            try (Turno turno = Turno.start(pool, TurnoOptions.defaults().withWatcher(finishLine))) {
                Inbox inbox = turno.inbox(InboxRows.INBOX, InboxOptions.of(this::choose));
                long started = System.nanoTime();
                turno.handle(inbox, (message, turn) -> {
                    load.bear();
                    tally.ran(message.id());
                    return Result.done();
                });
                seconds = (finishLine.await() - started) / 1e9;
            }
            return new Pass(waiting, seconds, InboxRows.violations(who, pool, tally, waiting, keep));
        }
    }

    private void choose(InboxOptions.Builder choices) {
        if (!keep) {
            choices.keepNone();
        }
        if (load != Load.NOTHING) {
            choices.threads(Runner.THREADS);
        }
    }

    /** Knows when the last message was committed as finished: the engine tells its watchers after that. */
    private static final class FinishLine implements Watcher {

        private final AtomicInteger left;
        private final CountDownLatch crossed = new CountDownLatch(1);
        private volatile long crossedAt;

        FinishLine(int messages) {
            this.left = new AtomicInteger(messages);
        }

        @Override
        public void on(WorkEvent event) {
            if (event instanceof WorkEvent.Finished finished && left.addAndGet(-finished.done()) <= 0) {
                crossedAt = System.nanoTime();
                crossed.countDown();
            }
        }

        long await() throws InterruptedException {
            if (!crossed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(left + " messages were not finished in " + PATIENCE_SECONDS + " s.");
            }
            return crossedAt;
        }
    }
}
