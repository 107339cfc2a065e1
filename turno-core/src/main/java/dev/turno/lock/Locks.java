package dev.turno.lock;

import dev.turno.claim.ClaimLostException;
import dev.turno.holder.Heartbeat;
import dev.turno.lock.LockTable.Hold;
import dev.turno.lock.LockTable.Seen;
import dev.turno.sql.Database;
import dev.turno.sql.StorableText;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import dev.turno.worker.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Named locks, one holder at a time in all processes of the namespace. Shared by threads.
 *
 * <pre>{@code
 * LockOutcome<Report> outcome = turno.locks().whileHolding("monthly-report", lease -> buildReport());
 * }</pre>
 */
public final class Locks {

    public static final int LONGEST_NAME = 255;
    public static final int MOST_AT_ONCE = 100;
    public static final int LONGEST_PAGE = 1_000;
    private static final long PAUSE = Duration.ofMillis(10).toNanos();

    private final LockTable table;
    private final Heartbeat heartbeat;
    private final Deadlines deadlines;
    private final Watcher watcher;
    private final Lines lines = new Lines();
    private final Keeper keeper;
    private final CleanUp cleanUp;
    private final Runnable watch;
    private volatile LockTerms usual = LockTerms.defaults();
    private volatile boolean closed;
    private boolean started; // guarded by this

    /** For the facade. */
    @SuppressWarnings("exports")
    public Locks(Database database, String namespace, Heartbeat heartbeat, Deadlines deadlines, Watcher watcher) {
        this.table = new LockTable(database, namespace);
        this.heartbeat = heartbeat;
        this.deadlines = deadlines;
        this.watcher = watcher;
        this.keeper = new Keeper(
                table, lines, database.time(), watcher, database.dialect().survivesInterrupts());
        this.cleanUp = new CleanUp(table, () -> usual, watcher);
        this.watch = keeper::watch;
    }

    /** For the facade: renews, watches and cleans up from now on. */
    public synchronized void start() {
        if (!started && !closed) {
            started = true;
            keeper.start();
            cleanUp.start();
            deadlines.watch(watch);
        }
    }

    /** For the facade: the terms of takings that say none, and of the clean-up, from now on. */
    public void use(LockTerms terms) {
        usual = terms;
        cleanUp.look();
    }

    /** The terms of takings that say none. */
    public LockTerms terms() {
        return usual;
    }

    /** One round of renewals and deadlines by hand. */
    public void beat() {
        keeper.beat();
    }

    /** False while locks cannot be renewed because the database is away. */
    public boolean isTroubled() {
        return keeper.isTroubled();
    }

    /** Takes the lock on the usual terms. */
    public TakeOutcome<Lease> tryTake(String name) {
        return tryTake(name, usual);
    }

    /** Takes the lock if it is free, or becomes free while the terms allow to wait. Whoever gets the lease has to close it. */
    public TakeOutcome<Lease> tryTake(String name, LockTerms terms) {
        requireOpen();
        return told(name, new Taking(keeper, lines, requireName(name), terms, heartbeat.id(), heartbeat.node()).run());
    }

    private TakeOutcome<Lease> told(String name, TakeOutcome<Lease> outcome) {
        watcher.on(outcome.fold(
                taken -> new WorkEvent.LockTaken(name, taken.lease().fence()),
                busy -> new WorkEvent.LockBusy(name, busy.holder()),
                away -> new WorkEvent.LockUnavailable(name, away.why())));
        return outcome;
    }

    /**
     * Takes all of them, or none, one after the other in the order of their names: callers that want overlapping sets cannot
     * wait for each other. The time to wait is for all of them together.
     */
    public TakeOutcome<Leases> tryTakeAll(Collection<String> names, LockTerms terms) {
        SortedSet<String> sorted = requireNames(names);
        long start = System.nanoTime();
        List<Lease> held = new ArrayList<>();
        try {
            for (String name : sorted) {
                TakeOutcome<Lease> outcome = tryTake(name, waitingLess(terms, System.nanoTime() - start));
                if (!(outcome instanceof TakeOutcome.Taken<Lease> taken)) {
                    held.forEach(Lease::close);
                    return outcome.fold(
                            never -> new TakeOutcome.Unavailable<>(""),
                            busy -> new TakeOutcome.Busy<>(busy.holder(), busy.until()),
                            away -> new TakeOutcome.Unavailable<>(away.why()));
                }
                held.add(taken.lease());
            }
        } catch (RuntimeException e) {
            held.forEach(Lease::close);
            throw e;
        }
        return allOrNone(new Leases(held), terms);
    }

