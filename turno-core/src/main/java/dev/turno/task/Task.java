package dev.turno.task;

import java.time.Instant;
import java.util.Optional;

/**
 * A task as its handler sees it.
 *
 * @param at its instant; it may have been in the past when it was scheduled
 */
public record Task(
        long id, String type, Optional<String> key, String body, Instant at, int priority, Optional<String> lane) {}
