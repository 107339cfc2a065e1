package dev.turno.web.api;

import dev.turno.Turno;
import dev.turno.buffer.Buffers;
import dev.turno.inbox.Inbox;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Inboxes and buffers by name, from paths that callers wrote. To use a name is to define it, so only those who put may use a new one,
 * and there are not more than a thousand. Shared by threads.
 */
public final class Names {

    private static final int MOST = 1_000;

    private final Turno turno;
    private final Set<String> inboxes = ConcurrentHashMap.newKeySet();
    private final Set<String> taskTypes = ConcurrentHashMap.newKeySet();
    private final Set<String> buffers = ConcurrentHashMap.newKeySet();

    Names(Turno turno) {
        this.turno = turno;
    }

    boolean hasInbox(String name) {
        return isKnown(name, inboxes, turno::inboxNames);
    }

    boolean hasBuffer(String name) {
        return isKnown(name, buffers, turno::bufferNames);
    }

    /** One that was used before. */
    public Inbox inbox(String name) {
        if (!hasInbox(name)) {
            throw new NotFoundException(
                    "There is no inbox '" + name + "'. It comes into being with its first message.");
        }
        return turno.inbox(name);
    }

    public Inbox inboxForPut(String name) {
        requireRoom(hasInbox(name), inboxes, "inboxes");
        return turno.inbox(name);
    }

    /** One that was used before. */
    public Buffers buffer(String name) {
        if (!hasBuffer(name)) {
            throw new NotFoundException(
                    "There is no buffer '" + name + "'. It comes into being with its first message.");
        }
        return turno.buffers(name);
    }

    public Buffers bufferForAdd(String name) {
        requireRoom(hasBuffer(name), buffers, "buffers");
        return turno.buffers(name);
    }

    void requireTaskType(String type) {
        if (!isKnown(type, taskTypes, this::taskTypes)) {
            throw new NotFoundException(
                    "There are no tasks of type '" + type + "'. A type comes into being with its first task.");
        }
    }

    void requireRoomForTasks(String type) {
        requireRoom(isKnown(type, taskTypes, this::taskTypes), taskTypes, "types of tasks");
    }

    /** In the order of their names, from {@code first} on. */
    List<String> taskTypesFrom(String first) {
        return taskTypes().stream()
                .sorted()
                .filter(type -> type.compareTo(first) >= 0)
                .toList();
    }

    private List<String> taskTypes() {
        return turno.tasks().typeNames();
    }

    /** Names are never forgotten, so what was seen once need not be asked for again. */
    private static boolean isKnown(String name, Set<String> seen, Supplier<List<String>> all) {
        if (seen.contains(name)) {
            return true;
        }
        seen.addAll(all.get());
        return seen.contains(name);
    }

    private static void requireRoom(boolean known, Set<String> seen, String what) {
        if (!known && seen.size() >= MOST) {
            throw new IllegalArgumentException(
                    "There are " + seen.size() + " " + what
                            + " already; no more come into being by a put. Use one that exists, with ordering keys for example.");
        }
    }
}
