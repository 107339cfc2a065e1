package dev.turno.buffer;

import dev.turno.claim.Result;
import dev.turno.claim.Turn;

/**
 * The user's code for one burst. Called by several threads at once, for different keys. Throwing means: retry with backoff. Give
 * {@link Turn#key} to the gateway: it is the same whenever these messages are handed over again.
 */
@FunctionalInterface
public interface BurstHandler {

    Result handle(Burst burst, Turn turn) throws Exception;

    /** False while it can do nothing at all: nothing is taken then, and what was not begun goes back at no attempt's cost. */
    default boolean isReady() {
        return true;
    }
}
