package dev.turno.lock;

import java.time.Instant;

/**
 * A lock as people see it.
 *
 * @param name the key
 * @param node the name of the process that has it
 * @param holder that process's id, drawn at its start
 * @param until when it lapses unless it is renewed
 */
public record LockView(
        String name,
        String node,
        String holder,
        Instant takenAt,
        Instant until,
        String service,
        String user,
        long fence) {}
