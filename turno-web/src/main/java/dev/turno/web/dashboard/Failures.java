package dev.turno.web.dashboard;

import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import dev.turno.web.tables.WebTables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;

/**
 * The attempts that failed, of all items: their rows keep only the last error. Every process writes down what failed in it, once a
 * second and never more than two hundred of one inbox or type, so that a flood of failures does not become a flood of writes, and does
 * not hide what fails elsewhere. Shared by threads; owns one.
 */
public final class Failures implements Watcher, SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    private static final int MOST = 1_000;
    private static final int MOST_OF_ONE = 200;
    private static final int LONGEST_ITEM = 500;
    private static final int LONGEST_ERROR = 8_000;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int TELLS_BETWEEN_PRUNES = 600;

    /** An attempt that failed. */
    public record Failure(int attempt, Instant at, String error) {}

    private record Untold(String item, int attempt, String error, long nanos) {}

    private final WebTables tables;
    private final Glances glances;
    private final List<Untold> untold = new ArrayList<>(); // guarded by itself, as is the next
    private final Map<String, Integer> untoldOf = new HashMap<>();
    private long told;
    private volatile Optional<ScheduledExecutorService> teller = Optional.empty(); // none: stopped

    Failures(WebTables tables, Glances glances) {
        this.tables = tables;
        this.glances = glances;
    }

    @Override
    public void on(WorkEvent event) {
        if (event instanceof WorkEvent.Failed failed) {
            add(failed.who(), failed.key(), failed.attempt(), failed.error());
        } else if (event instanceof WorkEvent.Dead dead) {
            add(dead.who(), dead.key(), dead.attempt(), dead.error());
        }
    }

    private void add(String who, String item, int attempt, String error) {
        String whole = error.replace('\0', '\uFFFD');
        String kept = whole.substring(0, Math.min(LONGEST_ERROR, whole.length()));
        synchronized (untold) {
            if (item.length() <= LONGEST_ITEM
                    && untold.size() < MOST
                    && untoldOf.merge(who, 1, Integer::sum) <= MOST_OF_ONE) {
                untold.add(new Untold(item, attempt, kept, System.nanoTime()));
            }
        }
    }

    /** Of an item of this namespace ({@code orders/order-1#12}), newest first, at most fifty. */
    List<Failure> of(String item) {
        return tables.sql("failure-list")
                .param("item", tables.namespace() + "/" + item)
                .query((row, index) -> new Failure(
                        row.getInt("attempt"), glances.moment(row, "failed_at").orElseThrow(), row.getString("error")))
                .list();
    }

    private void tell() {
        List<Untold> now;
        synchronized (untold) {
            now = List.copyOf(untold);
            untold.clear();
            untoldOf.clear();
        }
        now.forEach(failure -> tables.sql("failure-add")
                .param("item", failure.item)
                .param("attempt", failure.attempt)
                .param("error", failure.error)
                .param("age_ms", (System.nanoTime() - failure.nanos) / 1_000_000)
                .update());
        if (told++ % TELLS_BETWEEN_PRUNES == 0) {
            tables.prune("failure-prune", Map.of());
        }
    }

    private void tellWhateverHappens() {
        try {
            tell();
        } catch (DataAccessException e) {
            LOG.debug("Attempts that failed in the last second will be missing in the stories of their items.", e);
        } catch (Throwable e) { // also an error: what throws is not run again
            LOG.warn("Attempts that failed could not be written down; it goes on.", e);
        }
    }

    @Override
    public synchronized void start() {
        ScheduledExecutorService begun = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "turno-failures");
            thread.setDaemon(true);
            return thread;
        });
        var unused = begun.scheduleWithFixedDelay(
                this::tellWhateverHappens, PAUSE.toMillis(), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        teller = Optional.of(begun);
    }

    @Override
    public synchronized void stop() {
        teller.ifPresent(ScheduledExecutorService::shutdown); // what it is writing it may finish
        teller = Optional.empty();
        tellWhateverHappens();
    }

    @Override
    public boolean isRunning() {
        return teller.isPresent();
    }
}
