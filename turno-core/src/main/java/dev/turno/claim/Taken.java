package dev.turno.claim;

/**
 * A row that was just taken.
 *
 * @param attempt counts the takings that ran a handler, from 1; a person's revival starts it again, unlike the fence
 * @param key stable over retries and never used again for another item: what to send to outside systems that can drop
 *     repetitions
 */
public record Taken<R>(Claim claim, int attempt, String key, R row) {}
