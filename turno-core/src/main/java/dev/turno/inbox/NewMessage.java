package dev.turno.inbox;

import dev.turno.sql.StorableText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A message to be put.
 *
 * @param id by which it is stored once; 1 to 200 characters
 * @param priority 0 to 9; a higher number goes first
 * @param orderingKey messages with the same key run one after the other
 * @param delay from the put until its turn
 * @param turnAt its turn as a moment, instead of a delay
 * @param trace what the handler's side needs to go on with the trace of whoever puts it; Turno only carries it
 */
public record NewMessage(
        String id,
        String body,
        int priority,
        Optional<String> orderingKey,
        Duration delay,
        Optional<Instant> turnAt,
        Optional<String> trace) {

    public static final int LONGEST_ID = 200;
    public static final int LONGEST_KEY = 200;
    public static final int LONGEST_TRACE = 1_000;
    public static final int USUAL_PRIORITY = 5;
    private static final Duration LONGEST_DELAY = Duration.ofDays(366 * 100L);
    private static final Instant LAST_MOMENT = Instant.parse("9000-01-01T00:00:00Z");

    public NewMessage {
        StorableText.require("message id", id, LONGEST_ID);
        orderingKey.ifPresent(key -> StorableText.require("ordering key", key, LONGEST_KEY));
        trace.ifPresent(text -> StorableText.require("trace", text, LONGEST_TRACE));
        StorableText.requireStorable("body of message", id, body);
        if (priority < 0 || priority > 9) {
            throw new IllegalArgumentException(
                    "Message '" + id + "' has priority " + priority + "; use 0 to 9, 9 first.");
        }
        if (delay.isNegative() || delay.compareTo(LONGEST_DELAY) > 0) {
            throw new IllegalArgumentException(
                    "Message '" + id + "' has the delay " + delay + "; use zero to 100 years.");
        }
        turnAt.filter(moment -> moment.isAfter(LAST_MOMENT)).ifPresent(moment -> {
            throw new IllegalArgumentException(
                    "Message '" + id + "' has its turn at " + moment + "; use a moment before " + LAST_MOMENT + ".");
        });
    }

    public static NewMessage of(String id, String body) {
        return new NewMessage(
                id, body, USUAL_PRIORITY, Optional.empty(), Duration.ZERO, Optional.empty(), Optional.empty());
    }

    public NewMessage withPriority(int wished) {
        return new NewMessage(id, body, wished, orderingKey, delay, turnAt, trace);
    }

    public NewMessage inOrderOf(String key) {
        return new NewMessage(id, body, priority, Optional.of(key), delay, turnAt, trace);
    }

    public NewMessage after(Duration wished) {
        return new NewMessage(id, body, priority, orderingKey, wished, Optional.empty(), trace);
    }

    public NewMessage at(Instant wished) {
        return new NewMessage(id, body, priority, orderingKey, Duration.ZERO, Optional.of(wished), trace);
    }

    public NewMessage withTrace(String wished) {
        return new NewMessage(id, body, priority, orderingKey, delay, turnAt, Optional.of(wished));
    }

    /** True if it waits neither for a moment nor behind others. */
    boolean canBeginAtOnce() {
        return delay.isZero() && turnAt.isEmpty() && orderingKey.isEmpty();
    }
}
