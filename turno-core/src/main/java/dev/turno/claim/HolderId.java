package dev.turno.claim;

import java.security.SecureRandom;

/**
 * Who has a claim: a number drawn afresh at every start of a process, and again after it was declared dead.
 *
 * <p>Host names and process numbers come back after a restart; this never does, so a revived process cannot be mistaken
 * for its predecessor.
 */
public record HolderId(long value) {

    private static final SecureRandom RANDOM = new SecureRandom();

    public HolderId {
        if (value <= 0) {
            throw new IllegalArgumentException("A holder id is a positive number, not " + value + ".");
        }
    }

    public static HolderId draw() {
        return new HolderId(RANDOM.nextLong(1, Long.MAX_VALUE));
    }

    @Override
    public String toString() {
        return Long.toString(value, 36);
    }
}
