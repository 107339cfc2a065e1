package dev.turno.lock;

import dev.turno.claim.DatabaseAwayException;
import dev.turno.claim.HolderId;
import dev.turno.lock.LockTable.Hold;
import dev.turno.lock.LockTable.Seen;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One call to take one lock: as often as it tries, its lease id stays the same, so that a taking whose answer was lost is found
 * again. Belongs to one thread.
 */
final class Taking {

    /** How often a free lock is tried that somebody else is just writing, or guards; then its last holder is named. */
    private static final int TRIES = 10;

    private static final long LONGEST_PAUSE = Duration.ofMillis(3).toNanos();

    /** A failure that came sooner is worth a second try: the pool may have had a connection that was dead already. */
    private static final long QUICK = Duration.ofSeconds(1).toNanos();

    private final Keeper keeper;
    private final Lines lines;
    private final String name;
    private final LockTerms terms;
    private final HolderId holder;
    private final String node;
    private final long leaseId = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    private String lastHolder = "";

    Taking(Keeper keeper, Lines lines, String name, LockTerms terms, HolderId holder, String node) {
        this.keeper = keeper;
        this.lines = lines;
        this.name = name;
        this.terms = terms;
        this.holder = holder;
        this.node = node;
    }

    /** An interrupt ends the waiting: the answer is what was known last, and the thread stays interrupted. */
    TakeOutcome<Lease> run() {
        TakeOutcome<Lease> outcome = waiting();
        for (int retry = 0; retry < terms.retries() && !isTaken(outcome) && rested(); retry++) {
            outcome = waiting();
        }
        return outcome;
    }

    private boolean rested() {
        try {
            TimeUnit.NANOSECONDS.sleep(terms.delay().toNanos());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean isTaken(TakeOutcome<Lease> outcome) {
        return outcome instanceof TakeOutcome.Taken<Lease>;
    }

    private static boolean isBusy(TakeOutcome<Lease> outcome) {
        return outcome instanceof TakeOutcome.Busy<Lease>;
    }

    private TakeOutcome<Lease> waiting() {
        if (terms.waitUpTo().isZero()) {
            return attempt(false);
        }
        long deadline = System.nanoTime() + terms.waitUpTo().toNanos();
        // Those who wait already go first, and one of them asks for all.
        Optional<TakeOutcome<Lease>> first = lines.isWaitedFor(name) ? Optional.empty() : Optional.of(attempt(false));
        if (first.isPresent() && !isBusy(first.get())) {
            return first.get();
        }
        return inLine(deadline).or(() -> first).orElseGet(() -> attempt(true));
    }

    /** Empty if it never came to ask. */
    private Optional<TakeOutcome<Lease>> inLine(long deadline) {
        Line line = lines.enter(name);
        try {
            return line.reachFront(deadline - System.nanoTime()) ? inFront(line, deadline) : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            lines.leave(name);
        }
    }

    private Optional<TakeOutcome<Lease>> inFront(Line line, long deadline) throws InterruptedException {
        try {
            boolean released = !line.wasJustTaken() || line.awaitRelease(deadline - System.nanoTime());
            TakeOutcome<Lease> outcome = attempt(!released);
            tell(line, outcome);
            while (isBusy(outcome) && deadline - System.nanoTime() > 0) {
                released = line.awaitRelease(deadline - System.nanoTime());
                outcome = attempt(!released);
                tell(line, outcome);
            }
            return Optional.of(outcome);
        } finally {
            line.leaveFront();
        }
    }

    private void tell(Line line, TakeOutcome<Lease> outcome) {
        if (isTaken(outcome)) {
            line.takenHere();
        } else if (isBusy(outcome) && !lastHolder.equals(holder.toString())) {
            line.takenElsewhere();
        }
    }

    private TakeOutcome<Lease> attempt(boolean lookFirst) {
        long start = System.nanoTime();
        try {
            return ask(lookFirst);
        } catch (DatabaseAwayException e) {
            return System.nanoTime() - start < QUICK ? secondAttempt() : unavailable(e);
        }
    }

    private TakeOutcome<Lease> secondAttempt() {
        try {
            return ask(false);
        } catch (DatabaseAwayException e) {
            return unavailable(e);
        }
    }

    private static TakeOutcome<Lease> unavailable(DatabaseAwayException e) {
        return new TakeOutcome.Unavailable<>(String.valueOf(e.getMessage()));
    }

    private TakeOutcome<Lease> ask(boolean lookFirst) {
        Optional<TakeOutcome<Lease>> outcome = lookFirst ? Optional.empty() : take();
        for (int tries = 1; outcome.isEmpty() && tries < TRIES; tries++) {
            outcome = look(tries).or(this::take);
        }
        return outcome.orElseGet(() -> new TakeOutcome.Unavailable<>(
                "Lock '" + name + "' was removed " + TRIES + " times while it was to be taken. Nothing is held."));
    }

    /** Empty if it was not there to be taken. */
    private Optional<TakeOutcome<Lease>> take() {
        // Believed from before the question: the answer may have been long on its way.
        long asked = keeper.nanos();
        return keeper.table().take(name, leaseId, terms, holder, node).map(fence -> taken(fence, asked));
    }

    /** Who has it; or takes it over from who had it. Empty if it is worth another try. */
    private Optional<TakeOutcome<Lease>> look(int tries) {
        Optional<Seen> seen = keeper.table().find(name);
        if (seen.isEmpty()) {
            return add();
        }
        if (isOthers(seen.get())) {
            return Optional.of(busy(seen.get()));
        }
        Optional<TakeOutcome<Lease>> outcome = seen.get().isReleased() ? Optional.empty() : takeOver();
        if (outcome.isEmpty() && tries > 1) {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE));
        }
        return outcome.isEmpty() && tries == TRIES - 1 ? Optional.of(busy(seen.get())) : outcome;
    }

    private Optional<TakeOutcome<Lease>> add() {
        long asked = keeper.nanos();
        return keeper.table().add(name, leaseId, terms, holder, node).map(fence -> taken(fence, asked));
    }

    private Optional<TakeOutcome<Lease>> takeOver() {
        long asked = keeper.nanos();
        return keeper.table().takeOver(name, leaseId, terms, holder, node).map(fence -> taken(fence, asked));
    }

    private boolean isOthers(Seen seen) {
        return seen.isTaken() && !seen.leaseId().equals(Optional.of(leaseId));
    }

    private TakeOutcome<Lease> busy(Seen seen) {
        lastHolder = seen.view().holder();
        return new TakeOutcome.Busy<>(seen.view().node(), seen.view().until());
    }

    private TakeOutcome<Lease> taken(long fence, long asked) {
        Hold hold = new Hold(name, leaseId, fence);
        Lease lease = new Lease(
                keeper, hold, terms.lease(), asked, asked + terms.lease().toNanos());
        if (terms.renewing()) {
            keeper.keepRenewing(lease);
        }
        return new TakeOutcome.Taken<>(lease);
    }
}
