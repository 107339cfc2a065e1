package dev.turno.inbox;

/** What became of a put. */
public sealed interface PutOutcome {

    /** It was stored now. */
    record Stored() implements PutOutcome {}

    /** The same message stands there already; nothing was stored and nothing is lost. */
    record Duplicate(InboxState state) implements PutOutcome {}

    /** Another body stands under the same id. It was not touched, and this one was not stored. */
    record Refused(String because) implements PutOutcome {}
}
