package dev.turno.buffer;

import java.time.Instant;
import java.util.Optional;

/**
 * A key as it stands in the database.
 *
 * @param waiting messages that wait for the next burst
 * @param inBurst messages of the burst that is under way, or waits for its retry
 * @param flushAt when those that wait are due
 * @param turnAt when a holder may take it; while a burst is under way or waits for its retry that burst's turn
 * @param attempt of the burst under way
 * @param node who has it, or had it last, while that process is remembered
 * @param dead bursts that failed for good
 */
public record KeyView(
        String key,
        BufferState state,
        long waiting,
        long waitingBytes,
        long inBurst,
        Optional<Instant> flushAt,
        Optional<Instant> turnAt,
        Optional<Instant> heldUntil,
        int attempt,
        long fence,
        Optional<String> node,
        Optional<String> error,
        int dead) {}
