package dev.turno.buffer;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What became of an add.
 *
 * @param stored how many messages are new
 * @param duplicates how many were added before; they changed nothing
 * @param seq of the key's newest message
 * @param flushAt when the messages that wait are due, if nothing else comes; empty: none waits
 * @param in how long that is from now, by the database's clock
 */
public record Added(int stored, int duplicates, long seq, Optional<Instant> flushAt, Optional<Duration> in) {}
