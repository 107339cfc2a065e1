package dev.turno.lock;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The lines of threads of this process that wait for locks. A name without waiting threads costs nothing. Shared by threads. */
final class Lines {

    /** From here on, lines in which nobody stands are forgotten when a new one is made. */
    private static final int MANY = 1_000;

    private final Map<String, Line> lines = new ConcurrentHashMap<>();

    Line enter(String name) {
        if (lines.size() >= MANY) {
            lines.keySet().forEach(key -> lines.computeIfPresent(key, (same, line) -> line.isEmpty() ? null : line));
        }
        return lines.compute(name, (key, line) -> entered(line));
    }

    private static Line entered(@Nullable Line line) {
        Line entered = line == null ? new Line() : line;
        entered.enter();
        return entered;
    }

    void leave(String name) {
        lines.computeIfPresent(name, (key, line) -> {
            line.leave();
            return line;
        });
    }

    boolean isWaitedFor(String name) {
        return Optional.ofNullable(lines.get(name))
                .filter(line -> !line.isEmpty())
                .isPresent();
    }

    /** The lock was given back: the first in line need not wait for its next look. */
    void released(String name) {
        Line line = lines.get(name);
        if (line != null) {
            line.ring();
        }
    }
}
