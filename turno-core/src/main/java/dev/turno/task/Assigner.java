package dev.turno.task;

import dev.turno.claim.HolderId;
import dev.turno.holder.Heartbeat;
import dev.turno.time.Time;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Shares the tasks of the next minutes out over the living holders that can run them. Every node does it; one at a time per type.
 * Shared by threads.
 */
final class Assigner {

    private final AssignTable table;
    private final TypeTable types;
    private final Heartbeat heartbeat;
    private final Time time;
    private final Watcher watcher;
    private final Consumer<TypeName> tell;

    /** @param tell wakes those whose shares have changed */
    Assigner(
            AssignTable table,
            TypeTable types,
            Heartbeat heartbeat,
            Time time,
            Watcher watcher,
            Consumer<TypeName> tell) {
        this.table = table;
        this.types = types;
        this.heartbeat = heartbeat;
        this.time = time;
        this.watcher = watcher;
        this.tell = tell;
    }

    /** Shares out what is due within {@code window} and in nobody's share, and evens out; answers how many changed hands. */
    synchronized int assign(TypeName type, Duration window) {
        freeGone(type);
        List<Long> runners = types.runners(type);
        if (runners.isEmpty() || !isNeeded(type, window, runners)) {
            return 0;
        }
        HolderId self = heartbeat.id();
        long started = time.nanos();
        int count = deal(type, window, self, runners);
        Duration took = Duration.ofNanos(time.nanos() - started);
        if (count > 0) {
            watcher.on(new WorkEvent.Assigned("task " + type.type(), count, runners.size(), took));
            tell.accept(type);
        }
        return count;
    }

    private boolean isNeeded(TypeName type, Duration window, List<Long> runners) {
        return table.isAnythingOpen(type, window) || table.lastRunners(type) != numberOf(runners);
    }

    private int deal(TypeName type, Duration window, HolderId self, List<Long> runners) {
        long started = time.nanos();
        Dealer dealer = new Dealer(runners, (int) (self.value() ^ started));
        int count = 0;
        int found = AssignTable.CHUNK;
        boolean mine = table.begin(type, self);
        if (mine && table.lastRunners(type) != numberOf(runners)) {
            count += evenOut(type, window, self, dealer);
        }
        while (mine && found == AssignTable.CHUNK && types.runners(type).equals(runners)) {
            AssignTable.Chunk chunk = table.assignChunk(type, window, dealer);
            found = chunk.found();
            count += chunk.given();
            mine = table.begin(type, self);
        }
        freeOfThoseWhoLeft(type, runners);
        if (mine) {
            table.end(type, self, count, Duration.ofNanos(time.nanos() - started), numberOf(runners));
        }
        return count;
    }

    private int evenOut(TypeName type, Duration window, HolderId self, Dealer dealer) {
        int count = 0;
        List<Instant> crowded = table.crowded(type, window, Instant.EPOCH);
        while (!crowded.isEmpty()) {
            for (Instant instant : crowded) {
                count += evenOut(type, instant, self, dealer);
            }
            crowded = table.crowded(type, window, crowded.get(crowded.size() - 1));
        }
        return count;
    }

    private int evenOut(TypeName type, Instant instant, HolderId self, Dealer dealer) {
        int count = 0;
        int moved = AssignTable.CHUNK;
        while (moved == AssignTable.CHUNK && table.begin(type, self)) {
            moved = table.evenOut(type, instant, dealer);
            count += moved;
        }
        return count;
    }

    /** Who left in mid-pass has freed its share already, but not what it was given after that. */
    private void freeOfThoseWhoLeft(TypeName type, List<Long> runners) {
        List<Long> left = new ArrayList<>(runners);
        left.removeAll(types.runners(type));
        if (!left.isEmpty()) {
            free(type, left);
        }
    }

    private void freeGone(TypeName type) {
        List<Long> gone = types.goneRunners(type);
        if (!gone.isEmpty()) {
            free(type, gone);
        }
    }

    /** The holder ends in order: it gets nothing more, and what it has is free. */
    void leave(TypeName type, HolderId holder) {
        types.cannotRun(type, holder);
        free(type, List.of(holder.value()));
    }

    private void free(TypeName type, List<Long> holders) {
        int freed = table.free(type, holders);
        if (freed > 0) {
            watcher.on(new WorkEvent.Freed("task " + type.type(), freed));
            tell.accept(type);
        }
    }

    /** A number that is another one when anybody came or went. */
    private static long numberOf(List<Long> runners) {
        return runners.hashCode() * 31L + runners.size();
    }
}
