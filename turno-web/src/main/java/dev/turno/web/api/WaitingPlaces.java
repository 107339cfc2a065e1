package dev.turno.web.api;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;

/**
 * Places for requests that wait on a thread of the web server: fewer than it has threads, so that however many wait, others are
 * served. When the server stops, nobody waits any longer. Shared by threads.
 */
final class WaitingPlaces implements SmartLifecycle {

    static final int MOST = 50;

    private final Set<Thread> waiting = new HashSet<>(); // guarded by this
    private boolean running; // guarded by this

    /**
     * Runs what may wait, and ends early if its thread is interrupted.
     *
     * @throws TooManyException if there is no place
     */
    <T> T waiting(Supplier<T> act) {
        enter();
        try {
            return act.get();
        } finally {
            leave();
        }
    }

    private synchronized void enter() {
        if (!running || waiting.size() >= MOST) {
            throw new TooManyException("There are " + waiting.size()
                    + " requests that wait for a lock, as many as may, or the server is stopping. Nothing was changed; ask"
                    + " again in a second, or without 'wait'.");
        }
        waiting.add(Thread.currentThread());
    }

    private synchronized void leave() {
        waiting.remove(Thread.currentThread());
        if (!running) {
            boolean unused = Thread.interrupted(); // ours, and heard: the thread goes on to answer
        }
    }

    @Override
    public synchronized void start() {
        running = true;
    }

    /** Before the web server waits for its requests to end. */
    @Override
    public synchronized void stop() {
        running = false;
        waiting.forEach(Thread::interrupt);
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }
}
