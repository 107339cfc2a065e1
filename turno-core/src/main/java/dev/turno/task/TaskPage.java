package dev.turno.task;

import java.util.List;
import java.util.Optional;

/** A part of a list; {@code next} is what to ask for the part after it, empty at the end. */
public record TaskPage(List<StoredTask> items, Optional<String> next) {}
