package dev.turno.worker;

import dev.turno.claim.ClaimableRows;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Runs what a worker has taken, and writes what came of it. Shared by threads; owns the handler threads and the finish batcher. */
final class Handling<R> {

    private static final Duration TRUST_PAUSE = Duration.ofMillis(10);
    private static final int BATCHES_IN_HAND = 2;
    private static final List<Finish> KEPT = List.of(new Finish.Kept());

    final Hand<R> hand;
    final Load load;
    private final String who;
    private final ClaimableRows<R> rows;
    private final Worker.Handler<R> handler;
    private final WorkerSettings settings;
    private final Worker.Surroundings around;
    private final Verdicts verdicts;
    private final Pace pace;
    private final FinishBatcher<R> finisher;
    private final ThreadPoolExecutor pool;
    private final Runnable deadlineCheck = this::interruptOverdue;
    private final Runnable death = this::loseAll;
    private volatile boolean stopping;

    Handling(
            String who,
            ClaimableRows<R> rows,
            Worker.Handler<R> handler,
            WorkerSettings settings,
            Worker.Surroundings around,
            Bell bell) {
        this.who = who;
        this.rows = rows;
        this.handler = handler;
        this.settings = settings;
        this.around = around;
        this.verdicts = new Verdicts(who, settings, around.watcher());
        this.pace = new Pace(settings.threads(), BATCHES_IN_HAND * settings.batch(), System.nanoTime());
        this.hand = new Hand<>(who, rows, around.heartbeat(), around.watcher());
        this.finisher = new FinishBatcher<>(who, settings.batch(), this::write, this::isRushed, around.watcher());
        this.load = new Load(bell, hand::size, finisher::isFull);
        this.pool = HandlerThreads.pool("turno " + who, settings.threads(), settings.virtual());
        around.heartbeat().whenDeclaredDead(death);
        around.deadlines().watch(deadlineCheck);
    }

    void start() {
        finisher.start();
    }

    /** Nothing more begins; what runs goes on. */
    void stop() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    /** How many more to take; 0: none now, and the bell rings when there is load. Belongs to the take loop. */
    int asks() {
        return load.ask(settings.batch(), pace.capacity(System.nanoTime()));
    }

    /** @param takenAt from when its claim is believed, in {@link dev.turno.time.Time#nanos} */
    Running<R> running(Taken<R> one, HolderId holder, long takenAt) {
        return new Running<>(
                one, holder, rows, around.heartbeat(), around.time(), takenAt, settings.maxRun(), around.interrupts());
    }

    void accept(Running<R> running) {
        hand.add(running);
        load.came(1);
        try {
            pool.execute(() -> run(running));
        } catch (RejectedExecutionException e) { // closed meanwhile; whoever closed it gives back what is in the hand
            load.turnedAway();
        }
    }

    /**
     * Runs all of a line, which is in the hand already. Each thread is woken once and then goes from one to the next: waking
     * somebody for each would take longer than many handlers do.
     */
    void rush(Queue<Running<R>> line, int size) {
        load.peakBegins(size);
        load.came(size);
        for (int i = 0; i < Math.min(settings.threads(), size); i++) {
            pool.execute(() -> runAll(line));
        }
        around.watcher().on(new WorkEvent.Taken(who, size));
    }

    void runAll(Queue<Running<R>> line) {
        for (Running<R> next = line.poll(); next != null; next = line.poll()) {
            load.peakItemBegan();
            try {
                run(next);
            } catch (Throwable e) {
                // The others in the line must not wait for ever because of this one.
                around.watcher().on(new WorkEvent.Trouble(who, e, Duration.ZERO));
            }
        }
    }

    /** Runs something on a handler thread, beside the items. */
    void aside(Runnable action) {
        pool.execute(action);
    }

    /** For the finisher, which is made before the load that it asks. */
    private boolean isRushed() {
        return load.isRushed();
    }

