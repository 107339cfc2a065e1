package dev.turno.spring;

import dev.turno.claim.Result;
import dev.turno.claim.Turn;

/** Handles one row: a message, a burst, a task. */
@FunctionalInterface
interface Handling<R> {

    Result handle(R row, Turn turn) throws Exception;
}
