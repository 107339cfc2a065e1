package dev.turno.web.security;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Counts wrong credentials by address: after ten within a minute whatever else is wrong from there is answered so for a minute. Those
 * who send a good one never notice: a lock-out that hit them too would let anybody behind the same proxy shut them out. Shared by
 * threads.
 */
final class LockOut {

    static final Duration WAIT = Duration.ofMinutes(1);
    static final int ALLOWED = 10;
    private static final int MOST_ADDRESSES = 10_000;

    private record Failures(int count, long until) {}

    private final LongSupplier nanos;
    private final Map<String, Failures> byAddress = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    LockOut(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Counts another one; true if there were too many before it. */
    synchronized boolean failed(String address) {
        long now = nanos.getAsLong();
        Failures before = byAddress.get(address);
        if (before == null || before.until() - now <= 0) {
            byAddress.put(address, new Failures(1, now + WAIT.toNanos()));
            return false;
        }
        boolean lockedOut = before.count() >= ALLOWED;
        // The minute begins with the first of them, and again with the one that was too many.
        long until = before.count() + 1 == ALLOWED ? now + WAIT.toNanos() : before.until();
        byAddress.put(address, new Failures(before.count() + 1, until));
        return lockedOut;
    }
}
