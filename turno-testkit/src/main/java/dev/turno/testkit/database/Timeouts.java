package dev.turno.testkit.database;

import java.time.Duration;

/** How long the clients of a test wait: less than the usual lease of 15 seconds, so that they notice a cut before it lapses. */
final class Timeouts {

    /** For a new connection. */
    static final Duration CONNECT = Duration.ofSeconds(3);

    /** For a free connection of a pool. */
    static final Duration POOL = Duration.ofSeconds(5);

    /** For a row lock, where that can be said; shorter than for an answer, or the connection would be lost with the wait. */
    static final Duration LOCK = Duration.ofSeconds(5);

    /** For an answer. */
    static final Duration ANSWER = Duration.ofSeconds(10);

    private Timeouts() {}
}
