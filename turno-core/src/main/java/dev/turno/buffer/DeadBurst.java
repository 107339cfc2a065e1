package dev.turno.buffer;

import java.time.Instant;
import java.util.List;

/**
 * A burst that failed for good.
 *
 * @param handedOverAs what the gateway was given as key, and will be given again if it is revived
 * @param size how many messages it has
 * @param revived it waits to be handed over again
 * @param messages empty in lists: they can be long
 */
public record DeadBurst(
        long id,
        String key,
        String handedOverAs,
        long size,
        int attempt,
        Instant deadAt,
        String error,
        boolean revived,
        List<BurstMessage> messages) {}
