package dev.turno.harvester.web;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** At most so many requests to a host at once, and a pause between their beginnings. Shared by threads. */
public final class HostGates {

    private static final class Gate {
        private final Semaphore places;
        private long nextAt = System.nanoTime(); // guarded by this

        Gate(int places) {
            this.places = new Semaphore(places, true);
        }

        private synchronized long turn(Duration gap) {
            long mine = Math.max(nextAt, System.nanoTime());
            nextAt = mine + gap.toNanos();
            return mine;
        }
    }

    private static final int MOST_HOSTS = 100_000;

    private final int perHost;
    private final Duration gap;
    private final Map<String, Gate> gates = new ConcurrentHashMap<>();

    public HostGates(int perHost, Duration gap) {
        this.perHost = perHost;
        this.gap = gap;
    }

    /** A request. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        T run() throws E, InterruptedException;
    }

    /** Waits for its turn at the host, then works. */
    public <T, E extends Exception> T through(String host, Work<T, E> work) throws E, InterruptedException {
        if (gates.size() > MOST_HOSTS) {
            gates.clear();
        }
        Gate gate = gates.computeIfAbsent(host, name -> new Gate(perHost));
        gate.places.acquire();
        try {
            TimeUnit.NANOSECONDS.sleep(gate.turn(gap) - System.nanoTime());
            return work.run();
        } finally {
            gate.places.release();
        }
    }
}
