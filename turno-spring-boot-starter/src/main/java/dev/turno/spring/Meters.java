package dev.turno.spring;

import dev.turno.Turno;
import dev.turno.buffer.BufferCounts;
import dev.turno.inbox.Counts;
import dev.turno.run.RunCounts;
import dev.turno.task.TaskFigures;
import dev.turno.task.TaskState;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what happens, and shows what waits. Tags are few: the kind and the name of the inbox or buffer; locks have no name in the
 * meters, because there are as many names as their users like. Shared by threads; owns the one that looks for names.
 */
final class Meters implements Watcher, MeterBinder, TurnoWork, AutoCloseable {

    /** Of each kind; what this process works on itself is shown beyond that. */
    static final int MOST_NAMES = 100;

    private static final Logger LOG = LoggerFactory.getLogger(Meters.class);

    private final Duration betweenLooks;
    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();
    private final Set<String> gauged = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Turno turno;
    private Optional<ScheduledExecutorService> looker = Optional.empty(); // guarded by this

    Meters() {
        this(Duration.ofMinutes(1));
    }

    Meters(Duration betweenLooks) {
        this.betweenLooks = betweenLooks;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        registries.add(registry);
    }

    @Override
    public synchronized void begin(Turno begun) {
        turno = begun;
        gauge("runs");
        begun.openInboxes().forEach(inbox -> gauge("inbox " + inbox.name()));
        begun.openBuffers().forEach(buffer -> gauge("buffer " + buffer.name()));
        look();
        if (looker.isEmpty()) {
            looker = Optional.of(newLooker());
        }
    }

