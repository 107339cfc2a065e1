package dev.turno.inbox;

import java.time.Instant;
import java.util.Optional;

/** A message as its handler sees it. */
public record Message(String id, String body, int priority, Optional<String> orderingKey, Instant putAt) {}
