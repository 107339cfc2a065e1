package dev.turno.worker;

import dev.turno.claim.Verdict;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Joins the verdicts of all handler threads into few statements. A verdict that could not be written is tried until it is:
 * finishing twice with the same fence is harmless. Owns one thread.
 */
final class FinishBatcher<R> implements AutoCloseable {

    record Item<R>(Running<R> running, Verdict verdict) {}

    /** One that could not be written together with others, perhaps because of itself: never joined with others again. */
    private record Single<R>(Item<R> item, int failures, long dueAt) {}

    private static final long LATER = Duration.ofMillis(100).toNanos();
    private static final long LINGER = Duration.ofMillis(5).toNanos();
    private static final Backoff TROUBLE = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(2));
    private static final int FAILURES_BEFORE_SINGLES = 3;
    private static final long SINGLES_AT_ONCE = Duration.ofMillis(100).toNanos();

    private final String who;
    private final int batch;
    private final Consumer<List<Item<R>>> write;
    private final BooleanSupplier rushed;
    private final Watcher watcher;
    private final LinkedBlockingQueue<Item<R>> queue = new LinkedBlockingQueue<>();
    private final Queue<Item<R>> later = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Single<R>> singles = // of the thread alone
            new PriorityQueue<>((one, other) -> Long.compare(one.dueAt() - other.dueAt(), 0));
    private final Thread thread;
    private volatile int singleCount;
    private long askedLaterAt;
    private volatile boolean closed;
    private volatile long giveUpAt;

    FinishBatcher(String who, int batch, Consumer<List<Item<R>>> write, BooleanSupplier rushed, Watcher watcher) {
        this.who = who;
        this.batch = batch;
        this.write = write;
        this.rushed = rushed;
        this.watcher = watcher;
        this.thread = new Thread(this::loop, "turno-finish " + who);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void add(Item<R> item) {
        queue.add(item);
        if (queue.size() >= batch && !rushed.getAsBoolean()) {
            LockSupport.unpark(thread);
        }
    }

    /** To be asked again in a moment, not at once: somebody else has to end a transaction first. */
    void addLater(Item<R> item) {
        later.add(item);
    }

    private void askLaterOnes() {
        long now = System.nanoTime();
        if (now - askedLaterAt >= LATER) {
            askedLaterAt = now;
            for (Item<R> item = later.poll(); item != null; item = later.poll()) {
                queue.add(item);
            }
        }
    }

    /** True if verdicts come faster than they can be written: take no more for a moment. */
    boolean isFull() {
        return queue.size() + singleCount >= 4 * batch;
    }

    private void loop() {
        while (!closed || !queue.isEmpty() || isAskingAgain()) {
            try {
                writeSingles();
                List<Item<R>> items = next();
                if (!items.isEmpty()) {
                    writeUntilWritten(items);
                }
            } catch (Throwable e) {
                watcher.on(new WorkEvent.Trouble(who, e, Duration.ZERO));
            }
        }
    }

    private boolean isAskingAgain() {
        return (!later.isEmpty() || !singles.isEmpty()) && System.nanoTime() - giveUpAt < 0;
    }

    private List<Item<R>> next() {
        List<Item<R>> items = new ArrayList<>();
        askLaterOnes();
        try {
            Item<R> first = queue.poll(100, TimeUnit.MILLISECONDS);
            if (first == null) {
                return items;
            }
            items.add(first);
        } catch (InterruptedException e) {
            return items; // nobody interrupts this thread but a careless library; go on
        }
        if (queue.size() < batch - 1 && !closed) {
            LockSupport.parkNanos(LINGER);
        }
        letOthersStart();
        queue.drainTo(items, batch - 1);
        return items;
    }

    /** Verdicts of a peak can wait for a moment until the rest of it has begun. */
    private void letOthersStart() {
        long until = System.nanoTime() + LATER;
        while (rushed.getAsBoolean() && !closed && System.nanoTime() - until < 0) {
            LockSupport.parkNanos(LINGER);
        }
    }

    private void writeUntilWritten(List<Item<R>> items) {
        for (int failures = 1; ; failures++) {
            try {
                write.accept(items);
                return;
            } catch (RuntimeException | Error e) {
                Duration wait = TROUBLE.after(failures);
                watcher.on(new WorkEvent.Trouble(who, e, wait));
                if (closed && System.nanoTime() - giveUpAt > 0) {
                    return; // the process ends; what was not written lapses and is handled again
                }
                LockSupport.parkNanos(wait.toNanos());
            }
            if (failures >= FAILURES_BEFORE_SINGLES) {
                // One verdict that the database cannot take must not keep the others, nor those that came meanwhile.
                long now = System.nanoTime();
                items.forEach(item -> singles.add(new Single<>(item, 0, now)));
                singleCount = singles.size();
                return;
            }
        }
    }

    /** Those that are due, for a moment, until one fails: if the database is away, all of them would. */
    private void writeSingles() {
        long until = System.nanoTime() + SINGLES_AT_ONCE;
        boolean goesOn = true;
        while (goesOn && !singles.isEmpty() && singles.peek().dueAt() - System.nanoTime() <= 0) {
            goesOn = writeOnce(singles.remove()) && System.nanoTime() - until < 0;
        }
        singleCount = singles.size();
    }

    private boolean writeOnce(Single<R> single) {
        try {
            write.accept(List.of(single.item()));
            return true;
        } catch (RuntimeException | Error e) {
            int failures = single.failures() + 1;
            Duration wait = TROUBLE.after(failures);
            singles.add(new Single<>(single.item(), failures, System.nanoTime() + wait.toNanos()));
            watcher.on(new WorkEvent.Trouble(who, e, wait));
            return false;
        }
    }

    /** Writes what is left, for at most {@code atMost}. */
    void close(Duration atMost) {
        giveUpAt = System.nanoTime() + atMost.toNanos();
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(atMost.toMillis() + 100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        close(Duration.ofSeconds(5));
    }
}
