package dev.turno.certification.intake;

import dev.turno.certification.sql.Sql;
import dev.turno.certification.wire.CertificationRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Computes identities with a key that was drawn by the first instance and is shared by all. Shared by threads. */
final class Identities {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final SecretKeySpec key;
    private final String operation;

    private Identities(SecretKeySpec key, String operation) {
        this.key = key;
        this.operation = operation;
    }

    static Identities open(Sql sql, String operation) {
        byte[] drawn = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(drawn);
        int unused = sql.call("setting.add")
                .param("name", "identity-key")
                .param("content", HexFormat.of().formatHex(drawn))
                .update();
        String content = sql.call("setting.get")
                .param("name", "identity-key")
                .query(String.class)
                .single();
        return new Identities(new SecretKeySpec(HexFormat.of().parseHex(content), ALGORITHM), operation);
    }

    Identity of(CertificationRequest request, Optional<String> idempotencyKey) {
        String afore = request.claveAdminActual();
        return new Identity(
                hash("folio", operation, afore, request.folioTramiteProcesar()),
                idempotencyKey.map(value -> hash("key", operation, afore, value)),
                hash("guard", operation, request.nss(), request.tipoPrestacion()),
                request.fingerprint());
    }

    private String hash(String... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            for (String part : parts) {
                mac.update((part.length() + ":" + part).getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(mac.doFinal());
        } catch (GeneralSecurityException e) {
            // Without an identity nothing is protected, so nothing is done.
            throw new IllegalStateException("Every Java has " + ALGORITHM + ", but not this one.", e);
        }
    }
}
