package dev.turno.certification.intake;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes requests that ended longer ago than they are to be kept. Owns one thread between start and close. */
final class Retention implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final Duration EVERY = Duration.ofMinutes(10);
    private static final int ROUNDS = 1_000;

    private final BooleanSupplier batch;
    private final Duration every;
    private final ScheduledThreadPoolExecutor thread;
    private boolean started; // guarded by this

    Retention(RequestTable table, Duration keep) {
        this(() -> table.prune(keep), EVERY);
    }

    /** @param batch removes some; true if there may be more */
    Retention(BooleanSupplier batch, Duration every) {
        this.batch = batch;
        this.every = every;
        this.thread = new ScheduledThreadPoolExecutor(1, work -> {
            Thread made = new Thread(work, "turno-certification-retention");
            made.setDaemon(true);
            return made;
        });
    }

    /** Once is enough: an application that is stopped and started again comes here again. */
    synchronized void start() {
        if (!started) {
            started = true;
            var unused = thread.scheduleWithFixedDelay(
                    this::prune, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** How often it is planned. */
    int planned() {
        return thread.getQueue().size();
    }

    private void prune() {
        try {
            for (int round = 0; round < ROUNDS && batch.getAsBoolean(); round++) {
                // Batch after batch.
            }
        } catch (Throwable e) { // whatever leaves here ends the schedule, without a word
            LOG.warn(
                    "Old requests could not be removed; it is tried again in {}: {}",
                    every,
                    e.getClass().getName());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
