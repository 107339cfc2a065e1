package dev.turno.buffer;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** A message as its handler sees it. {@code seq} counts the messages of a key in the order of their adding. */
public record BurstMessage(
        long seq, Optional<String> id, String type, String body, Optional<Instant> sentAt, Instant addedAt) {

    /** By the sender's time, then by arrival. A sender's clock that runs ahead counts as the moment of arrival. */
    static final Comparator<BurstMessage> ORDER =
            Comparator.comparing(BurstMessage::at).thenComparingLong(BurstMessage::seq);

    private Instant at() {
        return sentAt.filter(addedAt::isAfter).orElse(addedAt);
    }
}
