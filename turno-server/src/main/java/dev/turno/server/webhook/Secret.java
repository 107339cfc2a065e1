package dev.turno.server.webhook;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/** What receiver and sender both know, written {@code whsec_} and base64. Its text appears nowhere by accident. */
public final class Secret {

    private static final String PREFIX = "whsec_";
    private static final int SHORTEST = 24;
    private static final int LONGEST = 64;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] key;

    private Secret(byte[] key) {
        this.key = key;
    }

    public static Secret of(String text) {
        byte[] key = decoded(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : "");
        if (key.length < SHORTEST || key.length > LONGEST) {
            throw new IllegalArgumentException(
                    "The webhook's secret is unusable: write whsec_ and the base64 of " + SHORTEST + " to " + LONGEST
                            + " random bytes, or leave it out to have one made. Nothing was changed.");
        }
        return new Secret(key);
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    public static Secret draw() {
        byte[] key = new byte[32];
        RANDOM.nextBytes(key);
        return new Secret(key);
    }

    byte[] key() {
        return key.clone();
    }

    /** The text that {@link #of} reads. For the one answer that shows it, and for storing. */
    public String reveal() {
        return PREFIX + Base64.getEncoder().encodeToString(key);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && Arrays.equals(key, secret.key);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(key);
    }

    @Override
    public String toString() {
        return PREFIX + "...";
    }
}
