package dev.turno.buffer;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What is handed over: messages of one key, in order.
 *
 * @param age how long its newest message had been waiting when the burst was taken
 * @param revived it failed for good, and somebody gave it its turn again
 */
public record Burst(String key, List<BurstMessage> messages, Duration age, boolean revived) {

    public Burst {
        messages = BurstMessage.inOrder(messages);
    }

    /** The texts among the messages, joined by newlines. */
    public String text() {
        return messages.stream()
                .filter(message -> message.type().equals(BufferMessage.TEXT))
                .map(BurstMessage::body)
                .collect(Collectors.joining("\n"));
    }

    /** Of all bodies, in characters. */
    long length() {
        return messages.stream().mapToLong(message -> message.body().length()).sum();
    }
}
