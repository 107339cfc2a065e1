package dev.turno.web.security;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Counts wrong credentials by address: ten within a minute, and the address has to wait for a minute. Shared by threads. */
final class LockOut {

    static final Duration WAIT = Duration.ofMinutes(1);
    static final int ALLOWED = 10;
    private static final int MOST_ADDRESSES = 10_000;

    private record Failures(int count, long since) {}

    private final Map<String, Failures> byAddress = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    synchronized boolean isLockedOut(String address) {
        Failures failures = byAddress.get(address);
        if (failures == null) {
            return false;
        }
        if (System.nanoTime() - failures.since() > WAIT.toNanos()) {
            byAddress.remove(address);
            return false;
        }
        return failures.count() >= ALLOWED;
    }

    synchronized void failed(String address) {
        Failures before = byAddress.get(address);
        byAddress.put(
                address,
                before == null
                        ? new Failures(1, System.nanoTime())
                        : new Failures(before.count() + 1, System.nanoTime()));
    }
}
