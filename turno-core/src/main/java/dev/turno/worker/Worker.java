package dev.turno.worker;

import dev.turno.claim.ClaimableRows;
import dev.turno.claim.HolderId;
import dev.turno.claim.Result;
import dev.turno.claim.Taken;
import dev.turno.holder.Heartbeat;
import dev.turno.time.Time;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Takes rows, has each of them handled, gives back what it cannot begin. Shared by threads; owns the take loop, and all that
 * handles what was taken, between {@link #start} and {@link #close}.
 */
public final class Worker<R> implements AutoCloseable {

    /** The user's code for one item, as a feature hands it over. */
    @FunctionalInterface
    public interface Handler<R> {
        Result handle(R row, LongTurn turn) throws Exception;

        /**
         * False while it can do nothing at all, because what stands behind it is away: nothing is taken then, and what was taken
         * but not begun goes back at no attempt's cost.
         */
        default boolean isReady() {
            return true;
        }

        static <R> Handler<R> of(Handler<R> handler, BooleanSupplier ready) {
            return new Handler<>() {
                @Override
                public Result handle(R row, LongTurn turn) throws Exception {
                    return handler.handle(row, turn);
                }

                @Override
                public boolean isReady() {
                    return ready.getAsBoolean();
                }
            };
        }
    }

    /**
     * What workers of one process share.
     *
     * @param interrupts whether handlers are interrupted; the database may not survive that
     */
    public record Surroundings(
            Heartbeat heartbeat,
            Wakeups wakeups,
            Deadlines deadlines,
            Time time,
            Watcher watcher,
            boolean interrupts) {}

    private static final Duration BUSY_PAUSE = Duration.ofMillis(50);
    private static final Duration HURRIED_PAUSE = Duration.ofMillis(10);
    private static final Duration STARVED_PAUSE = Duration.ofMillis(100);
    private static final Backoff TROUBLE = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(2));

    private final String who;
    private final String topic;
    private final ClaimableRows<R> rows;
    private final Handler<R> handler;
    private final WorkerSettings settings;
    private final Surroundings around;
    private final Bell bell;
    private final Hand<R> hand;
    private final Handling<R> handling;
    private final Thread loop;
    private final CountDownLatch takesNoMore = new CountDownLatch(1);
    private volatile boolean drained;
    private volatile boolean closed;
    private volatile boolean troubled;
    private Duration pause = BUSY_PAUSE;
    private int failures;

    public Worker(
            String who,
            String topic,
            ClaimableRows<R> rows,
            Handler<R> handler,
            WorkerSettings settings,
            Surroundings around) {
        this.who = who;
        this.topic = topic;
        this.rows = rows;
        this.handler = handler;
        this.settings = settings;
        this.around = around;
        this.bell = around.wakeups().bell(topic);
        this.handling = new Handling<>(who, rows, handler, settings, around, bell);
        this.hand = handling.hand;
        this.loop = new Thread(this::loop, "turno-take " + who);
        this.loop.setDaemon(true);
    }

    public void start() {
        handling.start();
        loop.start();
    }

    /** True while the last look at the database failed, or if the loop has ended unasked. */
    public boolean isTroubled() {
        return !closed && (troubled || (loop.getState() == Thread.State.TERMINATED && !handling.isStopping()));
    }

    /** Has at most so many items in its hands from now on; what is there already goes on. */
    public void atMost(int items) {
        handling.load.atMost(items);
    }

    /** What it takes, in words. */
    public String who() {
        return who;
    }

    /** True if the other one takes the same rows, and this one may still give some of them back. */
    public boolean isFor(Worker<?> other) {
        return topic.equals(other.topic) && !closed;
    }

    /** True once it has ended and holds nothing any more. */
    public boolean isClosed() {
        return closed;
    }

    private void loop() {
        while (!handling.isStopping()) {
            live(this::round);
        }
        do {
            live(this::giveBackRest);
        } while (hand.mayHaveUnknown() && !closed);
    }

    private void live(Supplier<Duration> round) {
        try {
            Duration wait = round.get();
            recovered();
            bell.await(wait);
        } catch (Throwable e) {
            survive(e);
        }
    }

    /** Nothing more begins here, and the end may be far off: what the database did not hear of is given back again. */
    private Duration giveBackRest() {
        try {
            hand.giveBackWaiting(hand.all());
            if (takesNoMore.getCount() > 0) {
                hand.lookForUnknown();
            } else {
                hand.giveBackUnknown();
            }
        } finally {
            takesNoMore.countDown();
        }
        return hand.mayHaveUnknown() ? Hand.UNKNOWN_EVERY : Duration.ZERO;
    }

    private void survive(Throwable e) {
        if (closed) {
            return;
        }
        troubled = true;
        Duration wait = TROUBLE.after(++failures);
        around.watcher().on(new WorkEvent.Trouble(who, e, wait));
        LockSupport.parkNanos(wait.toNanos());
    }

    private void recovered() {
        failures = 0;
        if (troubled) {
            troubled = false;
            around.watcher().on(new WorkEvent.Recovered(who));
        }
    }

    /** Takes what there is room for; answers how long to wait before the next look. */
    private Duration round() {
        if (!around.heartbeat().mayTake()) {
            return BUSY_PAUSE;
        }
        hand.giveBackStale();
        hand.giveBackUnknown();
        if (handling.load.isRushed()) {
            return BUSY_PAUSE;
        }
        if (!handler.isReady()) {
            return STARVED_PAUSE;
        }
        int asked = handling.asks();
        if (asked == 0) {
            return STARVED_PAUSE;
        }
        int taken = take(asked);
        drained = taken < asked;
        if (taken == asked) {
            return Duration.ZERO;
        }
        if (taken > 0) {
            pause = BUSY_PAUSE;
        }
        if (bell.isHurried()) {
            return HURRIED_PAUSE;
        }
        return taken > 0 ? BUSY_PAUSE : idlePause();
    }

    private int take(int asked) {
        try {
            return takeAndAccept(asked);
        } catch (Throwable e) { // also when there was no memory for the answer
            hand.answerLost();
            throw e;
        }
    }

    private int takeAndAccept(int asked) {
        // The claim's time is believed from before the question.
        long takenAt = around.time().nanos();
        HolderId holder = around.heartbeat().id();
        List<Taken<R>> taken = rows.take(holder, asked);
        if (!taken.isEmpty()) {
            around.watcher().on(new WorkEvent.Taken(who, taken.size()));
        }
        for (Taken<R> one : taken) {
            handling.accept(handling.running(one, holder, takenAt));
        }
        return taken.size();
    }

    /** True if an item that came now would begin now, and would not overtake others: the last look found all there was. */
    public boolean isIdle() {
        return drained
                && handling.load.isIdle(settings.threads())
                && loop.isAlive()
                && !handling.isStopping()
                && !hand.mayHaveUnknown()
                && around.heartbeat().mayTake()
                && handler.isReady();
    }

    /** Runs an item that {@code birth} makes in the hands of the given holder, if it makes one. Called by any thread. */
    public boolean give(Function<HolderId, Optional<Taken<R>>> birth) {
        return hand.addBorn(() -> isBorn(birth));
    }

    private boolean isBorn(Function<HolderId, Optional<Taken<R>>> birth) {
        long takenAt = around.time().nanos();
        HolderId holder = around.heartbeat().id();
        Optional<Running<R>> born;
        try {
            born = birth.apply(holder).map(one -> handling.running(one, holder, takenAt));
        } catch (Throwable e) {
            hand.answerLost();
            throw e;
        }
        born.ifPresent(this::acceptGiven);
        return born.isPresent();
    }

    private void acceptGiven(Running<R> running) {
        around.watcher().on(new WorkEvent.Taken(who, 1));
        handling.accept(running);
        if (handling.isStopping()) {
            hand.giveBackWaiting(List.of(running)); // the end may have come before it was in the hand
        }
    }

    /**
     * Puts claims that are made ahead of their moment into this process's hands, not yet to be run. Call it before the
     * statement that makes them: whatever is DOING under this process's name and not in its hands is given back.
     *
     * @param startAt their moment, in {@link Time#nanos}
     */
    public Early<R> early(HolderId holder, List<Taken<R>> claims, long startAt) {
        List<Running<R>> all = claims.stream()
                .map(one -> handling.running(one, holder, startAt))
                .collect(Collectors.toCollection(ArrayList::new));
        hand.addEarly(all);
        return new Early<>(handling, all);
    }

    /** Runs something on a handler thread, beside the items. */
    public void aside(Runnable action) {
        handling.aside(action);
    }

    private Duration idlePause() {
        pause = shorter(pause.multipliedBy(2), settings.poll());
        double jitter = 0.75 + ThreadLocalRandom.current().nextDouble() / 4;
        Duration idle = Duration.ofNanos((long) (pause.toNanos() * jitter));
        return rows.untilNextTurn().map(next -> shorter(next, idle)).orElse(idle);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Takes nothing more and gives back what has not begun; what runs goes on. */
    public void stopTaking() {
        handling.stop();
        bell.ring();
        LockSupport.unpark(loop);
    }

    /**
     * Ends in order: takes nothing more, gives back what was not started, waits up to {@code atMost} for what runs, then
     * interrupts it, writes all verdicts.
     */
    public void close(Duration atMost) {
        stopTaking();
        if (loop.isAlive()) {
            awaitNoMoreTakes(Duration.ofSeconds(5));
        }
        handling.close(atMost);
        around.wakeups().silence(topic, bell);
        closed = true;
        bell.ring();
        LockSupport.unpark(loop);
        join(loop, Duration.ofSeconds(1));
    }

    private void awaitNoMoreTakes(Duration atMost) {
        try {
            boolean unused = takesNoMore.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void join(Thread thread, Duration atMost) {
        try {
            thread.join(atMost.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        close(Duration.ofSeconds(10));
    }
}
