package dev.turno.web.api;

import dev.turno.Turno;
import dev.turno.buffer.BufferCounts;
import dev.turno.inbox.Counts;
import dev.turno.inbox.Inbox;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The figures of all features, counted at most once a second however many look. Shared by threads. */
public final class Overview {

    private static final long FRESH = Duration.ofSeconds(1).toNanos();
    private static final int MOST_NAMES = 100;

    private record InboxFigures(String name, boolean paused, Counts counts) {}

    private record BufferFigures(String name, BufferCounts counts) {}

    /** Adds figures of its own under a name of its own; a module contributes a bean of this type. */
    @FunctionalInterface
    public interface Part {
        Map<String, ?> figures();
    }

    private final Turno turno;
    private final List<Part> parts;
    private Map<String, Object> last = Map.of(); // guarded by this, as is the next
    private long countedAt;

    Overview(Turno turno, List<Part> parts) {
        this.turno = turno;
        this.parts = List.copyOf(parts);
    }

    public synchronized Map<String, Object> figures() {
        if (last.isEmpty() || System.nanoTime() - countedAt > FRESH) {
            last = count();
            countedAt = System.nanoTime();
        }
        return last;
    }

    private Map<String, Object> count() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("holder", turno.holder().toString());
        figures.put("healthy", turno.isHealthy());
        figures.put(
                "holders",
                turno.holders().stream().filter(holder -> !holder.lapsed()).count());
        figures.put(
                "inboxes",
                turno.inboxNames().stream().limit(MOST_NAMES).map(this::inbox).toList());
        figures.put(
                "buffers",
                turno.bufferNames().stream()
                        .limit(MOST_NAMES)
                        .map(name -> new BufferFigures(name, turno.buffers(name).counts()))
                        .toList());
        figures.put("tasks", turno.tasks().figures());
        figures.put("runs", turno.runs().counts());
        figures.put("counters", turno.counters().all());
        parts.forEach(part -> figures.putAll(part.figures()));
        return figures;
    }

    private InboxFigures inbox(String name) {
        Inbox inbox = turno.inbox(name);
        return new InboxFigures(name, inbox.isPaused(), inbox.counts());
    }
}
