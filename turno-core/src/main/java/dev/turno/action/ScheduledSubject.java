package dev.turno.action;

import java.time.Instant;
import java.util.Optional;

/** A subject with its schedule. {@code nextAt}: empty if it is over. */
public record ScheduledSubject(String subject, String schedule, Optional<Instant> nextAt) {}
