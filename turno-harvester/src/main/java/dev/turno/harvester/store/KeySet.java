package dev.turno.harvester.store;

import java.util.Arrays;

/** A growing set of identities of {@link Keys}: sixteen bytes for each. Not for several threads. */
final class KeySet {

    private static final long NONE = 0; // an identity is odd and never this

    private long[] slots = new long[1 << 12];
    private int size;

    /** True if it was not there before. */
    boolean add(long key) {
        long identity = Keys.identity(key);
        int at = place(slots, identity);
        if (slots[at] == identity) {
            return false;
        }
        slots[at] = identity;
        if (++size > slots.length / 2) {
            grow();
        }
        return true;
    }

    boolean contains(long key) {
        long identity = Keys.identity(key);
        return slots[place(slots, identity)] == identity;
    }

    void addAll(long[] keys) {
        Arrays.stream(keys).forEach(this::add);
    }

    /** What it costs in memory. */
    long bytes() {
        return (long) slots.length * Long.BYTES;
    }

    private static int place(long[] in, long identity) {
        int mask = in.length - 1;
        int at = (int) (identity >>> 20) & mask;
        while (in[at] != NONE && in[at] != identity) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private void grow() {
        long[] more = new long[slots.length * 2];
        for (long identity : slots) {
            if (identity != NONE) {
                more[place(more, identity)] = identity;
            }
        }
        slots = more;
    }
}
