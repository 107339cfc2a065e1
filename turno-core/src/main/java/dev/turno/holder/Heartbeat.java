package dev.turno.holder;

import dev.turno.claim.HolderId;
import dev.turno.sql.Database;
import dev.turno.time.Time;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Keeps this process alive in the eyes of the others, and notices who is not. Shared by threads; owns one thread between
 * {@link #start} and {@link #close}. Tests call {@link #beat} themselves instead of starting it.
 */
public final class Heartbeat implements AutoCloseable {

    /** The id under which this process takes now, and until when it may believe in it without asking. */
    private record Self(HolderId id, long askedAt, long believedUntil, long renewingSince) {}

    private static final long LOOK_AT_LEAST_EVERY = Duration.ofSeconds(1).toNanos();

    private final HolderTable table;
    private final String node;
    private final Duration lease;
    private final long lookEvery;
    private final Supplier<HolderId> ids;
    private final Time time;
    private final Watcher watcher;
    private final DatabaseClock clock;
    private final List<String> features = new CopyOnWriteArrayList<>();
    private final List<Consumer<List<HolderId>>> whenForgotten = new CopyOnWriteArrayList<>();
    private final List<Runnable> whenDeclaredDead = new CopyOnWriteArrayList<>();
    private final List<Runnable> whenReaped = new CopyOnWriteArrayList<>();
    private final Thread thread;

    private volatile Self self;
    private volatile boolean registered;
    private volatile boolean troubled;
    private volatile boolean closed;
    private long lookedAt;

    @SuppressWarnings("exports") // made by the facade alone
    public Heartbeat(
            Database database, String namespace, String node, Duration lease, Supplier<HolderId> ids, Watcher watcher) {
        this.table = new HolderTable(database, namespace);
        this.node = node;
        this.lease = lease;
        // Whoever wants a short lease wants to be quick: a look must not take a third of it.
        this.lookEvery = Math.min(LOOK_AT_LEAST_EVERY, lease.toNanos() / 6);
        this.ids = ids;
        this.time = database.time();
        this.watcher = watcher;
        this.clock = new DatabaseClock(table::now, time);
        this.self = new Self(ids.get(), 0, 0, 0);
        this.lookedAt = time.nanos() - lookEvery;
        this.thread = new Thread(this::loop, "turno-heartbeat");
        this.thread.setDaemon(true);
    }

    /** Registers this process. Fails if the database is away. */
    public void register() {
        register(ids.get());
    }

    public void start() {
        thread.start();
    }

    public HolderId id() {
        return self.id();
    }

    public String node() {
        return node;
    }

    public Duration lease() {
        return lease;
    }

    /** What the database's clock shows, measured at each renewal. */
    public DatabaseClock clock() {
        return clock;
    }

    /** True while this process knows that it is alive: registered, and renewed within the lease by its own clock. */
    public boolean mayTake() {
        return registered && time.nanos() - self.believedUntil() < 0;
    }

    /**
     * Frees what dead holders had of this feature and nobody took over, before they are forgotten, ten minutes after they were
     * declared dead. Taking it over needs none of this: the take statements pass over the claims of living holders only.
     */
    public void frees(String feature) {
        table.requireFree(feature);
        features.add(feature);
    }

    /** Calls {@code action} before dead holders are forgotten. */
    public void whenForgotten(Consumer<List<HolderId>> action) {
        whenForgotten.add(action);
    }

    /** Calls {@code action} when this process has declared another one dead: there is something to take over. */
    public void whenReaped(Runnable action) {
        whenReaped.add(action);
    }

    /** Calls {@code action} after this process was declared dead and before it goes on under a new id. */
    public void whenDeclaredDead(Runnable action) {
        whenDeclaredDead.add(action);
    }

    /** Takes back what {@link #whenDeclaredDead} was given. */
    public void forgetWhenDeclaredDead(Runnable action) {
        whenDeclaredDead.remove(action);
    }

    /**
     * Registers a holder that is not this process and gives no signs of life of its own, for {@code lease}. What it takes should
     * lapse before that does.
     */
    public HolderId registerGuest(String name, Duration guestLease) {
        HolderId guest = ids.get();
        table.register(guest, name, guestLease);
        return guest;
    }

    /** Prolongs the lease of such a holder; false if it was declared dead by now, and another must be registered. */
    public boolean renewGuest(HolderId guest, Duration guestLease) {
        return table.renew(guest, guestLease);
    }

    public List<Holder> holders() {
        return table.list();
    }

    /** One round: renews if a third of the lease has passed, then notices the dead. */
    public synchronized void beat() {
        if (!registered) {
            register(ids.get());
        }
        if (time.nanos() - self.askedAt() >= lease.toNanos() / 3) {
            renew();
        }
        if (time.nanos() - lookedAt >= lookEvery) {
            lookedAt = time.nanos();
            reap();
        }
    }

    private void register(HolderId id) {
        long asked = time.nanos();
        table.register(id, node, lease);
        self = new Self(id, asked, asked + lease.toNanos(), asked);
        registered = true;
        clock.measure();
    }

    private void renew() {
        // Believed from before the question: the answer may have been long on its way.
        long asked = time.nanos();
        Self before = self;
        if (!table.renew(before.id(), lease)) {
            declaredDead(before.id());
            return;
        }
        boolean wasAway = asked - before.believedUntil() > 0;
        self = new Self(before.id(), asked, asked + lease.toNanos(), wasAway ? asked : before.renewingSince());
        clock.measure();
    }

    private void declaredDead(HolderId dead) {
        registered = false;
        watcher.on(new WorkEvent.DeclaredDead(node, dead.toString()));
        whenDeclaredDead.forEach(Runnable::run);
        register(ids.get());
    }

    private void reap() {
        if (!hasRenewedForAWholeLease()) {
            return;
        }
        for (HolderTable.Lapsed lapsed : table.findLapsed()) {
            if (!lapsed.id().equals(self.id()) && table.reap(lapsed.id())) {
                watcher.on(new WorkEvent.Reaped(lapsed.node(), lapsed.id().toString()));
                whenReaped.forEach(Runnable::run);
            }
        }
    }

    private boolean hasRenewedForAWholeLease() {
        return time.nanos() - self.renewingSince() >= lease.toNanos() && mayTake();
    }

    /**
     * Removes a batch of what holders have left that were declared dead ten minutes ago, and in the end those holders; says whether there
     * may be more. No part of {@link #beat}: it reads all that waits, and whoever is slow at it must go on giving signs of life.
     */
    public boolean forgetDead() {
        List<HolderId> old = table.findForgettable();
        if (old.isEmpty()) {
            return false;
        }
        if (free(old)) {
            return true; // a batch may be small only because some of it were locked
        }
        whenForgotten.forEach(action -> action.accept(old));
        old.forEach(table::forget);
        return true;
    }

    private boolean free(List<HolderId> dead) {
        boolean any = false;
        for (String feature : features) {
            int freed = table.free(feature, dead);
            if (freed > 0) {
                any = true;
                watcher.on(new WorkEvent.Freed(feature, freed));
            }
        }
        return any;
    }

    private void loop() {
        while (!closed) {
            Duration wait = pause();
            try {
                beat();
                recovered();
            } catch (Throwable e) {
                troubled = true;
                watcher.on(new WorkEvent.Trouble("heartbeat", e, wait));
            }
            LockSupport.parkNanos(wait.toNanos());
        }
    }

    private void recovered() {
        if (troubled) {
            troubled = false;
            watcher.on(new WorkEvent.Recovered("heartbeat"));
        }
    }

    private Duration pause() {
        return Duration.ofNanos(Math.min(LOOK_AT_LEAST_EVERY / 2, lease.toNanos() / 6));
    }

    /** True while the last round could not reach the database. */
    public boolean isTroubled() {
        return troubled;
    }

    /** Signs off: whatever is still under this id is free for everybody. Call after the workers have stopped. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        join();
        if (registered) {
            registered = false;
            signOff();
        }
    }

    private void signOff() {
        try {
            table.leave(self.id());
        } catch (RuntimeException e) {
            watcher.on(new WorkEvent.Trouble("sign-off", e, Duration.ZERO));
        }
    }

    private void join() {
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
