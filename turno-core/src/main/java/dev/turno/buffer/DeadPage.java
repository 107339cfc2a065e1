package dev.turno.buffer;

import java.util.List;
import java.util.Optional;

/** A part of the list of dead bursts, newest first; {@code next} is what to ask for the part after it, empty at the end. */
public record DeadPage(List<DeadBurst> items, Optional<Long> next) {}
