package dev.turno.inbox;

import java.time.Instant;
import java.util.Optional;

/**
 * A message as it stands in the database.
 *
 * @param turnAt when its turn comes, or came; empty: never again, or not before those ahead of it in its ordering key
 * @param heldUntil when the claim of whoever has it lapses
 * @param node who has it, or had it last, while that process is remembered
 * @param body empty in lists: bodies can be long
 */
public record StoredMessage(
        String id,
        InboxState state,
        int priority,
        int attempt,
        long fence,
        Instant putAt,
        Optional<Instant> turnAt,
        Optional<Instant> heldUntil,
        Optional<Instant> finishedAt,
        Optional<String> orderingKey,
        Optional<String> node,
        Optional<String> error,
        Optional<String> body) {}
