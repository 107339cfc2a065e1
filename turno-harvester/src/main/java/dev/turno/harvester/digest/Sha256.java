package dev.turno.harvester.digest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 of texts, in hexadecimal digits. */
public final class Sha256 {

    private static final int HALF = 32;

    private Sha256() {}

    /** Sixty-four digits. */
    public static String of(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }

    /** The first thirty-two digits, for columns and indexes in which all of it would be too long. */
    public static String halfOf(String text) {
        return of(text).substring(0, HALF);
    }
}
