package dev.turno.certification.intake;

import dev.turno.certification.authority.CertificationAuthority.Asked;
import dev.turno.certification.sql.Sql;
import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.CertificationRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Computes identities with a key that was drawn by the first instance and is shared by all. Shared by threads. */
final class Identities {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final Mac mac;
    private final String operation;

    private Identities(Mac mac, String operation) {
        this.mac = mac;
        this.operation = operation;
    }

    static Identities open(Sql sql, String operation) {
        byte[] drawn = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(drawn);
        String content = SharedSetting.of(sql, "identity-key", HexFormat.of().formatHex(drawn));
        return new Identities(keyed(HexFormat.of().parseHex(content)), operation);
    }

    /** Prepared once: to look for the algorithm and to set the key takes longer than to compute a hash. */
    private static Mac keyed(byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            // Without an identity nothing is protected, so nothing is done.
            throw new IllegalStateException("Every Java has " + ALGORITHM + ", but not this one.", e);
        }
    }

    /** An answer that names another worker, benefit or AFORE than the request did tells nothing about that request. */
    Asked checked(Asked asked, String guard, String afore) {
        return asked instanceof Asked.Answered answered && isOfAnother(answered.answer(), guard, afore)
                ? new Asked.Unknown("the validator's answer is about another request")
                : asked;
    }

    private boolean isOfAnother(Answer answer, String guard, String afore) {
        String nss = answer.field("nss");
        String benefit = answer.field("tipoPrestacion");
        String answered = answer.field("claveAdminActual");
        boolean another = !nss.isEmpty() && !benefit.isEmpty() && !guard.equals(guard(nss, benefit));
        return another || !(answered.isEmpty() || answered.equals(afore));
    }

    private String guard(String nss, String benefit) {
        return hash("guard", operation, nss, benefit);
    }

    Identity of(CertificationRequest request, Optional<String> idempotencyKey) {
        String afore = request.claveAdminActual();
        return new Identity(
                hash("folio", operation, afore, request.folioTramiteProcesar()),
                idempotencyKey.map(value -> hash("key", operation, afore, value)),
                guard(request.nss(), request.tipoPrestacion()),
                request.fingerprint());
    }

    /** A folio may come back when its answer is no longer kept, for another worker too: that is another decision. */
    String decision(Identity identity, LocalDate day) {
        return hash("decision", identity.folioId(), identity.guard(), day.toString());
    }

    private String hash(String... parts) {
        Mac own = copy();
        for (String part : parts) {
            own.update((part.length() + ":" + part).getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(own.doFinal());
    }

    /** One that no other thread uses. */
    private Mac copy() {
        try {
            return (Mac) mac.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("The " + ALGORITHM + " of every Java can be copied, but not this one.", e);
        }
    }
}
