package dev.turno.worker;

import java.time.Duration;

/**
 * How a worker works.
 *
 * @param threads handlers at once in this process
 * @param virtual on virtual threads, where the runtime has them
 * @param batch the most rows taken or finished in one statement
 * @param maxRun how long a handler may run before it is interrupted and its claim lapses
 * @param maxAttempts after so many the item is parked as DEAD
 * @param poll the pause between looks when nothing happens
 */
public record WorkerSettings(
        int threads,
        boolean virtual,
        int batch,
        Duration maxRun,
        int maxAttempts,
        Backoff backoff,
        FinishMode finish,
        Duration poll) {

    /** How long what was taken may wait in memory for a thread; then it is given back, not started. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    /** For how long a row is taken: a handler that starts at the last moment still has its whole maximum run. */
    public Duration longestClaim() {
        return PATIENCE.plus(maxRun);
    }
}
