package dev.turno.web.api;

import dev.turno.Turno;
import dev.turno.buffer.BufferCounts;
import dev.turno.holder.Holder;
import dev.turno.inbox.Counts;
import dev.turno.inbox.Inbox;
import dev.turno.run.RunCounts;
import dev.turno.task.TaskFigures;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The figures of all features, counted at most once a second however many look. Shared by threads. */
public final class Overview {

    private static final long FRESH = Duration.ofSeconds(1).toNanos();
    private static final int MOST_NAMES = 100;

    public record InboxFigures(String name, boolean paused, Counts counts) {}

    public record BufferFigures(String name, BufferCounts counts) {}

    /**
     * The features' own, for those who look at them further.
     *
     * @param moreInboxes those beyond the first hundred, which are not counted; so are the buffers
     */
    public record Features(
            List<Holder> holders,
            List<InboxFigures> inboxes,
            int moreInboxes,
            List<BufferFigures> buffers,
            int moreBuffers,
            List<TaskFigures> tasks,
            RunCounts runs) {}

    private record Counted(Features features, Map<String, Object> figures) {}

    /** Adds figures of its own under a name of its own; a module contributes a bean of this type. */
    @FunctionalInterface
    public interface Part {
        Map<String, ?> figures();
    }

    private final Turno turno;
    private final List<Part> parts;
    private @Nullable Counted last; // guarded by this, as is the next
    private long countedAt;

    Overview(Turno turno, List<Part> parts) {
        this.turno = turno;
        this.parts = List.copyOf(parts);
    }

    public Map<String, Object> figures() {
        return counted().figures;
    }

    public Features features() {
        return counted().features;
    }

    private synchronized Counted counted() {
        Counted now = last;
        if (now == null || System.nanoTime() - countedAt > FRESH) {
            Features features = count();
            now = new Counted(features, figures(features));
            last = now;
            countedAt = System.nanoTime();
        }
        return now;
    }

    private Features count() {
        List<String> inboxes = turno.inboxNames();
        List<String> buffers = turno.bufferNames();
        return new Features(
                turno.holders(),
                inboxes.stream().limit(MOST_NAMES).map(this::inbox).toList(),
                Math.max(0, inboxes.size() - MOST_NAMES),
                buffers.stream()
                        .limit(MOST_NAMES)
                        .map(name -> new BufferFigures(name, turno.buffers(name).counts()))
                        .toList(),
                Math.max(0, buffers.size() - MOST_NAMES),
                turno.tasks().figures(),
                turno.runs().counts());
    }

    private Map<String, Object> figures(Features features) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("holder", turno.holder().toString());
        figures.put("healthy", turno.isHealthy());
        figures.put(
                "holders",
                features.holders.stream().filter(holder -> !holder.lapsed()).count());
        figures.put("inboxes", features.inboxes);
        figures.put("buffers", features.buffers);
        figures.put("tasks", features.tasks);
        figures.put("runs", features.runs);
        figures.put("counters", turno.counters().all());
        parts.forEach(part -> figures.putAll(part.figures()));
        return figures;
    }

    private InboxFigures inbox(String name) {
        Inbox inbox = turno.inbox(name);
        return new InboxFigures(name, inbox.isPaused(), inbox.counts());
    }
}
