package dev.turno.lane;

/**
 * Tells those who wait for a turn.
 *
 * @param now of what is committed
 * @param soon of what stands in a transaction that its owner will commit
 */
public record Wake(Runnable now, Runnable soon) {}
