package dev.turno.inbox;

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
 */
public record NewMessage(
        String id, String body, int priority, Optional<String> orderingKey, Duration delay, Optional<Instant> turnAt) {

    public static final int LONGEST_ID = 200;
    public static final int LONGEST_KEY = 200;
    public static final int USUAL_PRIORITY = 5;
    private static final Duration LONGEST_DELAY = Duration.ofDays(366 * 100L);

    public NewMessage {
        requireText("message id", id, LONGEST_ID);
        orderingKey.ifPresent(key -> requireText("ordering key", key, LONGEST_KEY));
        int nul = body.indexOf('\0');
        if (nul >= 0) {
            throw new IllegalArgumentException("The body of message '" + id + "' has a NUL character at position " + nul
                    + ", which not every database can store. Remove it, or encode the body.");
        }
        if (priority < 0 || priority > 9) {
            throw new IllegalArgumentException(
                    "Message '" + id + "' has priority " + priority + "; use 0 to 9, 9 first.");
        }
        if (delay.isNegative() || delay.compareTo(LONGEST_DELAY) > 0) {
            throw new IllegalArgumentException(
                    "Message '" + id + "' has the delay " + delay + "; use zero to 100 years.");
        }
    }

    public static NewMessage of(String id, String body) {
        return new NewMessage(id, body, USUAL_PRIORITY, Optional.empty(), Duration.ZERO, Optional.empty());
    }

    public NewMessage withPriority(int wished) {
        return new NewMessage(id, body, wished, orderingKey, delay, turnAt);
    }

    public NewMessage inOrderOf(String key) {
        return new NewMessage(id, body, priority, Optional.of(key), delay, turnAt);
    }

    public NewMessage after(Duration wished) {
        return new NewMessage(id, body, priority, orderingKey, wished, Optional.empty());
    }

    public NewMessage at(Instant wished) {
        return new NewMessage(id, body, priority, orderingKey, Duration.ZERO, Optional.of(wished));
    }

    static void requireText(String what, String text, int longest) {
        if (text.isEmpty() || text.length() > longest) {
            throw new IllegalArgumentException(
                    "The " + what + " has " + text.length() + " characters; use 1 to " + longest + ".");
        }
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "The " + what + " has a NUL character, which not every database can store.");
        }
    }
}
