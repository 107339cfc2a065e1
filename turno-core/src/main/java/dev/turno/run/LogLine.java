package dev.turno.run;

import java.time.Instant;

/** One line of what a run said. */
public record LogLine(long id, Instant at, String text) {}
