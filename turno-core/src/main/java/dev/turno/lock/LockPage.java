package dev.turno.lock;

import java.util.List;
import java.util.Optional;

/** A part of the list of locks; {@code next} is what to ask for the part after it, empty at the end. */
public record LockPage(List<LockView> items, Optional<String> next) {}
