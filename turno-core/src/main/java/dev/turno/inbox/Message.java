package dev.turno.inbox;

import java.time.Instant;
import java.util.Optional;

/** A message as its handler sees it. {@code trace} is what came with it for the application's tracing. */
public record Message(
        String id, String body, int priority, Optional<String> orderingKey, Instant putAt, Optional<String> trace) {}
