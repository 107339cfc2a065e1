package dev.turno.spring;

import dev.turno.Turno;
import dev.turno.buffer.BufferCounts;
import dev.turno.buffer.Buffers;
import dev.turno.inbox.Counts;
import dev.turno.inbox.Inbox;
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
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts what happens, and shows what waits. Tags are few: the kind and the name of the inbox or buffer; locks have no name in the
 * meters, because there are as many names as their users like. Shared by threads.
 */
final class Meters implements Watcher, MeterBinder, TurnoWork {

    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();
    private final Set<String> gauged = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Turno turno;

    @Override
    public void bindTo(MeterRegistry registry) {
        registries.add(registry);
    }

    @Override
    public void begin(Turno begun) {
        turno = begun;
        begun.openInboxes().forEach(this::gauge);
        begun.openBuffers().forEach(this::gauge);
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
        gaugeTasks(assigned.who());
    }

    private void taken(WorkEvent.Taken taken) {
        Tags tags = of(taken.who());
        count("turno.taken", tags, taken.count());
        registries.forEach(registry -> DistributionSummary.builder("turno.take.batch")
                .description("How many were taken in one statement")
                .tags(tags)
                .register(registry)
                .record(taken.count()));
        gaugeTasks(taken.who());
        Turno known = turno;
        if (known != null && !gauged.contains(taken.who())) {
            begin(known);
        }
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
            gaugeRuns();
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

    private void gauge(Inbox inbox) {
        if (gauged.add("inbox " + inbox.name())) {
            Cached<Counts> counts = new Cached<>(inbox::counts, this::isHealthy);
            gauge("turno.inbox.pending", inbox.name(), counts, Counts::pending);
            gauge("turno.inbox.doing", inbox.name(), counts, Counts::doing);
            gauge("turno.inbox.dead", inbox.name(), counts, Counts::dead);
        }
    }

    private void gauge(Buffers buffer) {
        if (gauged.add("buffer " + buffer.name())) {
            Cached<BufferCounts> counts = new Cached<>(buffer::counts, this::isHealthy);
            gauge("turno.buffer.pending", buffer.name(), counts, BufferCounts::pending);
            gauge("turno.buffer.doing", buffer.name(), counts, BufferCounts::doing);
            gauge("turno.buffer.dead", buffer.name(), counts, BufferCounts::dead);
        }
    }

    private void gaugeTasks(String who) {
        Turno known = turno;
        if (known != null && who.startsWith("task ") && gauged.add(who)) {
            String type = who.substring("task ".length());
            Cached<TaskFigures> counts =
                    new Cached<>(() -> known.tasks().figures(type).orElseThrow(), this::isHealthy);
            gauge("turno.task.pending", type, counts, one -> one.byState().getOrDefault(TaskState.PENDING, 0));
            gauge("turno.task.preassigned", type, counts, TaskFigures::preAssigned);
            gauge("turno.task.overdue", type, counts, TaskFigures::overdue);
            gauge("turno.task.dead", type, counts, one -> one.byState().getOrDefault(TaskState.DEAD, 0));
            gauge("turno.task.lag", type, counts, one -> one.lag().p99().toNanos() / 1e9);
        }
    }

    private void gaugeRuns() {
        Turno known = turno;
        if (known != null && gauged.add("runs")) {
            Cached<RunCounts> counts = new Cached<>(() -> known.runs().counts(), this::isHealthy);
            gauge("turno.runs.pending", "", counts, RunCounts::pending);
            gauge("turno.runs.doing", "", counts, RunCounts::doing);
            gauge("turno.runs.dead", "", counts, RunCounts::dead);
        }
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
