package dev.turno.run;

import java.time.Instant;

/** An item that failed for good and was parked. */
public record Letter(long id, String itemKey, String error, Instant parkedAt) {}
