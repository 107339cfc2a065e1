package dev.turno.task;

import dev.turno.claim.Claim;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.holder.DatabaseClock;
import dev.turno.holder.Heartbeat;
import dev.turno.time.Time;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import dev.turno.worker.Backoff;
import dev.turno.worker.Bell;
import dev.turno.worker.Early;
import dev.turno.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Preloads this process's share of one type, arms it just before its instants, and starts it from memory. Owns two threads: one
 * talks to the database, the other does nothing but start things on the dot.
 */
final class ShareLoop {

    /** What the loop needs to know and to tell. */
    record Surroundings(
            Heartbeat heartbeat,
            Time time,
            Watcher watcher,
            Bell bell,
            Duration window,
            Runnable joined,
            Consumer<HolderId> leave) {}

    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
    private static final Duration PEEK_EVERY = AssignTable.MARGIN.dividedBy(2);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Backoff TROUBLE = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(2));

    /** Tasks of one instant, armed. */
    private record Armed(Early<Task> tasks, long characters, long startAt, Time time) implements Delayed {

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(startAt - time.nanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    private final TypeName type;
    private final TypeTable types;
    private final ShareTable table;
    private final TaskOptions options;
    private final Share share;
    private final TaskHandler handler;
    private final Worker<Task> worker;
    private final Surroundings around;
    private final DatabaseClock clock;
    private final DelayQueue<Armed> armed = new DelayQueue<>();
    private final Queue<Armed> started = new ConcurrentLinkedQueue<>();
    private final Map<Instant, Integer> told = new HashMap<>();
    private final Thread loop;
    private final Thread starter;
    private Optional<HolderId> announced = Optional.empty();
    private Optional<Long> lookedAt = Optional.empty();
    private Optional<Long> peekedAt = Optional.empty();
    private long sharedOut;
    private int failures;
    private volatile boolean troubled;
    private volatile boolean stopping;

    ShareLoop(
            TypeName type,
            TypeTable types,
            ShareTable table,
            TaskOptions options,
            TaskHandler handler,
            Worker<Task> worker,
            Surroundings around) {
        this.type = type;
        this.types = types;
        this.table = table;
        this.options = options;
        this.share = new Share(table, options);
        this.handler = handler;
        this.worker = worker;
        this.around = around;
        this.clock = around.heartbeat().clock();
        this.loop = new Thread(this::loop, "turno-share " + type.type());
        this.starter = new Thread(this::startOnTheDot, "turno-start " + type.type());
        loop.setDaemon(true);
        starter.setDaemon(true);
    }

    void start() {
        loop.start();
        starter.start();
    }

    boolean isTroubled() {
        return troubled;
    }

    private void loop() {
        while (!stopping) {
            try {
                Duration wait = round();
                troubled = false;
                failures = 0;
                if (around.bell().await(wait)) {
                    lookedAt = Optional.empty();
                }
            } catch (Throwable e) {
                survive(e);
            }
        }
    }

    private void survive(Throwable e) {
        if (!stopping) {
            troubled = true;
            Duration wait = TROUBLE.after(++failures);
            around.watcher().on(new WorkEvent.Trouble("share of " + type.type(), e, wait));
            LockSupport.parkNanos(wait.toNanos());
        }
    }

    /** Looks, loads, arms; answers how long to wait before the next round. */
    private Duration round() {
        if (!around.heartbeat().mayTake()) {
            return SHORT;
        }
        HolderId holder = announce();
        if ((hasPassed(PEEK_EVERY, peekedAt) && isSharedOutAnew()) || hasPassed(LOOK_EVERY, lookedAt)) {
            share.look(holder, around.window(), options.inMemory() - armedTasks());
            lookedAt = Optional.of(around.time().nanos());
            tellUpcoming();
        }
        share.load(holder, clock.now(), armedCharacters());
        arm(holder);
        giveBackLate();
        return untilNextMove();
    }

    private boolean hasPassed(Duration time, Optional<Long> since) {
        return since.isEmpty() || around.time().nanos() - since.get() >= time.toNanos();
    }

    /** Not every database can wake other processes, and what is shared out late must be looked at soon. */
    private boolean isSharedOutAnew() {
        peekedAt = Optional.of(around.time().nanos());
        long before = sharedOut;
        sharedOut = types.sharedOut(type);
        return sharedOut != before;
    }

    private int armedTasks() {
        return armed().mapToInt(one -> one.tasks().size()).sum();
    }

    private long armedCharacters() {
        return armed().mapToLong(Armed::characters).sum();
    }

    private Stream<Armed> armed() {
        return Stream.concat(armed.stream(), started.stream());
    }

    /** Says, once under each id, that this process can run the type: from then on it gets its share. */
    private HolderId announce() {
        HolderId holder = around.heartbeat().id();
        if (!announced.equals(Optional.of(holder))) {
            share.forgetAll();
            types.canRun(type, holder);
            announced = Optional.of(holder);
            lookedAt = Optional.empty();
            around.joined().run();
        }
        return holder;
    }

    private void tellUpcoming() {
        Map<Instant, Integer> upcoming = share.upcoming();
        told.keySet().retainAll(upcoming.keySet());
        upcoming.forEach((at, count) -> {
            if (count > options.work().threads() && !count.equals(told.put(at, count))) {
                worker.aside(() -> tell(count, at));
            }
        });
    }

    private void tell(int count, Instant at) {
        try {
            handler.onUpcoming(count, at);
        } catch (Throwable e) {
            around.watcher().on(new WorkEvent.Trouble("onUpcoming of task " + type.type(), e, Duration.ZERO));
        }
    }

    private void arm(HolderId holder) {
        boolean wasFull = share.isFull();
        List<Taken<Task>> near = share.takeNearest(clock.now());
        if (near.isEmpty()) {
            return;
        }
        if (wasFull) {
            lookedAt = Optional.empty(); // there is room for more now
        }
        clock.measure();
        Instant tooLate = clock.now().minus(AssignTable.GRACE);
        Map<Instant, List<Taken<Task>>> byInstant = new LinkedHashMap<>();
        for (Taken<Task> one : near) {
            if (one.row().at().isAfter(tooLate)) {
                byInstant
                        .computeIfAbsent(one.row().at(), at -> new ArrayList<>())
                        .add(one);
            }
        }
        arm(holder, byInstant);
    }

    private void arm(HolderId holder, Map<Instant, List<Taken<Task>>> byInstant) {
        List<Armed> ready = new ArrayList<>();
        List<Claim> claims = new ArrayList<>();
        byInstant.forEach((at, tasks) -> {
            long startAt = clock.nanosAt(at);
            long characters =
                    tasks.stream().mapToLong(one -> one.row().body().length()).sum();
            ready.add(new Armed(worker.early(holder, tasks, startAt), characters, startAt, around.time()));
            tasks.forEach(one -> claims.add(one.claim()));
        });
        try {
            Set<Claim> ours = table.arm(holder, claims);
            ready.forEach(one -> one.tasks().drop(claim -> !ours.contains(claim)));
            around.watcher().on(new WorkEvent.Armed("task " + type.type(), ours.size(), claims.size() - ours.size()));
        } catch (RuntimeException e) {
            ready.forEach(one -> one.tasks().dropUnanswered());
            lookedAt = Optional.empty();
            throw e;
        }
        armed.addAll(ready);
    }

    /** What could not be started in time goes to whoever has a free hand. */
    private void giveBackLate() {
        for (Armed next = started.peek(); next != null && isLate(next); next = started.peek()) {
            started.poll();
            next.tasks().giveBackWaiting();
        }
    }

    private boolean isLate(Armed one) {
        return around.time().nanos() - one.startAt() >= AssignTable.GRACE.toNanos();
    }

    private Duration untilNextMove() {
        if (lookedAt.isEmpty()) {
            return Duration.ZERO;
        }
        Instant now = clock.now();
        Duration wait = share.nextMove().map(at -> Duration.between(now, at)).orElse(PEEK_EVERY);
        Duration most = started.isEmpty() && armed.isEmpty() ? PEEK_EVERY : AssignTable.GRACE.dividedBy(10);
        return wait.compareTo(SHORT) < 0 ? SHORT : wait.compareTo(most) < 0 ? wait : most;
    }

    private void startOnTheDot() {
        while (!stopping) {
            try {
                Armed next = armed.take();
                next.tasks().start();
                started.add(next);
            } catch (InterruptedException e) {
                // Only the end interrupts this thread.
            } catch (Throwable e) {
                around.watcher().on(new WorkEvent.Trouble("share of " + type.type(), e, Duration.ZERO));
            }
        }
    }

    /** Nothing more is loaded, armed or started; nobody shares tasks out to this process any more. */
    void stop() {
        if (stopping) {
            return;
        }
        stopping = true;
        around.bell().ring();
        starter.interrupt();
        try {
            loop.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        announced.ifPresent(this::signOff);
    }

    private void signOff(HolderId holder) {
        try {
            around.leave().accept(holder);
        } catch (RuntimeException e) {
            around.watcher().on(new WorkEvent.Trouble("share of " + type.type(), e, Duration.ZERO));
        }
    }
}
