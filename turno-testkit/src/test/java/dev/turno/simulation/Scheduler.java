package dev.turno.simulation;

import dev.turno.testkit.node.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets one actor run at a time and decides by dice who is next. Actors are threads that hand the turn to each other; they wait in
 * simulated time, which moves when nobody can run, and a little at each hand-over.
 */
final class Scheduler {

    /** What an actor does. */
    interface Body {
        void run() throws Exception;
    }

    /** The simulation is over, because something went wrong elsewhere. */
    private static final class Abort extends Error {}

    final class Actor {
        private final String name;
        private final Body body;
        private volatile @Nullable Thread thread;
        private long wakeAt;
        private long blockedAt = -1;
        private boolean victim;
        private boolean ended;

        private Actor(String name, Body body) {
            this.name = name;
            this.body = body;
        }

        private boolean canRun() {
            return !ended && wakeAt <= time.nanos() && blockedAt != commits;
        }

        private boolean sleeps() {
            return !ended && wakeAt > time.nanos();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final int MOST_STEPS = 50_000;
    private static final int STAYS_PERCENT = 60;
    private static final int DRIFT_PERCENT = 30;

    private final SplittableRandom dice;
    private final SettableTime time;
    private final Executor threads;
    private final List<Actor> actors = new ArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable Actor turn;
    private @Nullable Throwable failure;
    private long commits;
    private int steps;
    private int quiet;

    Scheduler(SplittableRandom dice, SettableTime time, Executor threads) {
        this.dice = dice;
        this.time = time;
        this.threads = threads;
    }

    void add(String name, Body body) {
        actors.add(new Actor(name, body));
    }

    /** Runs all actors to their ends. */
    void run() throws InterruptedException {
        actors.forEach(actor -> threads.execute(() -> live(actor)));
        hand(actors.get(0));
        over.await();
        if (failure != null) {
            throw new AssertionError("An actor failed: " + failure, failure);
        }
    }

    private void live(Actor self) {
        self.thread = Thread.currentThread();
        await(self);
        try {
            if (failure == null) {
                self.body.run();
            }
        } catch (Abort e) {
            // Somebody else has the reason.
        } catch (Throwable e) {
            failure = failure == null ? e : failure;
        }
        self.ended = true;
        end();
    }

    private void end() {
        if (actors.stream().allMatch(actor -> actor.ended)) {
            over.countDown();
        } else {
            hand(
                    failure == null
                            ? next()
                            : actors.stream()
                                    .filter(one -> !one.ended)
                                    .findFirst()
                                    .orElseThrow());
        }
    }

    private void hand(Actor next) {
        turn = next;
        LockSupport.unpark(next.thread);
    }

    private void await(Actor self) {
        while (turn != self) {
            LockSupport.park(this);
        }
    }

    /** The actor that runs now. */
    Actor self() {
        Actor self = turn;
        if (self == null) {
            throw new IllegalStateException("Nobody runs yet.");
        }
        return self;
    }

    int indexOfSelf() {
        return actors.indexOf(self());
    }

    /** A point at which somebody else may go on. */
    void pass() {
        if (quiet > 0) {
            return;
        }
        if (dice.nextInt(100) < DRIFT_PERCENT) {
            time.forward(Duration.ofMillis(dice.nextInt(20)));
        }
        Actor self = self();
        switchFrom(self, dice.nextInt(100) < STAYS_PERCENT && self.canRun() ? self : next());
    }

    void sleep(Duration duration) {
        Actor self = self();
        self.wakeAt = time.nanos() + duration.toNanos();
        switchFrom(self, next());
    }

    /** Waits until somebody has committed or rolled back; false if all wait for each other and this one is to give way. */
    boolean block() {
        Actor self = self();
        int before = quiet;
        quiet = 0; // whoever has the lock must be able to go on
        self.blockedAt = commits;
        switchFrom(self, next());
        self.blockedAt = -1;
        quiet = before;
        boolean gaveWay = self.victim;
        self.victim = false;
        return !gaveWay;
    }

    /** Nobody else runs and nothing goes wrong while the action does, unless it has to wait for somebody's lock. */
    <T> T quietly(Callable<T> action) throws Exception {
        quiet++;
        try {
            return action.call();
        } finally {
            quiet--;
        }
    }

    boolean isQuiet() {
        return quiet > 0;
    }

    private void switchFrom(Actor self, Actor next) {
        if (++steps > MOST_STEPS && failure == null) {
            failure = new AssertionError("It does not end: " + MOST_STEPS + " steps.");
        }
        if (next != self) {
            hand(next);
            await(self);
        }
        if (failure != null) {
            throw new Abort();
        }
    }

    private Actor next() {
        List<Actor> able = actors.stream().filter(Actor::canRun).toList();
        if (!able.isEmpty()) {
            return able.get(dice.nextInt(able.size()));
        }
        long earliest = actors.stream()
                .filter(Actor::sleeps)
                .mapToLong(actor -> actor.wakeAt)
                .min()
                .orElse(-1);
        if (earliest >= 0) {
            time.forward(Duration.ofNanos(earliest - time.nanos()));
            return next();
        }
        Actor victim = actors.stream().filter(actor -> !actor.ended).findFirst().orElseThrow();
        victim.victim = true;
        return victim;
    }

    /** Something was committed or rolled back; answers its number, by which everything is put in order. */
    long committed() {
        return ++commits;
    }

    long commits() {
        return commits;
    }
}
