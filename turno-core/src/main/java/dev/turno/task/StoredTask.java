package dev.turno.task;

import java.time.Instant;
import java.util.Optional;

/**
 * A task as it stands in the database.
 *
 * @param at its instant
 * @param turnAt from when anyone may take it; empty: never again, or not before those ahead of it in its lane
 * @param heldUntil when the claim of whoever has it lapses
 * @param node in whose share it is, who has it, or who had it last, while that process is remembered
 * @param schedule the cron schedule that made it
 * @param body empty in lists: bodies can be long
 */
public record StoredTask(
        long id,
        String type,
        Optional<String> key,
        TaskState state,
        int priority,
        int attempt,
        long fence,
        Instant putAt,
        Instant at,
        Optional<Instant> turnAt,
        Optional<Instant> heldUntil,
        Optional<Instant> finishedAt,
        Optional<String> lane,
        Optional<String> node,
        Optional<String> schedule,
        Optional<String> error,
        Optional<String> body) {}
