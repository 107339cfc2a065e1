package dev.turno.buffer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A message as its handler sees it. {@code seq} counts the messages of a key in the order of their adding. */
public record BurstMessage(
        long seq, Optional<String> id, String type, String body, Optional<Instant> sentAt, Instant addedAt) {

    private record Placed(BurstMessage message, Instant at) {}

    /** By the sender's time, then by arrival. A sender's clock that runs ahead counts as the moment of arrival. */
    static List<BurstMessage> inOrder(List<BurstMessage> messages) {
        List<Placed> placed = new ArrayList<>(messages.size());
        Instant arrival = Instant.EPOCH;
        for (BurstMessage message : messages.stream()
                .sorted(Comparator.comparingLong(BurstMessage::seq))
                .toList()) {
            // Nobody arrives before those whose number is lower, even if the database's clock was set back between
            // them.
            arrival = message.addedAt.isAfter(arrival) ? message.addedAt : arrival;
            placed.add(
                    new Placed(message, message.sentAt.filter(arrival::isAfter).orElse(arrival)));
        }
        placed.sort(Comparator.comparing(Placed::at));
        return placed.stream().map(Placed::message).toList();
    }
}
