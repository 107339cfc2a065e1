package dev.turno.worker;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** Counts what waits for a thread and what is not over, and rings for the loop that found no room. Shared by threads. */
final class Load {

    private final Bell bell;
    private final IntSupplier inHand;
    private final BooleanSupplier backlog;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger unfinished = new AtomicInteger();
    private final AtomicInteger rush = new AtomicInteger();
    private volatile int most = Integer.MAX_VALUE;
    private volatile boolean starved;

    /** Woken for each item that ends, a loop that takes many at once would do little else. */
    private volatile int enoughAt;

    /** @param backlog true while so many verdicts wait to be written that nothing more should come */
    Load(Bell bell, IntSupplier inHand, BooleanSupplier backlog) {
        this.bell = bell;
        this.inHand = inHand;
        this.backlog = backlog;
    }

    /** At most so many in hand from now on. */
    void atMost(int items) {
        most = items;
        bell.ring();
    }

    /** How many to take; 0: none now, and the bell rings when there is room. */
    int ask(int batch, int capacity) {
        starved = true; // said before anything is counted: whoever makes room meanwhile rings
        // Few big bites instead of many small ones, unless a thread would stand idle.
        int bite = Math.min(batch, capacity / 2);
        enoughAt = capacity - bite; // said before it is counted, too
        int room = Math.min(Math.min(batch, most - inHand.getAsInt()), capacity - unfinished.get());
        boolean hungry = waiting.get() == 0 || room >= bite;
        if (!hungry || room <= 0 || backlog.getAsBoolean()) {
            return 0;
        }
        starved = false;
        return room;
    }

    /** True if an item that came now would begin now. */
    boolean isIdle(int threads) {
        return waiting.get() == 0 && unfinished.get() < Math.min(threads, most) && !isRushed();
    }

    /** So many wait for a thread from now on. */
    void came(int items) {
        unfinished.addAndGet(items);
        waiting.addAndGet(items);
    }

    /** One that came found no thread, because all of them have ended. */
    void turnedAway() {
        waiting.decrementAndGet();
        unfinished.decrementAndGet();
    }

    /** One that waited has a thread now. */
    void begins() {
        if (waiting.decrementAndGet() == 0 && starved) {
            bell.ring(); // the loop held back because something waited
        }
    }

    /** One that had a thread has none any more. */
    void ended() {
        int left = unfinished.decrementAndGet();
        if (starved && (left <= enoughAt || waiting.get() == 0)) {
            bell.ring();
        }
    }

    /** Some verdicts are written: it may have been their backlog that kept the loop from taking. */
    void settled() {
        if (starved) {
            bell.ring();
        }
    }

    /** True while a peak is being started: its handlers need the processor more than anybody else does. */
    boolean isRushed() {
        return rush.get() > 0;
    }

    /** A peak of so many begins. */
    void peakBegins(int items) {
        rush.addAndGet(items);
    }

    /** One of a peak has its turn. */
    void peakItemBegan() {
        rush.decrementAndGet();
    }

    /** Nobody waits for the rest of a peak any more. */
    void peakIsOver() {
        rush.set(0);
    }
}
