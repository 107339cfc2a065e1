package dev.turno.lock;

import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Removes locks that nobody took for long, now and then, on one thread of its own. */
final class CleanUp implements AutoCloseable {

    private final LockTable table;
    private final Supplier<LockTerms> terms;
    private final Watcher watcher;
    private final Thread thread = new Thread(this::loop, "turno-lock-clean-up");
    private volatile boolean closed;

    CleanUp(LockTable table, Supplier<LockTerms> terms, Watcher watcher) {
        this.table = table;
        this.terms = terms;
        this.watcher = watcher;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Other terms were set: the next round is due by them. */
    void look() {
        LockSupport.unpark(thread);
    }

    private void loop() {
        long last = System.nanoTime();
        while (!closed) {
            long every = terms.get().cleanUpEvery().toNanos();
            LockSupport.parkNanos(Math.max(1, last + every - System.nanoTime()));
            if (!closed && System.nanoTime() - last >= every) {
                last = System.nanoTime();
                round();
            }
        }
    }

    private void round() {
        LockTerms now = terms.get();
        try {
            if (now.cleanUp()) {
                table.removeOld(now.keep());
            }
        } catch (Throwable e) {
            watcher.on(new WorkEvent.Trouble("clean-up of locks", e, now.cleanUpEvery()));
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