    private void run(Running<R> running) {
        load.begins();
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
            load.ended();
        }
    }

    /** While the database is away nothing new is started; false if the claim was lost or grew stale meanwhile. */
    private boolean awaitTrust(Running<R> running) {
        while (!around.heartbeat().mayTake() && !running.isLost() && !running.isStale() && !stopping) {
            LockSupport.parkNanos(TRUST_PAUSE.toNanos());
        }
        return around.heartbeat().mayTake() && !stopping;
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
        if (byHolder.size() == 1) {
            byHolder.forEach(this::write);
        } else {
            byHolder.forEach(this::writeOrAskLater);
        }
    }

    private void write(HolderId holder, List<FinishBatcher.Item<R>> group) {
        settled(
                group,
                rows.finish(
                        holder, group.stream().map(FinishBatcher.Item::verdict).toList()));
    }

    /** What was written of the others must not be written again because of these. */
    private void writeOrAskLater(HolderId holder, List<FinishBatcher.Item<R>> group) {
        try {
            write(holder, group);
        } catch (RuntimeException e) {
            around.watcher().on(new WorkEvent.Trouble(who, e, Duration.ZERO));
            group.forEach(finisher::addLater);
        }
    }

    private void settled(List<FinishBatcher.Item<R>> items, List<Finish> finishes) {
        List<Running<R>> waiting = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            FinishBatcher.Item<R> item = items.get(i);
            Optional<Verdict> next = Verdicts.next(item.verdict(), finishes.get(i));
            if (next.isPresent()) {
                finisher.add(new FinishBatcher.Item<>(item.running(), next.get()));
            } else if (finishes.get(i) instanceof Finish.Open && isToBeAskedAgain(item)) {
                finisher.addLater(item);
                if (isOurs(item.verdict())) {
                    waiting.add(item.running());
                }
            } else {
                hand.remove(item.running().claim());
            }
        }
        verdicts.tell(items, finishes);
        load.settled();
        renew(waiting.stream().filter(Running::isToBeRenewed).toList());
    }

    /**
     * Somebody may hold the ordering key or lane of a row for longer than its claim lasts, but not the row: without this it would be
     * taken and handled again, as often as there are attempts.
     */
    private void renew(List<Running<R>> ofOneHolder) {
        if (ofOneHolder.isEmpty()) {
            return;
        }
        long before = around.time().nanos();
        try {
            int renewed = rows.renew(
                    ofOneHolder.get(0).holder,
                    ofOneHolder.stream().map(Running::claim).toList());
            if (renewed == ofOneHolder.size()) { // else all are asked to be renewed again
                ofOneHolder.forEach(running -> running.renewedFrom(before));
            }
        } catch (RuntimeException e) { // when they are asked again it is tried again
            around.watcher().on(new WorkEvent.Trouble(who, e, Duration.ZERO));
        }
    }

    /**
     * A verdict of ours until there is an answer, also at the end: who drops it hands over again what was handled. If it is the
     * handler's own transaction that is still open, then while it may run.
     */
    private boolean isToBeAskedAgain(FinishBatcher.Item<R> item) {
        return isOurs(item.verdict()) || (!stopping && !item.running().isOverdue());
    }

    private static boolean isOurs(Verdict verdict) {
        return !(verdict instanceof Verdict.Settle);
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

    /** Gives back what has not begun, waits up to {@code atMost} for what runs, then interrupts it; writes all verdicts. */
    void close(Duration atMost) {
        pool.getQueue().clear();
        load.peakIsOver();
        hand.giveBackWaiting(hand.all());
        pool.shutdown();
        if (!terminated(atMost)) {
            hand.all().forEach(Running::interrupt);
            terminated(Duration.ofSeconds(1));
        }
        finisher.close(Duration.ofSeconds(5));
        around.deadlines().forget(deadlineCheck);
        around.heartbeat().forgetWhenDeclaredDead(death);
    }

    private boolean terminated(Duration atMost) {
        try {
            return pool.awaitTermination(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
