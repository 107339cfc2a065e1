package dev.turno.server.whatsapp;

import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.Buffers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checks what comes in, and adds its messages to a buffer under the sender's phone number. Shared by threads. */
public final class WhatsApp {

    /** What became of a notification. */
    public enum Received {
        /** Everything in it is stored, or was before. */
        STORED,
        /** Meta did not sign it; nothing was looked at. */
        FORGED
    }

    private static final Logger LOG = LoggerFactory.getLogger(WhatsApp.class);
    private static final String ALGORITHM = "HmacSHA256";
    private static final String PREFIX = "sha256=";
    private static final Pattern SIGNATURE = Pattern.compile(PREFIX + "[0-9a-f]{64}");
    private static final JsonMapper JSON = new JsonMapper();

    private final Supplier<Buffers> buffer;
    private final byte[] verifyToken;
    private final byte[] appSecret;

    /** @param buffer asked each time, because its options may be changed while the server runs */
    public WhatsApp(Supplier<Buffers> buffer, String verifyToken, String appSecret) {
        if (verifyToken.isBlank() || appSecret.isBlank()) {
            throw new IllegalArgumentException(
                    "turno.whatsapp needs both verify-token and app-secret; without them nothing could be trusted.");
        }
        this.buffer = buffer;
        this.verifyToken = verifyToken.getBytes(StandardCharsets.UTF_8);
        this.appSecret = appSecret.getBytes(StandardCharsets.UTF_8);
    }

    /** Meta asks whether this address is ours: the challenge goes back if it knows the token we agreed on; else empty. */
    public Optional<String> verify(@Nullable String mode, @Nullable String token, @Nullable String challenge) {
        boolean known = token != null
                && MessageDigest.isEqual(verifyToken, token.getBytes(StandardCharsets.UTF_8))
                && "subscribe".equals(mode);
        return known ? Optional.ofNullable(challenge) : Optional.empty();
    }

    /**
     * @param body the bytes as they came: another spelling of the same JSON has another signature
     * @param signature the header {@code X-Hub-Signature-256}
     * @throws dev.turno.claim.DatabaseAwayException if something may not be stored; Meta sends all of it again
     */
    public Received receive(byte[] body, @Nullable String signature) {
        if (!isSigned(body, signature)) {
            return Received.FORGED;
        }
        messages(body).forEach(this::add);
        return Received.STORED;
    }

    /** Whether it is worth reading what comes with this signature. */
    static boolean isSignature(@Nullable String header) {
        return header != null && SIGNATURE.matcher(header).matches();
    }

    private boolean isSigned(byte[] body, @Nullable String signature) {
        String wanted = PREFIX + HexFormat.of().formatHex(hmac(body));
        return signature != null
                && MessageDigest.isEqual(
                        wanted.getBytes(StandardCharsets.US_ASCII), signature.getBytes(StandardCharsets.UTF_8));
    }

    private byte[] hmac(byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(appSecret, ALGORITHM));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java runtime has " + ALGORITHM + ", but this one says: " + e, e);
        }
    }

    /** By phone number. What is signed and yet not readable is said and dropped: it would be no better the next time. */
    private static Map<String, List<BufferMessage>> messages(byte[] body) {
        Map<String, List<BufferMessage>> messages = new LinkedHashMap<>();
        try {
            for (JsonNode entry : JSON.readTree(body).path("entry")) {
                for (JsonNode change : entry.path("changes")) {
                    for (JsonNode message : change.path("value").path("messages")) {
                        read(message, messages);
                    }
                }
            }
        } catch (JacksonException e) {
            LOG.warn("A signed notification of WhatsApp is not JSON and was dropped: {}", e.getOriginalMessage());
        }
        return messages;
    }

    private static void read(JsonNode message, Map<String, List<BufferMessage>> messages) {
        try {
            BufferMessage read = read(message);
            messages.computeIfAbsent(message.path("from").asString(), phone -> new ArrayList<>())
                    .add(read);
        } catch (RuntimeException e) {
            LOG.warn("A message of WhatsApp was dropped, it cannot be stored: {}", e.getMessage());
        }
    }

    /** A text is itself; of everything else (pictures, places, buttons) the handler gets the JSON. */
    private static BufferMessage read(JsonNode message) {
        String type = message.path("type").asString();
        boolean text = type.equals(BufferMessage.TEXT);
        String body = text ? message.path("text").path("body").asString() : message.toString();
        BufferMessage read = BufferMessage.of(message.path("id").asString(), body)
                .withType(text ? BufferMessage.TEXT : type.isEmpty() ? "unknown" : type);
        String seconds = message.path("timestamp").asString();
        return seconds.matches("[0-9]{1,11}") ? read.sentAt(Instant.ofEpochSecond(Long.parseLong(seconds))) : read;
    }

    /** Together if they all can be stored; else one by one, so that the others do not suffer from one that cannot. */
    private void add(String phone, List<BufferMessage> messages) {
        try {
            buffer.get().add(phone, messages);
        } catch (IllegalArgumentException e) {
            if (messages.size() > 1) {
                messages.forEach(one -> add(phone, List.of(one)));
            } else {
                LOG.warn("A message of WhatsApp was dropped, it cannot be stored: {}", e.getMessage());
            }
        }
    }
}
