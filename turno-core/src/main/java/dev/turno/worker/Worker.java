package dev.turno.worker;

import dev.turno.claim.Claim;
import dev.turno.claim.ClaimableRows;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Result;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.holder.Heartbeat;
import dev.turno.time.Time;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Takes rows, runs the handler for each, finishes them. Shared by threads; owns the take loop, the finish batcher and the
 * handler threads between {@link #start} and {@link #close}.
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

    /** What workers of one process share. */
    public record Surroundings(Heartbeat heartbeat, Wakeups wakeups, Deadlines deadlines, Time time, Watcher watcher) {}

    private static final Duration BUSY_PAUSE = Duration.ofMillis(50);
    private static final Duration HURRIED_PAUSE = Duration.ofMillis(10);
    private static final Duration STARVED_PAUSE = Duration.ofMillis(100);
    private static final Backoff TROUBLE = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(2));
    private static final int BATCHES_IN_HAND = 2;
    private static final List<Finish> KEPT = List.of(new Finish.Kept());

    private final String who;
    private final String topic;
    private final ClaimableRows<R> rows;
    private final Handler<R> handler;
    private final WorkerSettings settings;
    private final Surroundings around;
    private final Verdicts verdicts;
    private final Pace pace;
    private final Bell bell;
    private final Hand<R> hand;
    private final FinishBatcher<R> finisher;
    private final ThreadPoolExecutor pool;
    private final Thread loop;
    private final Runnable deadlineCheck = this::interruptOverdue;
    private final Runnable death = this::loseAll;

    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger unfinished = new AtomicInteger();
    private final AtomicInteger rush = new AtomicInteger();
    private volatile int most = Integer.MAX_VALUE;
    private volatile boolean drained;
    private volatile boolean starved;

    /** Woken for each item that ends, a loop that takes many at once would do little else. */
    private volatile int enoughRoomAt;

    private final CountDownLatch takesNoMore = new CountDownLatch(1);
    private volatile boolean stopping;
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
        this.verdicts = new Verdicts(who, settings, around.watcher());
        this.pace = new Pace(settings.threads(), BATCHES_IN_HAND * settings.batch(), System.nanoTime());
        this.bell = around.wakeups().bell(topic);
        this.hand = new Hand<>(who, rows, around.heartbeat(), around.watcher());
        this.finisher = new FinishBatcher<>(who, settings.batch(), this::write, this::isRushed, around.watcher());
        this.pool = HandlerThreads.pool("turno " + who, settings.threads(), settings.virtual());
        this.loop = new Thread(this::loop, "turno-take " + who);
        this.loop.setDaemon(true);
        around.heartbeat().whenDeclaredDead(death);
        around.deadlines().watch(deadlineCheck);
    }

    public void start() {
        finisher.start();
        loop.start();
    }

    /** True while the last look at the database failed, or if the loop has ended unasked. */
    public boolean isTroubled() {
        return !closed && (troubled || (loop.getState() == Thread.State.TERMINATED && !stopping));
    }

    /** Has at most so many items in its hands from now on; what is there already goes on. */
    public void atMost(int items) {
        most = items;
        bell.ring();
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

    /** How many items this process has in its hands. */
    public int inHand() {
        return hand.size();
    }

    private void loop() {
        while (!stopping) {
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
        if (isRushed()) {
            return BUSY_PAUSE;
        }
        if (!handler.isReady()) {
            return STARVED_PAUSE;
        }
        starved = true; // said before it is counted: whoever makes room meanwhile rings
        int asked = asks();
        if (asked == 0) {
            return STARVED_PAUSE;
        }
        starved = false;
        int taken = take(asked);
        drained = taken < asked;
        if (taken == asked) {
            return Duration.ZERO;
        }
        return taken > 0 ? busyPause() : idlePause();
    }

    private int asks() {
        int capacity = pace.capacity(System.nanoTime());
        // Few big bites instead of many small ones, unless a thread would stand idle.
        int bite = Math.min(settings.batch(), capacity / 2);
        enoughRoomAt = capacity - bite; // said before it is counted, too
        int room = Math.min(Math.min(settings.batch(), most - hand.size()), capacity - unfinished.get());
        boolean hungry = waiting.get() == 0 || room >= bite;
        return hungry && room > 0 && !finisher.isFull() ? room : 0;
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
            accept(running(one, holder, takenAt));
        }
        return taken.size();
    }

    /** True if an item that came now would begin now, and would not overtake others: the last look found all there was. */
    public boolean isIdle() {
        return drained
                && waiting.get() == 0
                && unfinished.get() < Math.min(settings.threads(), most)
                && loop.isAlive()
                && !stopping
                && !hand.mayHaveUnknown()
                && !isRushed()
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
            born = birth.apply(holder).map(one -> running(one, holder, takenAt));
        } catch (Throwable e) {
            hand.answerLost();
            throw e;
        }
        born.ifPresent(this::acceptGiven);
        return born.isPresent();
    }

    private void acceptGiven(Running<R> running) {
        around.watcher().on(new WorkEvent.Taken(who, 1));
        accept(running);
        if (stopping) {
            hand.giveBackWaiting(List.of(running)); // the end may have come before it was in the hand
        }
    }

    private Running<R> running(Taken<R> one, HolderId holder, long takenAt) {
        return new Running<>(one, holder, rows, around.heartbeat(), around.time(), takenAt, settings.maxRun());
    }

    /**
     * Puts claims that are made ahead of their moment into this process's hands, not yet to be run. Call it before the
     * statement that makes them: whatever is DOING under this process's name and not in its hands is given back.
     *
     * @param startAt their moment, in {@link Time#nanos}
     */
    public Early early(HolderId holder, List<Taken<R>> claims, long startAt) {
        List<Running<R>> all = claims.stream()
                .map(one -> running(one, holder, startAt))
                .collect(Collectors.toCollection(ArrayList::new));
        hand.addEarly(all);
        return new Early(all);
    }

    /** Runs something on a handler thread, beside the items. */
    public void aside(Runnable action) {
        pool.execute(action);
    }

    /** Claims made ahead of their moment. Belongs to one thread at a time. */
    public final class Early {

        private final List<Running<R>> all;
        private final Queue<Running<R>> line = new ConcurrentLinkedQueue<>();

        private Early(List<Running<R>> all) {
            this.all = all;
        }

        public int size() {
            return all.size();
        }

        /** Those that did not become ours after all. */
        public void drop(Predicate<Claim> notOurs) {
            all.removeIf(running -> notOurs.test(running.claim()) && hand.remove(running.claim()));
            if (stopping) {
                hand.giveBackWaiting(all); // the end may have come, and given them back, before they were made
            }
        }

        /** The answer of the statement was lost: if it was carried out, the rows are given back. */
        public void dropUnanswered() {
            drop(claim -> true);
            hand.answerLost();
        }

        /**
         * Their moment has come. Until they have begun, nothing else of this worker talks to the database. Each thread is
         * woken once and then goes from one to the next: waking somebody for each would take longer than many handlers do.
         */
        public void start() {
            line.addAll(all);
            rush.addAndGet(all.size());
            unfinished.addAndGet(all.size());
            waiting.addAndGet(all.size());
            for (int i = 0; i < Math.min(settings.threads(), all.size()); i++) {
                pool.execute(() -> runAll(line));
            }
            around.watcher().on(new WorkEvent.Taken(who, all.size()));
        }

        /** Gives back what has not begun, so that others can run it; answers how many. */
        public int giveBackWaiting() {
            int given = hand.giveBackWaiting(all);
            runAll(line); // none of them runs any more: this only lets the worker go on
            return given;
        }
    }

    private void accept(Running<R> running) {
        hand.add(running);
        unfinished.incrementAndGet();
        waiting.incrementAndGet();
        try {
            pool.execute(() -> run(running));
        } catch (RejectedExecutionException e) { // closed meanwhile; whoever closed it gives back what is in the hand
            waiting.decrementAndGet();
            unfinished.decrementAndGet();
        }
    }

    private void runAll(Queue<Running<R>> line) {
        for (Running<R> next = line.poll(); next != null; next = line.poll()) {
            rush.decrementAndGet();
            try {
                run(next);
            } catch (Throwable e) {
                // The others in the line must not wait for ever because of this one.
                around.watcher().on(new WorkEvent.Trouble(who, e, Duration.ZERO));
            }
        }
    }

    /** True while a peak is being started: its handlers need the processor more than anybody else does. */
    private boolean isRushed() {
        return rush.get() > 0;
    }

    private Duration busyPause() {
        pause = BUSY_PAUSE;
        return pause;
    }

    private Duration idlePause() {
        if (bell.isHurried()) {
            return HURRIED_PAUSE;
        }
        pause = shorter(pause.multipliedBy(2), settings.poll());
        double jitter = 0.75 + ThreadLocalRandom.current().nextDouble() / 4;
        Duration idle = Duration.ofNanos((long) (pause.toNanos() * jitter));
        return rows.untilNextTurn().map(next -> shorter(next, idle)).orElse(idle);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private void run(Running<R> running) {
        if (waiting.decrementAndGet() == 0 && starved) {
            bell.ring(); // the loop held back because something waited
        }
        try {
            // What is not begun because the handler is not ready grows stale in the hand, and is given back as such.
            if (!running.isLost() && awaitTrust(running) && handler.isReady() && running.begin()) {
                Verdict verdict = handle(running);
                pace.ran();
                finish(running, verdict);
            } else if (running.isLost()) {
                hand.remove(running.claim()); // what is left is given back
            }
        } finally {
            int left = unfinished.decrementAndGet();
            if (starved && (left <= enoughRoomAt || waiting.get() == 0)) {
                bell.ring();
            }
        }
    }

    private Verdict handle(Running<R> running) {
        try {
            // Each earlier attempt ended without a word: it may be what kills its process. It is not run again.
            return running.attempt() > settings.maxAttempts()
                    ? verdicts.usedUp(running)
                    : verdicts.of(running, handler.handle(running.taken.row(), running));
        } catch (Throwable e) {
            return verdicts.failed(running, e);
        } finally {
            running.end();
        }
    }

    /** While the database is away nothing new is started; false if the claim was lost or grew stale meanwhile. */
    private boolean awaitTrust(Running<R> running) {
        while (!around.heartbeat().mayTake() && !running.isLost() && !running.isStale() && !stopping) {
            LockSupport.parkNanos(HURRIED_PAUSE.toNanos());
        }
        return around.heartbeat().mayTake() && !stopping;
    }

    private void finish(Running<R> running, Verdict verdict) {
        if (running.isCommitted()) {
            settled(List.of(new FinishBatcher.Item<>(running, new Verdict.Done(running.claim()))), KEPT);
            return;
        }
        FinishBatcher.Item<R> item = new FinishBatcher.Item<>(running, verdict);
        if (settings.finish() == FinishMode.AT_ONCE) {
            try {
                write(List.of(item));
                return;
            } catch (RuntimeException e) {
                around.watcher().on(new WorkEvent.Trouble(who, e, Duration.ZERO));
            }
        }
        finisher.add(item);
    }

    /** Writes verdicts, grouped by the id under which the rows were taken: it changes when this process is declared dead. */
    private void write(List<FinishBatcher.Item<R>> items) {
        Map<HolderId, List<FinishBatcher.Item<R>>> byHolder =
                items.stream().collect(Collectors.groupingBy(item -> item.running().holder));
        byHolder.forEach((holder, group) -> {
            List<Verdict> written =
                    group.stream().map(FinishBatcher.Item::verdict).toList();
            settled(group, rows.finish(holder, written));
        });
    }

    private void settled(List<FinishBatcher.Item<R>> items, List<Finish> finishes) {
        for (int i = 0; i < items.size(); i++) {
            FinishBatcher.Item<R> item = items.get(i);
            Optional<Verdict> next = Verdicts.next(item.verdict(), finishes.get(i));
            if (next.isPresent()) {
                finisher.add(new FinishBatcher.Item<>(item.running(), next.get()));
            } else if (finishes.get(i) instanceof Finish.Open && !item.running().isOverdue() && !stopping) {
                finisher.addLater(item);
            } else {
                hand.remove(item.running().claim());
            }
        }
        verdicts.tell(items, finishes);
        if (starved) {
            bell.ring(); // it may have been the backlog of verdicts that kept the loop from taking
        }
    }

    private void interruptOverdue() {
        for (Running<R> running : hand.all()) {
            if (running.isOverdue() && running.isUnderWay() && running.lose()) {
                around.watcher().on(new WorkEvent.Overran(who, running.key(), settings.maxRun()));
            }
        }
    }

    private void loseAll() {
        hand.all().forEach(Running::lose);
    }

    /** Takes nothing more and gives back what has not begun; what runs goes on. */
    public void stopTaking() {
        stopping = true;
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
        pool.getQueue().clear();
        rush.set(0);
        hand.giveBackWaiting(hand.all());
        pool.shutdown();
        if (!terminated(atMost)) {
            hand.all().forEach(Running::interrupt);
            terminated(Duration.ofSeconds(1));
        }
        finisher.close(Duration.ofSeconds(5));
        around.wakeups().silence(topic, bell);
        around.deadlines().forget(deadlineCheck);
        around.heartbeat().forgetWhenDeclaredDead(death);
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

    private boolean terminated(Duration atMost) {
        try {
            return pool.awaitTermination(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
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
