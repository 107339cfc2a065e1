package dev.turno.web.dashboard;

import dev.turno.Turno;
import dev.turno.holder.Holder;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxState;
import dev.turno.lock.LockPage;
import dev.turno.lock.LockView;
import dev.turno.task.TaskFigures;
import dev.turno.task.TaskState;
import dev.turno.web.api.Overview;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a person should look at, asked for at most every two seconds however many look. Shared by threads. */
public final class Attention {

    private static final Duration FRESH = Duration.ofSeconds(2);
    private static final Duration LATE = Duration.ofMinutes(1);
    private static final Duration LONG = Duration.ofHours(1);
    private static final int MOST_LOCKS = 200;

    /**
     * Something to look at. The page has a sentence for each kind.
     *
     * @param kind {@code dead}, {@code lost}, {@code late}, ...
     * @param of the feature: {@code inbox}, {@code task}, ...
     * @param name of the thing
     * @param since when it began, or was last seen
     */
    public record Item(String kind, String of, String name, long count, Optional<Instant> since) {}

    /** Adds what a module knows of; a bean of this type. */
    @FunctionalInterface
    public interface Source {
        List<Item> items();
    }

    private final Turno turno;
    private final Overview overview;
    private final List<Source> others;
    private List<Item> last = List.of(); // guarded by this, as is the next
    private long askedAt = System.nanoTime() - FRESH.toNanos();

    Attention(Turno turno, Overview overview, List<Source> others) {
        this.turno = turno;
        this.overview = overview;
        this.others = List.copyOf(others);
    }

    public synchronized List<Item> items() {
        if (System.nanoTime() - askedAt >= FRESH.toNanos()) {
            last = look();
            askedAt = System.nanoTime();
        }
        return last;
    }

    private List<Item> look() {
        Overview.Features features = overview.features();
        List<Item> items = new ArrayList<>();
        features.holders().forEach(holder -> holder(items, holder));
        features.inboxes().forEach(inbox -> inbox(items, inbox));
        features.buffers()
                .forEach(buffer ->
                        dead(items, "buffer", buffer.name(), buffer.counts().dead(), Optional.empty()));
        unseen(items, "inbox", features.moreInboxes());
        unseen(items, "buffer", features.moreBuffers());
        features.tasks().forEach(figures -> tasks(items, figures));
        schedules(items);
        dead(items, "run", "", features.runs().dead(), Optional.empty());
        locks(items);
        others.forEach(other -> items.addAll(other.items()));
        return List.copyOf(items);
    }

    private static void holder(List<Item> items, Holder holder) {
        add(
                items,
                (holder.lapsed() || holder.reapedAt().isPresent()) && !holder.hasLeft(),
                new Item("lost", "holder", holder.node(), 1, Optional.of(holder.leaseUntil())));
    }

    private void inbox(List<Item> items, Overview.InboxFigures figures) {
        int dead = figures.counts().dead();
        if (dead > 0) {
            Inbox inbox = turno.inbox(figures.name());
            Optional<Instant> newest =
                    inbox.list(InboxState.DEAD, Optional.empty(), Optional.empty(), 1).items().stream()
                            .findFirst()
                            .flatMap(message -> message.finishedAt());
            dead(items, "inbox", figures.name(), dead, newest);
        }
        add(
                items,
                figures.paused(),
                new Item("paused", "inbox", figures.name(), figures.counts().pending(), Optional.empty()));
    }

    private static void dead(List<Item> items, String of, String name, int dead, Optional<Instant> newest) {
        add(items, dead > 0, new Item("dead", of, name, dead, newest));
    }

    /** So that nobody takes silence about them for good news. */
    private static void unseen(List<Item> items, String of, int more) {
        add(items, more > 0, new Item("unseen", of, "", more, Optional.empty()));
    }

    private static void tasks(List<Item> items, TaskFigures figures) {
        dead(items, "task", figures.type(), figures.byState().getOrDefault(TaskState.DEAD, 0), Optional.empty());
        add(
                items,
                figures.isStranded(),
                new Item("stranded", "task", figures.type(), figures.overdue(), Optional.empty()));
        add(
                items,
                figures.overdue() > 0 && !figures.isStranded(),
                new Item("overdue", "task", figures.type(), figures.overdue(), Optional.empty()));
    }

    private void schedules(List<Item> items) {
        Instant late = Instant.now().minus(LATE);
        turno.tasks().crons().list().forEach(schedule -> {
            Optional<Instant> next = schedule.next();
            add(
                    items,
                    next.isPresent() && next.get().isBefore(late),
                    new Item("late", "schedule", schedule.name(), 1, next));
        });
    }

    private void locks(List<Item> items) {
        LockPage page = turno.locks().list(Optional.empty(), MOST_LOCKS);
        page.items().forEach(lock -> lock(items, lock));
        // How many more there are nobody has counted, so it says how many were looked at.
        add(items, page.next().isPresent(), new Item("unseen", "lock", "", MOST_LOCKS, Optional.empty()));
    }

    private static void lock(List<Item> items, LockView lock) {
        add(
                items,
                lock.takenAt().isBefore(Instant.now().minus(LONG)),
                new Item("long", "lock", lock.name(), 1, Optional.of(lock.takenAt())));
    }

    private static void add(List<Item> items, boolean so, Item item) {
        if (so) {
            items.add(item);
        }
    }
}
