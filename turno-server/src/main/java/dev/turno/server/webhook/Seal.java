package dev.turno.server.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Encrypts secrets for the database (AES-256-GCM), if the servers were given a key; else they are stored as they are. Immutable. */
final class Seal {

    /** What is stored cannot be read here. */
    static final class WrongKeyException extends IllegalStateException {
        WrongKeyException(String message) {
            super(message);
        }
    }

    private static final String SEALED = "aes:";
    private static final String OPEN = "open:";
    private static final int KEY = 32;
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Optional<SecretKeySpec> key;

    /** @param base64 32 random bytes, the same in all servers on one database */
    Seal(Optional<String> base64) {
        this.key = base64.map(Seal::key);
    }

    private static SecretKeySpec key(String base64) {
        byte[] key = decoded(base64);
        if (key.length != KEY) {
            throw new IllegalArgumentException(
                    "turno.webhooks.key is unusable; give it the base64 of 32 random bytes, as"
                            + " 'openssl rand -base64 32' prints them.");
        }
        return new SecretKeySpec(key, "AES");
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64.strip());
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    String close(String text) {
        if (key.isEmpty()) {
            return OPEN + text;
        }
        byte[] nonce = new byte[NONCE];
        RANDOM.nextBytes(nonce);
        byte[] sealed = run(Cipher.ENCRYPT_MODE, nonce, text.getBytes(StandardCharsets.UTF_8));
        byte[] all = Arrays.copyOf(nonce, NONCE + sealed.length);
        System.arraycopy(sealed, 0, all, NONCE, sealed.length);
        return SEALED + Base64.getEncoder().encodeToString(all);
    }

    String open(String stored) {
        if (stored.startsWith(OPEN)) {
            return stored.substring(OPEN.length());
        }
        byte[] all = stored.startsWith(SEALED) ? decoded(stored.substring(SEALED.length())) : new byte[0];
        if (all.length < NONCE + TAG_BITS / 8) {
            throw wrongKey();
        }
        byte[] nonce = Arrays.copyOf(all, NONCE);
        return new String(
                run(Cipher.DECRYPT_MODE, nonce, Arrays.copyOfRange(all, NONCE, all.length)), StandardCharsets.UTF_8);
    }

    private byte[] run(int mode, byte[] nonce, byte[] text) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key.orElseThrow(Seal::wrongKey), new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw wrongKey();
        }
    }

    private static WrongKeyException wrongKey() {
        return new WrongKeyException(
                "its secret in the database was sealed with another key than this server has. Give all"
                        + " servers the same turno.webhooks.key, or define the webhook anew, with a new secret.");
    }
}
