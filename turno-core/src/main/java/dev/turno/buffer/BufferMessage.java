package dev.turno.buffer;

import dev.turno.sql.StorableText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/**
 * A message to be added.
 *
 * @param id under which its sender may send it again; without one every add is a new message
 * @param sentAt by the sender's clock; messages of a burst are ordered by it, as far as it does not lie in the future
 * @param type what kind of body it is; those of type {@value #TEXT} are also given joined
 */
public record BufferMessage(Optional<String> id, String body, String type, Optional<Instant> sentAt) {

    public static final String TEXT = "text";
    public static final int LONGEST_ID = 200;
    public static final int LONGEST_TYPE = 50;
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    public BufferMessage {
        id.ifPresent(text -> StorableText.require("message id", text, LONGEST_ID));
        StorableText.require("message type", type, LONGEST_TYPE);
        StorableText.require("message body", body, BufferOptions.LONGEST_BODY);
        sentAt.ifPresent(moment -> {
            if (moment.isBefore(Instant.EPOCH) || moment.isAfter(LATEST)) {
                throw new IllegalArgumentException(
                        "The message was sent at " + moment + "; use a moment from 1970 to 9998, or none.");
            }
        });
    }

    /** A text without an id. */
    public static BufferMessage of(String body) {
        return new BufferMessage(Optional.empty(), body, TEXT, Optional.empty());
    }

    /** A text that is added once, however often it is sent. */
    public static BufferMessage of(String id, String body) {
        return of(body).withId(id);
    }

    public BufferMessage withId(String wished) {
        return new BufferMessage(Optional.of(wished), body, type, sentAt);
    }

    public BufferMessage withType(String wished) {
        return new BufferMessage(id, body, wished, sentAt);
    }

    public BufferMessage sentAt(Instant wished) {
        return new BufferMessage(id, body, type, Optional.of(wished));
    }

    long bytes() {
        return body.getBytes(StandardCharsets.UTF_8).length;
    }
}
