package dev.turno.server.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What a careful receiver does with the three headers, written from the specification and not with the sender's code. */
final class Verifier {

    private final byte[] key;
    private final Set<String> seen = new HashSet<>();

    Verifier(String secret) {
        this.key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
    }

    boolean accepts(Receiver.Call call, long nowSeconds) throws GeneralSecurityException {
        return isSigned(call) && Math.abs(nowSeconds - call.number("webhook-timestamp")) <= 300;
    }

    /** False for an id and fence that were accepted before. */
    boolean acceptsOnce(Receiver.Call call, long nowSeconds) throws GeneralSecurityException {
        return accepts(call, nowSeconds) && seen.add(call.header("webhook-id") + "/" + call.header("turno-fence"));
    }

    private boolean isSigned(Receiver.Call call) throws GeneralSecurityException {
        String start = call.header("webhook-id") + "." + call.header("webhook-timestamp") + ".";
        byte[] prefix = start.getBytes(StandardCharsets.UTF_8);
        byte[] signed = Arrays.copyOf(prefix, prefix.length + call.body().length);
        System.arraycopy(call.body(), 0, signed, prefix.length, call.body().length);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        String wanted = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed));
        return Arrays.asList(call.header("webhook-signature").split(" ", -1)).contains(wanted);
    }
}
