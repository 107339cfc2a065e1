package dev.turno.web.security;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** So many requests per second for each name, twice as many at once after a pause. Shared by threads. */
final class Rates {

    private static final int MOST_NAMES = 10_000;
    private static final double NANOS = 1e9;

    private static final class Bucket {
        private double left;
        private long at;
    }

    private final double perSecond;
    private final LongSupplier nanos;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > MOST_NAMES;
        }
    };

    Rates(int perSecond, LongSupplier nanos) {
        this.perSecond = perSecond;
        this.nanos = nanos;
    }

    /** False if it has to wait. */
    synchronized boolean allow(String name) {
        long now = nanos.getAsLong();
        Bucket bucket = buckets.computeIfAbsent(name, key -> full(now));
        bucket.left = Math.min(2 * perSecond, bucket.left + (now - bucket.at) / NANOS * perSecond);
        bucket.at = now;
        if (bucket.left < 1) {
            return false;
        }
        bucket.left--;
        return true;
    }

    private Bucket full(long now) {
        Bucket bucket = new Bucket();
        bucket.left = 2 * perSecond;
        bucket.at = now;
        return bucket;
    }
}
