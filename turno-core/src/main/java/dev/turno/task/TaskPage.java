package dev.turno.task;

import java.util.List;
import java.util.Optional;

/**
 * A part of a list; {@code next} is what to ask for the part after it, empty at the end. One part looks at ten thousand rows at most, so
 * that a rare text costs no more than that: it may have few items, or none, and still a next.
 */
public record TaskPage(List<StoredTask> items, Optional<String> next) {}