    private static LockTerms waitingLess(LockTerms terms, long nanos) {
        Duration left = terms.waitUpTo().minusNanos(nanos);
        return terms.with(less -> less.waitUpTo(left.isNegative() ? Duration.ZERO : left));
    }

    private static TakeOutcome<Leases> allOrNone(Leases leases, LockTerms terms) {
        if (!leases.isLost()) {
            return new TakeOutcome.Taken<>(leases);
        }
        leases.close();
        return new TakeOutcome.Unavailable<>(
                "The first of the locks " + leases.all() + " lapsed before the last was taken:"
                        + " their lease of " + terms.lease()
                        + " is too short for that. None is held. Take a longer lease, or have it"
                        + " renewed.");
    }

    /** Runs the action while holding the lock, on the usual terms. */
    public <T extends @Nullable Object, E extends Exception> LockOutcome<T> whileHolding(
            String name, LockAction<Lease, T, E> action) throws E {
        return whileHolding(name, usual, action);
    }

    /**
     * Runs the action while holding the lock, and gives it back. If the lock is lost meanwhile the thread is interrupted; the
     * outcome is then Lost, also if the action threw. Otherwise what the action throws is thrown.
     */
    public <T extends @Nullable Object, E extends Exception> LockOutcome<T> whileHolding(
            String name, LockTerms terms, LockAction<Lease, T, E> action) throws E {
        TakeOutcome<Lease> outcome = tryTake(name, terms);
        if (outcome instanceof TakeOutcome.Taken<Lease> taken) {
            return run(List.of(taken.lease()), taken.lease(), action);
        }
        return notRun(outcome);
    }

    /** Runs the action while holding all of the locks; see {@link #tryTakeAll} and {@link #whileHolding}. */
    public <T extends @Nullable Object, E extends Exception> LockOutcome<T> whileHoldingAll(
            Collection<String> names, LockTerms terms, LockAction<Leases, T, E> action) throws E {
        TakeOutcome<Leases> outcome = tryTakeAll(names, terms);
        if (outcome instanceof TakeOutcome.Taken<Leases> taken) {
            return run(taken.lease().all(), taken.lease(), action);
        }
        return notRun(outcome);
    }

    private static <T extends @Nullable Object> LockOutcome<T> notRun(TakeOutcome<?> outcome) {
        if (outcome instanceof TakeOutcome.Busy<?> busy) {
            return new LockOutcome.Busy<>(busy.holder(), busy.until());
        }
        return new LockOutcome.Unavailable<>(((TakeOutcome.Unavailable<?>) outcome).why());
    }

    private <L, T extends @Nullable Object, E extends Exception> LockOutcome<T> run(
            List<Lease> held, L lease, LockAction<L, T, E> action) throws E {
        T value;
        try {
            if (!keeper.begin(held)) {
                giveBack(held);
                return lost(held, Optional.empty(), Optional.empty());
            }
            value = action.run(lease);
        } catch (Throwable e) {
            boolean kept = giveBack(held);
            keeper.failed(held);
            if (kept || !(e instanceof Exception failure)) {
                throw e;
            }
            return lost(held, Optional.empty(), Optional.of(failure));
        }
        return giveBack(held) ? new LockOutcome.Ran<>(value) : lost(held, Optional.ofNullable(value), Optional.empty());
    }

    /** False if one of them was lost. */
    private boolean giveBack(List<Lease> held) {
        keeper.end(held);
        boolean kept = true;
        for (Lease lease : held) {
            kept &= lease.closeOnce() ? keeper.giveBack(lease) : !lease.isLost();
        }
        return kept;
    }

    private <T extends @Nullable Object> LockOutcome<T> lost(
            List<Lease> held, Optional<T> value, Optional<Exception> failure) {
        Lease first = held.stream().filter(Lease::isLost).findFirst().orElse(held.get(0));
        return new LockOutcome.Lost<>(value, keeper.whoHas(first), failure);
    }

    /** Whether anybody has it now. */
    public boolean isTaken(String name) {
        return holderOf(name).isPresent();
    }

    /** Who has it now, since when and until when. */
    public Optional<LockView> holderOf(String name) {
        return table.find(requireName(name)).filter(Seen::isTaken).map(Seen::view);
    }

