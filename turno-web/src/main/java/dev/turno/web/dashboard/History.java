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
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * How much was done when: every process adds what it did to one small table, so that charts show the whole cluster and nobody counts
 * rows for them. Shared by threads; owns one.
 */
public final class History implements Watcher, SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(History.class);
    private static final String ALL = "";
    private static final int MOST_NAMES = 1_000;
    private static final int LONGEST_NAME = 150;
    private static final int SPARK_MINUTES = 30;

    /** How finely it is kept, and for how long. */
    private enum Step {
        LIVE(5, Duration.ofMinutes(10)),
        MINUTE(60, Duration.ofHours(25)),
        HOUR(3_600, Duration.ofDays(8));

        private final int seconds;
        private final Duration kept;

        Step(int seconds, Duration kept) {
            this.seconds = seconds;
            this.kept = kept;
        }
    }

    /** What a chart shows: so long back, in points of so many seconds. */
    public enum Range {
        LIVE(Step.LIVE, Duration.ofMinutes(2), 5),
        HOUR(Step.MINUTE, Duration.ofHours(1), 60),
        DAY(Step.MINUTE, Duration.ofHours(24), 300),
        WEEK(Step.HOUR, Duration.ofDays(7), 3_600);

        private final Step step;
        private final Duration back;
        private final int point;

        Range(Step step, Duration back, int point) {
            this.step = step;
            this.back = back;
            this.point = point;
        }

        private long slot(long second) {
            return second / point * point;
        }
    }

    /**
     * What was done from {@code at} on, for as long as a point is.
     *
     * @param spentMs in handlers, all together
     * @param longestMs in the handler of one
     * @param p50Ms half of the handlers took less; as the next two, between the two bounds of {@link Took} that it lies in
     */
    public record Point(
            Instant at,
            long done,
            long again,
            long dead,
            long spentMs,
            long longestMs,
            long p50Ms,
            long p95Ms,
            long p99Ms) {

        private static Point of(Instant at, Work work, Took took) {
            return new Point(
                    at,
                    work.done,
                    work.again,
                    work.dead,
                    work.spentMs,
                    work.longestMs,
                    Math.min(work.longestMs, took.percentile(50)),
                    Math.min(work.longestMs, took.percentile(95)),
                    Math.min(work.longestMs, took.percentile(99)));
        }
    }

    public record Points(int seconds, List<Point> points) {}

    private record Work(long done, long again, long dead, long spentMs, long longestMs) {

        private static final Work NONE = new Work(0, 0, 0, 0, 0);

        private Work plus(Work other) {
            return new Work(
                    done + other.done,
                    again + other.again,
                    dead + other.dead,
                    spentMs + other.spentMs,
                    Math.max(longestMs, other.longestMs));
        }
    }

    private final WebTables tables;
    private final Map<String, Work> untold = new TreeMap<>(); // guarded by itself
    private long told;
    private volatile Optional<ScheduledExecutorService> teller = Optional.empty(); // none: stopped

    History(WebTables tables) {
        this.tables = tables;
    }

    @Override
    public void on(WorkEvent event) {
        if (event instanceof WorkEvent.Finished finished) {
            // A run takes as long as it takes; beside it the time of handlers would not be seen.
            List<Duration> took = finished.who().equals("runs") ? List.of() : finished.took();
            Work work = new Work(
                    finished.done(),
                    finished.again(),
                    finished.dead(),
                    took.stream().mapToLong(Duration::toMillis).sum(),
                    took.stream().mapToLong(Duration::toMillis).max().orElse(0));
            synchronized (untold) {
                untold.merge(ALL, work, Work::plus);
                took.forEach(one -> untold.merge(Took.name(one), new Work(1, 0, 0, 0, 0), Work::plus));
                if (finished.who().length() <= LONGEST_NAME
                        && (untold.size() < MOST_NAMES || untold.containsKey(finished.who()))) {
                    untold.merge(finished.who(), work, Work::plus);
                }
            }
        }
    }

    /** Writes what is not written yet. */
    void tell() {
        Map<String, Work> all;
        synchronized (untold) {
            all = new TreeMap<>(untold);
            untold.clear();
        }
        try {
            all.forEach((who, work) -> {
                for (Step step :
                        who.equals(ALL) || Took.NAMES.contains(who) ? Step.values() : new Step[] {Step.MINUTE}) {
                    add(who, step, work);
                }
            });
            if (told++ % 100 == 0) {
                prune();
            }
        } catch (DataAccessException e) {
            // A chart that lacks five seconds harms nobody; told twice they would lie.
            LOG.debug("What was done in the last seconds will be missing in the charts.", e);
        }
    }

    private void add(String who, Step step, Work work) {
        tables.sql("history-add")
                .param("who", who)
                .param("step", step.seconds)
                .param("done", work.done)
                .param("again", work.again)
                .param("dead", work.dead)
                .param("spent", work.spentMs)
                .param("longest", work.longestMs)
                .update();
    }

    private void prune() {
        for (Step step : Step.values()) {
            tables.prune("history-prune", Map.of("step", step.seconds, "kept", step.kept.toSeconds()));
        }
    }

    /** Of all work, or of {@code who} as events name it, then without percentiles; ranges shorter than an hour are there for all alone. */
    public Points read(Range range, String who) {
        long now = now();
        long first = (now - range.back.toSeconds()) / range.point * range.point;
        Map<Long, Work> works = new HashMap<>();
        rows("history-list", range, first).param("who", who).query(row -> {
            Work work = new Work(
                    row.getLong("done"),
                    row.getLong("again"),
                    row.getLong("dead"),
                    row.getLong("spent_ms"),
                    row.getLong("longest_ms"));
            works.merge(range.slot(row.getLong("slot_s")), work, Work::plus);
        });
        Map<Long, Took> took = who.equals(ALL) ? took(range, first) : Map.of();
        List<Point> points = new ArrayList<>();
        for (long slot = first; slot <= now; slot += range.point) {
            points.add(Point.of(
                    Instant.ofEpochSecond(slot),
                    works.getOrDefault(slot, Work.NONE),
                    took.getOrDefault(slot, new Took())));
        }
        return new Points(range.point, points);
    }

    private Map<Long, Took> took(Range range, long first) {
        Map<Long, Took> took = new HashMap<>();
        rows("history-took", range, first).param("buckets", Took.NAMES).query(row -> {
            took.computeIfAbsent(range.slot(row.getLong("slot_s")), slot -> new Took())
                    .add(row.getString("who"), row.getLong("done"));
        });
        return took;
    }

    private JdbcClient.StatementSpec rows(String statement, Range range, long first) {
        return tables.sql(statement).param("step", range.step.seconds).param("first", first);
    }

    /** What was done in each of the last thirty minutes, by {@code who}. */
    public Map<String, List<Long>> sparks() {
        long last = now() / Step.MINUTE.seconds;
        Map<String, List<Long>> sparks = new TreeMap<>();
        tables.sql("history-sparks")
                .param("first", (last - SPARK_MINUTES + 1) * Step.MINUTE.seconds)
                .query(row -> {
                    List<Long> minutes = sparks.computeIfAbsent(
                            row.getString("who"),
                            who -> new ArrayList<>(java.util.Collections.nCopies(SPARK_MINUTES, 0L)));
                    long place = row.getLong("slot_s") / Step.MINUTE.seconds - (last - SPARK_MINUTES + 1);
                    if (place >= 0 && place < SPARK_MINUTES) {
                        minutes.set((int) place, row.getLong("done"));
                    }
                });
        return sparks;
    }

    private long now() {
        return tables.sql("history-now").query(Long.class).single();
    }

    @Override
    public synchronized void start() {
        ScheduledExecutorService begun = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "turno-history");
            thread.setDaemon(true);
            return thread;
        });
        var unused = begun.scheduleWithFixedDelay(
                this::tellWhateverHappens, Step.LIVE.seconds, Step.LIVE.seconds, TimeUnit.SECONDS);
        teller = Optional.of(begun);
    }

    private void tellWhateverHappens() {
        try {
            tell();
        } catch (Throwable e) { // also an error: what throws is not run again
            LOG.warn("The history could not be written; it goes on.", e);
        }
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
