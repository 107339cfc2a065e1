package dev.turno;

import dev.turno.buffer.BufferCounts;
import dev.turno.buffer.BufferOptions;
import dev.turno.buffer.Buffers;
import dev.turno.inbox.Counts;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.run.RunCounts;
import dev.turno.run.RunOptions;
import dev.turno.run.Runs;
import dev.turno.sql.Database;
import dev.turno.task.TaskFigures;
import dev.turno.task.Tasks;
import dev.turno.watch.Watcher;
import dev.turno.worker.Wakeups;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How the namespace stands, whoever works in it. To look opens nothing: {@link Turno#openInboxes} tells what this process uses itself.
 * Shared by threads.
 */
public final class Figures {

    private final Database database;
    private final TurnoOptions options;
    private final Tasks tasks;
    private final Wakeups wakeups;
    private final Watcher watcher;
    private final Map<String, Inbox> inboxes = new ConcurrentHashMap<>();
    private final Map<String, Buffers> buffers = new ConcurrentHashMap<>();
    private @Nullable Runs runs; // guarded by this

    Figures(Database database, TurnoOptions options, Tasks tasks, Wakeups wakeups, Watcher watcher) {
        this.database = database;
        this.options = options;
        this.tasks = tasks;
        this.wakeups = wakeups;
        this.watcher = watcher;
    }

    /** Of an inbox that {@link Turno#inboxNames} tells; any other comes into being by this. */
    public Counts inbox(String name) {
        return inboxes.computeIfAbsent(
                        name, key -> Inbox.open(database, options.namespace(), key, InboxOptions.defaults(), wakeups))
                .counts();
    }

    /** Of a buffer that {@link Turno#bufferNames} tells; any other comes into being by this. */
    public BufferCounts buffer(String name) {
        return buffers.computeIfAbsent(
                        name,
                        key -> Buffers.open(database, options.namespace(), key, BufferOptions.defaults(), wakeups))
                .counts();
    }

    /** The types of tasks that were ever used in the namespace, by whomever. */
    public List<String> taskTypes() {
        return tasks.typeNames();
    }

    /** Of tasks of one type; empty if nobody has ever used it. */
    public Optional<TaskFigures> tasks(String type) {
        return tasks.figures(type);
    }

    public RunCounts runs() {
        return lookedAt().counts();
    }

    private synchronized Runs lookedAt() {
        Runs mine = runs;
        if (mine == null) {
            mine = Runs.open(database, options.namespace(), options.node(), RunOptions.defaults(), wakeups, watcher);
            runs = mine;
        }
        return mine;
    }
}
