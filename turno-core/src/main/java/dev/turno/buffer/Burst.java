package dev.turno.buffer;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What is handed over: messages of one key, in order.
 *
 * @param age how long its newest message had been waiting when the burst was taken
 */
public record Burst(String key, List<BurstMessage> messages, Duration age) {

    public Burst {
        messages = messages.stream().sorted(BurstMessage.ORDER).toList();
    }

    /** The texts among the messages, joined by newlines. */
    public String text() {
        return messages.stream()
                .filter(message -> message.type().equals(BufferMessage.TEXT))
                .map(BurstMessage::body)
                .collect(Collectors.joining("\n"));
    }
}
