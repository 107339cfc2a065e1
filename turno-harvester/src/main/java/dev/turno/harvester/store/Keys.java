package dev.turno.harvester.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * An identifier as a number: 63 bits of a hash, and in the lowest bit whether the record is deleted. Two identifiers of a million have the
 * same number with a probability of one to ten million.
 */
final class Keys {

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONE = 0x87C37B91114253D5L;
    private static final long TWO = 0x4CF5AD432745937FL;

    private Keys() {}

    static long of(String identifier, boolean deleted) {
        long hash = hash(identifier.getBytes(StandardCharsets.UTF_8));
        return deleted ? hash | 1 : hash & ~1L;
    }

    /** The same for a record and for its deletion. */
    static long identity(long key) {
        return key | 1;
    }

    static boolean isDeleted(long key) {
        return (key & 1) == 1;
    }

    private static long hash(byte[] bytes) {
        long hash = bytes.length * TWO;
        int i = 0;
        for (; i + 8 <= bytes.length; i += 8) {
            hash = mixed(hash, (long) EIGHT.get(bytes, i));
        }
        long rest = 0;
        for (; i < bytes.length; i++) {
            rest = (rest << 8) | (bytes[i] & 0xFF);
        }
        hash = mixed(hash, rest);
        hash ^= hash >>> 33;
        hash *= 0xFF51AFD7ED558CCDL;
        hash ^= hash >>> 33;
        hash *= 0xC4CEB9FE1A85EC53L;
        return hash ^ (hash >>> 33);
    }

    private static long mixed(long hash, long eight) {
        long one = Long.rotateLeft(eight * ONE, 31) * TWO;
        return Long.rotateLeft(hash ^ one, 27) * 5 + 0x52DCE729;
    }
}
