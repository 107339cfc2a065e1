package dev.turno.worker;

/** When a handler's verdict is written. */
public enum FinishMode {
    /** Together with others, a few milliseconds later: fastest. A crash in between repeats the work. */
    BATCHED,
    /** By itself, before the handler's thread goes on. */
    AT_ONCE,
    /** By the handler, in its own transaction, with {@link dev.turno.claim.Turn#commit} or {@link dev.turno.claim.Turn#finishIn}. */
    IN_TRANSACTION
}
