package dev.turno.task;

import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import java.time.Instant;

/** The user's code for one task. Called by several threads at once. Throwing means: retry with backoff. */
@FunctionalInterface
public interface TaskHandler {

    Result handle(Task task, Turn turn) throws Exception;

    /** False while it can do nothing at all: nothing is taken then, and what was not begun goes back at no attempt's cost. */
    default boolean isReady() {
        return true;
    }

    /**
     * A peak is coming: {@code count} tasks for {@code at} are in this process's share, more than it has threads. Called
     * ahead of the instant, and again when the count has changed; open connections, warm caches. Called on a handler thread.
     */
    default void onUpcoming(int count, Instant at) throws Exception {}
}
