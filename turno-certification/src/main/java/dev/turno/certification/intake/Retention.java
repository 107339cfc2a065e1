package dev.turno.certification.intake;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes requests that ended longer ago than they are to be kept. Owns one thread between start and close. */
final class Retention implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final Duration EVERY = Duration.ofMinutes(10);
    private static final int ROUNDS = 1_000;

    private final RequestTable table;
    private final Duration keep;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread made = new Thread(work, "turno-certification-retention");
        made.setDaemon(true);
        return made;
    });

    Retention(RequestTable table, Duration keep) {
        this.table = table;
        this.keep = keep;
    }

    void start() {
        var unused =
                thread.scheduleWithFixedDelay(this::prune, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void prune() {
        try {
            for (int round = 0; round < ROUNDS && table.prune(keep); round++) {
                // Batch after batch.
            }
        } catch (RuntimeException e) {
            LOG.warn(
                    "Old requests could not be removed; it is tried again in {}: {}",
                    EVERY,
                    e.getClass().getName());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
