package dev.turno.run;

import java.util.List;
import java.util.Optional;

/** A part of a list of runs; {@code next} is what to ask for the part after it, empty at the end. */
public record RunPage(List<StoredRun> items, Optional<String> next) {}
