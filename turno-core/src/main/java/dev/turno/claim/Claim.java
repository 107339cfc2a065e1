package dev.turno.claim;

/** The proof of a taking: the row, and the fence it had then. Only the newest fence of a row can write. */
public record Claim(long id, long fence) {}
