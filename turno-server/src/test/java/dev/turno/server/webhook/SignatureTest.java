package dev.turno.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("security")
class SignatureTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDqTCHxqvrpNA=";
    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    private static final long AT = 1_614_265_330L;
    private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);

    @Test
    void the_published_example_has_the_published_signature() {
        assertThat(Signature.of(ID, AT, BODY, List.of(Secret.of(SECRET))))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void during_a_rotation_receivers_with_either_secret_are_content() throws Exception {
        Receiver.Call call = call(Map.of(), BODY, List.of(Secret.of(OTHER), Secret.of(SECRET)));

        assertThat(new Verifier(SECRET).accepts(call, AT)).isTrue();
        assertThat(new Verifier(OTHER).accepts(call, AT)).isTrue();
        assertThat(new Verifier(Secret.draw().reveal()).accepts(call, AT)).isFalse();
    }

    @Test
    void whatever_is_changed_on_the_way_is_noticed() throws Exception {
        Verifier verifier = new Verifier(SECRET);
        List<Secret> secrets = List.of(Secret.of(SECRET));
        byte[] other = "{\"test\": 2432232315}".getBytes(StandardCharsets.UTF_8);

        assertThat(verifier.accepts(call(Map.of(), BODY, secrets), AT)).isTrue();
        assertThat(verifier.accepts(call(Map.of(), other, secrets), AT)).isFalse();
        assertThat(verifier.accepts(call(Map.of("webhook-id", "msg_other"), BODY, secrets), AT))
                .isFalse();
        assertThat(verifier.accepts(call(Map.of("webhook-timestamp", "1614265331"), BODY, secrets), AT))
                .isFalse();
    }

    @Test
    void what_is_sent_again_later_is_noticed() throws Exception {
        Verifier verifier = new Verifier(SECRET);
        Receiver.Call call = call(Map.of("turno-fence", "1"), BODY, List.of(Secret.of(SECRET)));

        assertThat(verifier.acceptsOnce(call, AT)).isTrue();
        assertThat(verifier.acceptsOnce(call, AT + 1)).as("the same once more").isFalse();
        assertThat(new Verifier(SECRET).acceptsOnce(call, AT + 301))
                .as("too old")
                .isFalse();
    }

    @Test
    void a_secret_shows_itself_only_when_asked() {
        Secret secret = Secret.of(SECRET);

        assertThat(secret.toString()).isEqualTo("whsec_...");
        assertThat(secret.reveal()).isEqualTo(SECRET);
        assertThat(Secret.draw()).isNotEqualTo(Secret.draw());
    }

    @Test
    void an_unusable_secret_is_refused_without_being_repeated() {
        for (String text : List.of("", "whsec_", "whsec_c2hvcnQ=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_§§§")) {
            assertThatThrownBy(() -> Secret.of(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Nothing was changed");
        }
    }

    /** A call signed for {@link #ID}, {@link #AT} and {@link #BODY}, with some of it changed afterwards. */
    private static Receiver.Call call(Map<String, String> changed, byte[] body, List<Secret> secrets) {
        Map<String, String> headers = new HashMap<>(Map.of(
                "webhook-id",
                ID,
                "webhook-timestamp",
                Long.toString(AT),
                "webhook-signature",
                Signature.of(ID, AT, BODY, secrets)));
        headers.putAll(changed);
        return new Receiver.Call(headers, new String(body, StandardCharsets.UTF_8));
    }
}
