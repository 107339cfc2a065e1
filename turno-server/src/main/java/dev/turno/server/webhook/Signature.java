package dev.turno.server.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signature of the Standard Webhooks specification, version 1: HMAC-SHA256 over id, moment and body. */
final class Signature {

    private static final String ALGORITHM = "HmacSHA256";

    private Signature() {}

    /** One signature for each secret, so that a receiver that knows only the old or only the new one finds its own. */
    static String of(String id, long epochSecond, byte[] body, List<Secret> secrets) {
        return secrets.stream()
                .map(secret -> "v1," + of(id, epochSecond, body, secret))
                .collect(Collectors.joining(" "));
    }

    private static String of(String id, long epochSecond, byte[] body, Secret secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.key(), ALGORITHM));
            mac.update((id + "." + epochSecond + ".").getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java runtime has " + ALGORITHM + ", but this one says: " + e, e);
        }
    }
}
