package dev.turno.lock;

import dev.turno.claim.DatabaseAwayException;
import dev.turno.claim.Finish;
import dev.turno.lock.LockTable.Hold;
import dev.turno.time.Time;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What this process holds: renews it, watches over it, gives it back. Shared by threads; owns one thread between {@link #start}
 * and {@link #close}. Tests call {@link #beat} themselves instead of starting it.
 */
final class Keeper implements AutoCloseable {

    static final long SOON = Duration.ofMillis(10).toNanos();
    private static final long IDLE = Duration.ofSeconds(1).toNanos();
    private static final Duration PAUSE_IN_TROUBLE = Duration.ofMillis(100);

    private final LockTable table;
    private final Lines lines;
    private final Time time;
    private final Watcher watcher;
    private final boolean interrupts;
    private final Set<Lease> renewing = ConcurrentHashMap.newKeySet();
    private final Set<Lease> running = ConcurrentHashMap.newKeySet();
    private final Set<Lease> leaving = ConcurrentHashMap.newKeySet();
    private final Queue<Lease> departing = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::loop, "turno-lock-renewal");
    private volatile long wakeAt;
    private volatile boolean troubled;
    private volatile boolean closed;

    Keeper(LockTable table, Lines lines, Time time, Watcher watcher, boolean interrupts) {
        this.table = table;
        this.lines = lines;
        this.time = time;
        this.watcher = watcher;
        this.interrupts = interrupts;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    LockTable table() {
        return table;
    }

    /** Whether an action is interrupted when its lock is lost: the database may not survive that. */
    boolean interrupts() {
        return interrupts;
    }

    long nanos() {
        return time.nanos();
    }

    void keepRenewing(Lease lease) {
        renewing.add(lease);
        if (lease.renewAt() - wakeAt < 0) {
            LockSupport.unpark(thread);
        }
    }

    void renewNoMore(Lease lease) {
        renewing.remove(lease);
    }

    /** An action begins under these; false if one of them is lost by now. */
    boolean begin(List<Lease> leases) {
        running.addAll(leases);
        return leases.stream().allMatch(Lease::begin);
    }

    void end(List<Lease> leases) {
        leases.forEach(Lease::end);
        leases.forEach(running::remove);
    }

    boolean isIdle() {
        return running.isEmpty();
    }

    /** Interrupts actions whose local deadline has passed. */
    void watch() {
        for (Lease lease : running) {
            boolean unused = lease.isLost();
        }
    }

    /** One round: watches the deadlines, renews what is due, gives back what could not be given back before. */
    void beat() {
        watch();
        if (renewing.stream().anyMatch(this::isDue)) {
            Set<Hold> unused = renew(List.copyOf(renewing));
        }
        lookAfterLeaving();
        depart();
    }

    private boolean isDue(Lease lease) {
        return time.nanos() - lease.renewAt() >= 0;
    }

    Finish renew(Lease lease) {
        boolean renewed = !lease.isLost() && renew(List.of(lease)).contains(lease.hold());
        if (lease.isLost()) {
            return lost(lease);
        }
        return renewed ? new Finish.Kept() : new Finish.Open();
    }

    private Set<Hold> renew(Collection<Lease> leases) {
        // Believed from before the question: the answer may have been long on its way.
        long asked = time.nanos();
        List<Lease> alive = leases.stream().filter(lease -> !lease.isLost()).toList();
        renewing.removeAll(leases.stream().filter(Lease::isLost).toList());
        Set<Hold> renewed = table.renew(holds(alive));
        List<Lease> others =
                alive.stream().filter(lease -> !renewed.contains(lease.hold())).toList();
        alive.stream().filter(lease -> renewed.contains(lease.hold())).forEach(lease -> lease.renewed(asked));
        if (!others.isEmpty()) {
            lookAt(others, asked);
        }
        return renewed;
    }

    private void lookAt(List<Lease> notRenewed, long asked) {
        Set<Hold> standing = table.standing(holds(notRenewed));
        for (Lease lease : notRenewed) {
            if (standing.contains(lease.hold())) {
                lease.postponed(asked);
            } else if (!lease.isLeaving()) {
                renewing.remove(lease);
                lease.lose("its renewal was refused: " + whoHas(lease) + " has it now");
            }
        }
    }

    private static List<Hold> holds(List<Lease> leases) {
        return leases.stream().map(Lease::hold).toList();
    }

    void lost(Lease lease, String because) {
        watcher.on(new WorkEvent.LockLost(lease.name(), lease.fence(), because));
    }

    private static Finish lost(Lease lease) {
        return new Finish.Lost(lease + " was lost before.");
    }

    /** Who has the lock of a lost lease now, in words. */
    String whoHas(Lease lease) {
        try {
            return table.find(lease.name())
                    .filter(seen -> seen.isTaken() && !seen.isHeldBy(lease.hold()))
                    .map(seen -> seen.view().node())
                    .orElse("nobody");
        } catch (DatabaseAwayException e) {
            return "somebody unknown (the database could not be asked)";
        }
    }

    /** Of a lease that was closed just now. */
    Finish release(Lease lease) {
        renewing.remove(lease);
        if (lease.isLeaving()) {
            return leave(lease);
        }
        try {
            Finish finish = releaseInTable(lease);
            lines.released(lease.name());
            return finish;
        } catch (DatabaseAwayException e) {
            departing.add(lease);
            throw e;
        }
    }

    /** It was given back in a transaction that has ended, most likely by a commit. */
    private Finish leave(Lease lease) {
        leaving.add(lease);
        lines.released(lease.name());
        return lease.isLost() ? lost(lease) : new Finish.Kept();
    }

    /** Those whose transaction was rolled back after all are given back by hand. */
    private void lookAfterLeaving() {
        List<Lease> left = List.copyOf(leaving);
        if (!left.isEmpty()) {
            Set<Hold> standing = table.standing(holds(left));
            left.forEach(leaving::remove);
            left.stream().filter(lease -> standing.contains(lease.hold())).forEach(departing::add);
        }
    }

    /** An action failed: if its transaction gave the lock back, it was probably rolled back. */
    void failed(List<Lease> leases) {
        if (leases.stream().anyMatch(Lease::isLeaving)) {
            LockSupport.unpark(thread);
        }
    }

    private Finish releaseInTable(Lease lease) {
        Optional<Boolean> released =
                lease.isGuarded() ? table.releaseUnlessGuarded(lease.hold()) : Optional.of(table.release(lease.hold()));
        if (released.isEmpty()) {
            departing.add(lease);
            return new Finish.Open();
        }
        if (lease.isLost()) {
            return lost(lease);
        }
        if (released.get()) {
            return new Finish.Kept();
        }
        String because = "somebody else took it since, or a person released it";
        lease.foundLost(because);
        return new Finish.Lost(lease + " was lost: " + because + ".");
    }

    /** As {@link #release}, but what goes wrong is only told; false if the lock was lost. */
    boolean giveBack(Lease lease) {
        try {
            Finish finish = release(lease);
            return !(finish instanceof Finish.Lost);
        } catch (RuntimeException e) {
            // The action's result stands, whatever becomes of the release.
            watcher.on(new WorkEvent.Trouble("release of lock " + lease.name(), e, PAUSE_IN_TROUBLE));
            return !lease.isLost();
        }
    }

    private void depart() {
        for (int left = departing.size(); left > 0; left--) {
            Lease lease = departing.poll();
            if (lease == null) {
                return;
            }
            if (lease.deadline() - time.nanos() < 0) {
                continue; // its lease has passed: it is free in any case
            }
            depart(lease);
        }
    }

    private void depart(Lease lease) {
        try {
            if (table.releaseUnlessGuarded(lease.hold()).isEmpty()) {
                departing.add(lease);
            } else {
                lines.released(lease.name());
            }
        } catch (DatabaseAwayException e) {
            departing.add(lease);
            throw e;
        }
    }

    private void loop() {
        while (!closed) {
            long wait = untilNext();
            try {
                LockSupport.parkNanos(wait);
                beat();
                recovered();
            } catch (Throwable e) {
                troubled = true;
                watcher.on(new WorkEvent.Trouble("renewal of locks", e, PAUSE_IN_TROUBLE));
            }
        }
    }

    private void recovered() {
        if (troubled) {
            troubled = false;
            watcher.on(new WorkEvent.Recovered("renewal of locks"));
        }
    }

    private long untilNext() {
        long now = time.nanos();
        wakeAt = now + IDLE;
        long wait = departing.isEmpty() && !troubled ? IDLE : PAUSE_IN_TROUBLE.toNanos();
        for (Lease lease : renewing) {
            wait = Math.min(wait, troubled ? PAUSE_IN_TROUBLE.toNanos() : lease.renewAt() - now);
        }
        wakeAt = now + wait;
        return Math.max(wait, 0);
    }

    boolean isTroubled() {
        return troubled;
    }

    /** Renews no more. Whoever still runs under a lock is told; what was not given back lapses by itself. */
    @Override
    public void close() {
        for (Lease lease : running) {
            lease.lose("Turno was closed while its action ran");
        }
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
