package dev.turno.server.external;

import dev.turno.claim.Result;
import java.util.Optional;

/**
 * What a worker presents: the message, the fence it was given, and what shall become of it.
 *
 * @param result empty: it only renews
 */
public record Presented(String id, long fence, Optional<Result> result) {}
