package dev.turno.inbox;

import dev.turno.claim.Result;
import dev.turno.claim.Turn;

/** The user's code for one message. Called by several threads at once. Throwing means: retry with backoff. */
@FunctionalInterface
public interface InboxHandler {

    Result handle(Message message, Turn turn) throws Exception;

    /** False while it can do nothing at all: nothing is taken then, and what was not begun goes back at no attempt's cost. */
    default boolean isReady() {
        return true;
    }

    /** Handles what {@code codec} reads from the body; a body that it cannot read is parked as DEAD with the reason. */
    static <T> InboxHandler of(Codec<T> codec, Typed<T> handler) {
        return (message, turn) -> {
            T value;
            try {
                value = codec.read(message.body());
            } catch (Exception e) {
                return Result.reject("The body cannot be read: " + e
                        + "\nMend the codec and revive the message, or put it again under another id.");
            }
            return handler.handle(value, turn);
        };
    }

    /** The user's code for one value. */
    @FunctionalInterface
    interface Typed<T> {
        Result handle(T value, Turn turn) throws Exception;
    }
}
