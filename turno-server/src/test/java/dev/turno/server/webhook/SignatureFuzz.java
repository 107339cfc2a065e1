package dev.turno.server.webhook;

import static dev.turno.fuzz.Property.holds;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A webhook's secret in the first line, a body in the others: no other body, moment, id or secret has the same signature. */
public final class SignatureFuzz {

    private static final String KNOWN = "whsec_dHVybm8tdHVybm8tdHVybm8tdHVybm8tdHVybm8=";
    private static final Secret SECRET = Secret.of(KNOWN);
    private static final long MOMENT = 1_800_000_000;

    private SignatureFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        int line = text.indexOf('\n');
        byte[] body = (line < 0 ? "" : text.substring(line + 1)).getBytes(StandardCharsets.UTF_8);
        secret(line < 0 ? text : text.substring(0, line), body);
        String signature = Signature.of("msg", MOMENT, body, List.of(SECRET));
        for (int i = 0; i < Math.min(body.length, 64); i++) {
            byte[] other = body.clone();
            other[i] ^= (byte) (1 << (i % 8));
            holds(
                    !Signature.of("msg", MOMENT, other, List.of(SECRET)).equals(signature),
                    "another body signs otherwise");
        }
        byte[] longer = Arrays.copyOf(body, body.length + 1);
        holds(!Signature.of("msg", MOMENT, longer, List.of(SECRET)).equals(signature), "a longer body signs otherwise");
        holds(
                !Signature.of("msg", MOMENT + 1, body, List.of(SECRET)).equals(signature),
                "another moment signs otherwise");
        holds(!Signature.of("msh", MOMENT, body, List.of(SECRET)).equals(signature), "another id signs otherwise");
        seal(text);
    }

    private static void secret(String text, byte[] body) {
        Secret secret;
        try {
            secret = Secret.of(text);
        } catch (IllegalArgumentException refused) {
            holds(
                    text.length() < 20 || !String.valueOf(refused.getMessage()).contains(text),
                    "a refusal does not repeat the secret");
            return;
        }
        holds(Secret.of(secret.reveal()).equals(secret), "a secret is read as it was written");
        holds(secret.toString().equals("whsec_..."), "a secret does not show itself");
        if (!secret.equals(SECRET)) {
            holds(
                    !Signature.of("msg", MOMENT, body, List.of(secret))
                            .equals(Signature.of("msg", MOMENT, body, List.of(SECRET))),
                    "another secret signs otherwise");
        }
    }

    /** What stands in the database may have been made by other hands. */
    private static void seal(String stored) {
        Seal seal = new Seal(Optional.of("dHVybm8tdHVybm8tdHVybm8tdHVybm8tdHVybm8xMjM="));
        try {
            holds(seal.open(stored).equals(stored.replaceFirst("open:", "")), "only what we sealed is opened");
        } catch (Seal.WrongKeyException refused) {
            // The named error.
        }
        holds(seal.open(seal.close(stored)).equals(stored), "what is sealed is opened");
    }
}
