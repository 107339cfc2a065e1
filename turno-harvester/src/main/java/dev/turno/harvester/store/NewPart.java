package dev.turno.harvester.store;

import java.util.Optional;

/** A finished file that no row of the database names yet. */
public record NewPart(String file, long rows, long deletions, long newest, Optional<String> results) {}
