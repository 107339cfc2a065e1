package dev.turno.harvester.bitstream;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** At most so many downloads from a host at once, and a pause between their beginnings. Shared by threads. */
final class HostGates {

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

    HostGates(int perHost, Duration gap) {
        this.perHost = perHost;
        this.gap = gap;
    }

    @FunctionalInterface
    interface Work<T> {
        T run() throws InterruptedException;
    }

    <T> T through(String host, Work<T> work) throws InterruptedException {
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
