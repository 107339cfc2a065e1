package dev.turno.worker;

import dev.turno.claim.Claim;
import dev.turno.claim.ClaimableRows;
import dev.turno.holder.Heartbeat;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;

/** All that a worker has from its take until its verdict is written, and how it goes back unrun. Shared by threads. */
final class Hand<R> {

    static final Duration UNKNOWN_EVERY = Duration.ofSeconds(1);
    private static final long STALE_EVERY = Duration.ofMillis(100).toNanos();

    private final String who;
    private final ClaimableRows<R> rows;
    private final Heartbeat heartbeat;
    private final Watcher watcher;
    private final Map<Claim, Running<R>> held = new ConcurrentHashMap<>();

    /** Whoever brings something holds the one, who gives back what is not in the hand the other: nothing on its way is overlooked. */
    private final ReadWriteLock coming = new ReentrantReadWriteLock();

    private long lookedForUnknownAt = System.nanoTime(); // of the take loop alone
    private long lookedForStaleAt = lookedForUnknownAt; // of the take loop alone
    private long unknownUntil = lookedForUnknownAt; // guarded by this
    private volatile boolean mayHaveUnknown; // written under the lock of this

    Hand(String who, ClaimableRows<R> rows, Heartbeat heartbeat, Watcher watcher) {
        this.who = who;
        this.rows = rows;
        this.heartbeat = heartbeat;
        this.watcher = watcher;
    }

    int size() {
        return held.size();
    }

    Collection<Running<R>> all() {
        return held.values();
    }

    void add(Running<R> running) {
        held.put(running.claim(), running);
    }

    /** Of claims that are yet to be made: whatever is DOING under this process's name and not in the hand is given back. */
    void addEarly(List<Running<R>> all) {
        coming.readLock().lock();
        try {
            all.forEach(this::add);
        } finally {
            coming.readLock().unlock();
        }
    }

    /**
     * Of a claim that is made and put into the hand by {@code birth}, if this is no moment at which it could be overlooked: a stream
     * of them would leave no moment for looking.
     */
    boolean addBorn(BooleanSupplier birth) {
        if (mayHaveUnknown || !coming.readLock().tryLock()) {
            return false;
        }
        try {
            return birth.getAsBoolean();
        } finally {
            coming.readLock().unlock();
        }
    }

    /** True if it was there. */
    boolean remove(Claim claim) {
        return held.remove(claim) != null;
    }

    /** Rows may have been taken although no answer came, perhaps even after this moment. */
    synchronized void answerLost() {
        long until = System.nanoTime() + heartbeat.lease().toNanos();
        mayHaveUnknown = true;
        unknownUntil = until - unknownUntil > 0 ? until : unknownUntil;
    }

    boolean mayHaveUnknown() {
        return mayHaveUnknown;
    }

    /** Looks again and again, until one look was answered that was begun when the lost take could no longer be under way. */
    void giveBackUnknown() {
        if (System.nanoTime() - lookedForUnknownAt >= UNKNOWN_EVERY.toNanos()) {
            lookForUnknown();
        }
    }

    /** The same without a pause. While something is on its way into the hand, which may take long, nothing is looked for. */
    void lookForUnknown() {
        if (!mayHaveUnknown || !coming.writeLock().tryLock()) {
            return;
        }
        long now = System.nanoTime();
        int given;
        try {
            given = rows.giveBackUnknown(heartbeat.id(), List.copyOf(held.keySet()));
        } finally {
            coming.writeLock().unlock();
        }
        lookedForUnknownAt = now;
        looked(now);
        tellGivenBack(given);
    }

    private synchronized void looked(long begunAt) {
        mayHaveUnknown = begunAt - unknownUntil < 0;
    }

    /** Handlers have become slow: what waited for a thread for too long goes back to those who have one, at no attempt's cost. */
    void giveBackStale() {
        long now = System.nanoTime();
        if (now - lookedForStaleAt < STALE_EVERY) {
            return;
        }
        lookedForStaleAt = now;
        giveBackWaiting(all().stream().filter(Running::isStale).toList());
    }

    /** Gives back those that have not begun, so that others can run them; answers how many. */
    int giveBackWaiting(Collection<Running<R>> some) {
        List<Claim> claims =
                some.stream().filter(Running::withdraw).map(Running::claim).toList();
        if (claims.isEmpty()) {
            return 0;
        }
        try {
            int given = rows.giveBack(heartbeat.id(), claims);
            tellGivenBack(given);
            return given;
        } catch (RuntimeException e) {
            watcher.on(new WorkEvent.Trouble(who, e, Duration.ZERO));
            answerLost();
            return 0;
        } finally {
            claims.forEach(held::remove);
        }
    }

    private void tellGivenBack(int given) {
        if (given > 0) {
            watcher.on(new WorkEvent.GivenBack(who, given));
        }
    }
}