    private ScheduledExecutorService newLooker() {
        ScheduledExecutorService begun = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "turno-meters");
            thread.setDaemon(true);
            return thread;
        });
        long pause = betweenLooks.toMillis();
        var unused = begun.scheduleWithFixedDelay(this::look, pause, pause, TimeUnit.MILLISECONDS);
        return begun;
    }

    /** What nobody works on any more waits too, and is what alerts are for; so names are taken from the database, not from events. */
    private void look() {
        Turno known = turno;
        try {
            if (known == null || !known.isHealthy()) {
                return;
            }
            gaugeAll("inbox ", known.inboxNames());
            gaugeAll("buffer ", known.bufferNames());
            gaugeAll("task ", known.figures().taskTypes());
        } catch (RuntimeException e) {
            LOG.debug("Names for gauges could not be read; it is tried again in {}.", betweenLooks, e);
        } catch (Throwable e) { // an error: what throws is not run again
            LOG.warn("Names for gauges could not be read; it is tried again in {}.", betweenLooks, e);
        }
    }

    private void gaugeAll(String kind, List<String> names) {
        long there = gauged.stream().filter(who -> who.startsWith(kind)).count();
        names.stream()
                .map(name -> kind + name)
                .filter(who -> !gauged.contains(who))
                .limit(Math.max(0, MOST_NAMES - there))
                .forEach(this::gauge);
    }

    @Override
    public synchronized void close() {
        looker.ifPresent(ScheduledExecutorService::shutdown); // an interrupt could close the file of an H2
        looker = Optional.empty();
    }

    @Override
    public void on(WorkEvent event) {
        if (event instanceof WorkEvent.Taken taken) {
            taken(taken);
        } else if (event instanceof WorkEvent.Finished finished) {
            count("turno.done", of(finished.who()), finished.done());
            count("turno.again", of(finished.who()), finished.again());
            count("turno.dead", of(finished.who()), finished.dead());
            count("turno.claims.unknown", of(finished.who()), finished.unknown());
        } else if (event instanceof WorkEvent.Failed failed) {
            count("turno.failed", of(failed.who()), 1);
        } else if (event instanceof WorkEvent.Lost lost) {
            count("turno.claims.lost", of(lost.who()), 1);
        } else if (event instanceof WorkEvent.Overran overran) {
            count("turno.overran", of(overran.who()), 1);
        } else if (event instanceof WorkEvent.GivenBack given) {
            count("turno.given.back", of(given.who()), given.count());
        } else if (event instanceof WorkEvent.Freed freed) {
            count("turno.freed", of(freed.who()), freed.count());
        } else if (event instanceof WorkEvent.Assigned assigned) {
            assigned(assigned);
        } else if (event instanceof WorkEvent.Armed armed) {
            count("turno.task.armed", of(armed.who()), armed.count());
            count("turno.task.armed.refused", of(armed.who()), armed.refused());
        } else {
            ofTheProcess(event);
        }
    }

    private void assigned(WorkEvent.Assigned assigned) {
        Tags tags = of(assigned.who());
        count("turno.task.assigned", tags, assigned.count());
        registries.forEach(
                registry -> registry.timer("turno.task.assignment", tags).record(assigned.took()));
        gauge(assigned.who());
    }

    private void taken(WorkEvent.Taken taken) {
        Tags tags = of(taken.who());
        count("turno.taken", tags, taken.count());
        registries.forEach(registry -> DistributionSummary.builder("turno.take.batch")
                .description("How many were taken in one statement")
                .tags(tags)
                .register(registry)
                .record(taken.count()));
        gauge(taken.who());
    }

    private void ofTheProcess(WorkEvent event) {
        if (event instanceof WorkEvent.Reaped) {
            count("turno.holders.reaped", Tags.empty(), 1);
        } else if (event instanceof WorkEvent.DeclaredDead) {
            count("turno.holder.declared.dead", Tags.empty(), 1);
        } else if (event instanceof WorkEvent.Planned planned) {
            count("turno.cron.planned", Tags.empty(), planned.count());
        } else if (event instanceof WorkEvent.RunStarted started) {
            count("turno.runs.started", Tags.of("name", started.job()), 1);
        } else if (event instanceof WorkEvent.RunEnded ended) {
            count("turno.runs.ended", Tags.of("state", ended.state()), 1);
        } else if (event instanceof WorkEvent.RunParked) {
            count("turno.runs.parked", Tags.empty(), 1);
        } else if (event instanceof WorkEvent.ScheduleRefused) {
            count("turno.schedules.refused", Tags.empty(), 1);
        } else if (event instanceof WorkEvent.Trouble) {
            count("turno.trouble", Tags.empty(), 1);
        } else if (event instanceof WorkEvent.LockTaken) {
            count("turno.locks.taken", Tags.empty(), 1);
        } else if (event instanceof WorkEvent.LockBusy) {
            count("turno.locks.busy", Tags.empty(), 1);
        } else if (event instanceof WorkEvent.LockUnavailable) {
            count("turno.locks.unavailable", Tags.empty(), 1);
        } else if (event instanceof WorkEvent.LockLost) {
            count("turno.locks.lost", Tags.empty(), 1);
        } else if (event instanceof WorkEvent.LockForced) {
            count("turno.locks.forced", Tags.empty(), 1);
        }
    }

    private void count(String name, Tags tags, int n) {
        registries.forEach(registry -> registry.counter(name, tags).increment(n));
    }

    /** {@code inbox orders}: the kind, and the name. Loops of the process itself have no name. */
    private static Tags of(String who) {
        int space = who.indexOf(' ');
        return space < 0
                ? Tags.of("kind", who, "name", "")
                : Tags.of("kind", who.substring(0, space), "name", who.substring(space + 1));
    }

    /** Looks at what others opened without opening it. */
    private void gauge(String who) {
        Turno known = turno;
        if (known == null || !gauged.add(who)) {
            return;
        }
        String name = who.substring(who.indexOf(' ') + 1);
        if (who.startsWith("inbox ")) {
            gaugeInbox(name, new Cached<>(() -> known.figures().inbox(name), this::isHealthy));
        } else if (who.startsWith("buffer ")) {
            gaugeBuffer(name, new Cached<>(() -> known.figures().buffer(name), this::isHealthy));
        } else if (who.startsWith("task ")) {
            gaugeTasks(name, new Cached<>(() -> known.figures().tasks(name).orElseThrow(), this::isHealthy));
        } else if (who.equals("runs")) {
            gaugeRuns(new Cached<>(() -> known.figures().runs(), this::isHealthy));
        }
    }

    private void gaugeInbox(String name, Cached<Counts> counts) {
        gauge("turno.inbox.pending", name, counts, Counts::pending);
        gauge("turno.inbox.doing", name, counts, Counts::doing);
        gauge("turno.inbox.dead", name, counts, Counts::dead);
    }

    private void gaugeBuffer(String name, Cached<BufferCounts> counts) {
        gauge("turno.buffer.pending", name, counts, BufferCounts::pending);
        gauge("turno.buffer.doing", name, counts, BufferCounts::doing);
        gauge("turno.buffer.dead", name, counts, BufferCounts::dead);
    }

    private void gaugeTasks(String type, Cached<TaskFigures> counts) {
        gauge("turno.task.pending", type, counts, one -> one.byState().getOrDefault(TaskState.PENDING, 0));
        gauge("turno.task.preassigned", type, counts, TaskFigures::preAssigned);
        gauge("turno.task.overdue", type, counts, TaskFigures::overdue);
        gauge("turno.task.dead", type, counts, one -> one.byState().getOrDefault(TaskState.DEAD, 0));
        gauge("turno.task.lag", type, counts, one -> one.lag().p99().toNanos() / 1e9);
    }

    private void gaugeRuns(Cached<RunCounts> counts) {
        gauge("turno.runs.pending", "", counts, RunCounts::pending);
        gauge("turno.runs.doing", "", counts, RunCounts::doing);
        gauge("turno.runs.dead", "", counts, RunCounts::dead);
    }

    private boolean isHealthy() {
        Turno known = turno;
        return known != null && known.isHealthy();
    }

    private <T> void gauge(String meter, String name, Cached<T> counts, ToDoubleFunction<T> figure) {
        registries.forEach(registry -> Gauge.builder(meter, () -> counts.figure(figure))
                .tags("name", name)
                .strongReference(true)
                .register(registry));
    }
}
