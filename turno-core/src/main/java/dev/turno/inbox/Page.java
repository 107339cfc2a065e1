package dev.turno.inbox;

import java.util.List;
import java.util.Optional;

/** A part of a list; {@code next} is what to ask for the part after it, empty at the end. */
public record Page<T>(List<T> items, Optional<String> next) {}