    /** Those that are taken now, in the order of their names. */
    public LockPage list(Optional<String> after, int limit) {
        if (limit < 1 || limit > LONGEST_PAGE) {
            throw new IllegalArgumentException("A page has 1 to " + LONGEST_PAGE + " items, not " + limit + ".");
        }
        List<LockView> found = table.list(after.orElse(""), limit + 1);
        List<LockView> items = found.subList(0, Math.min(limit, found.size()));
        Optional<String> next =
                found.size() > limit ? Optional.of(items.get(limit - 1).name()) : Optional.empty();
        return new LockPage(List.copyOf(items), next);
    }

    /**
     * The lease that was given out under this fence, perhaps by another process, for holders outside that only know the fence. It
     * is not renewed by itself.
     *
     * @throws ClaimLostException if the lock is not held under this fence
     */
    public Lease leaseOf(String name, long fence) {
        long asked = keeper.nanos();
        Seen seen = table.find(requireName(name))
                .filter(found ->
                        found.view().fence() == fence && found.leaseId().isPresent() && found.isTaken())
                .orElseThrow(() -> new ClaimLostException("Lock '" + name + "' is not held under fence " + fence
                        + ": it was released, lapsed, or never had that fence. Nothing was changed. Only its holder, with"
                        + " the fence of the taking, can renew or release it."));
        Duration left = Duration.between(seen.askedAt(), seen.view().until());
        Hold hold = new Hold(name, seen.leaseId().orElseThrow(), fence);
        return new Lease(keeper, hold, seen.lease(), asked, asked + left.toNanos());
    }

    /**
     * Takes the lock from whoever has it; its holder learns that at its next renewal, guard or release. Answers whom it was taken
     * from; empty if nobody had it.
     *
     * @param reason told to the watchers, with {@code who}: it goes to the log and the audit
     * @throws IllegalStateException if it guards a transaction that is open now
     */
    public Optional<LockView> forceRelease(String name, String reason, String who) {
        requireSaid("reason", reason);
        requireSaid("name of the person", who);
        Optional<Seen> seen = table.find(requireName(name)).filter(Seen::isTaken);
        if (seen.isEmpty() || !forceRelease(seen.get())) {
            return Optional.empty();
        }
        LockView view = seen.get().view();
        watcher.on(new WorkEvent.LockForced(name, view.node(), view.fence(), reason, who));
        lines.released(name);
        return Optional.of(view);
    }

    /** Exactly the taking that was seen, not one that came after it. */
    private boolean forceRelease(Seen seen) {
        LockView view = seen.view();
        Hold hold = new Hold(view.name(), seen.leaseId().orElseThrow(), view.fence());
        return table.releaseUnlessGuarded(hold)
                .orElseThrow(() -> new IllegalStateException("Lock '" + view.name() + "' guards an open transaction of "
                        + view.node() + "'s, and is still held. Try again when that has ended."));
    }

    /** Removes locks that nobody took for long, by hand; answers how many. Their fences never go back nevertheless. */
    public int cleanUp() {
        return table.removeOld(usual.keep());
    }

    private static void requireSaid(String what, String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("The " + what + " is blank; say it, for those who read the log later.");
        }
    }

    private static SortedSet<String> requireNames(Collection<String> names) {
        if (names.isEmpty() || names.size() > MOST_AT_ONCE) {
            throw new IllegalArgumentException(
                    "There are " + names.size() + " names of locks; use 1 to " + MOST_AT_ONCE + ".");
        }
        names.forEach(Locks::requireName);
        return new TreeSet<>(names);
    }

    private static String requireName(String name) {
        StorableText.require("name of a lock", name, LONGEST_NAME);
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "The name of a lock is blank; use 1 to " + LONGEST_NAME + " characters, not all blank.");
        }
        return name;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("Turno was closed; no lock can be taken any more. Nothing was changed.");
        }
    }

    /**
     * For the facade: takes nothing more and waits for running actions, at most {@code drain}. Those that run on are interrupted,
     * and their locks lapse by themselves: giving them back would let others in beside them.
     */
    public void close(Duration drain) {
        closed = true;
        long deadline = System.nanoTime() + drain.toNanos();
        while (!keeper.isIdle() && deadline - System.nanoTime() > 0) {
            LockSupport.parkNanos(PAUSE);
        }
        deadlines.forget(watch);
        cleanUp.close();
        keeper.close();
    }
}
