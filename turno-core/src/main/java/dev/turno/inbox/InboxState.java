package dev.turno.inbox;

import java.util.EnumSet;
import java.util.Set;

/** The states of a message and the arrows between them; the statements' {@code where} clauses enforce them. */
public enum InboxState {
    /** Waits for its turn. */
    PENDING,
    /** In the hands of a holder. */
    DOING,
    /** Handled. */
    DONE,
    /** Parked for a person, with the error. */
    DEAD,
    /** Given up by a person. */
    CANCELLED;

    public Set<InboxState> next() {
        return switch (this) {
            case PENDING -> EnumSet.of(DOING, CANCELLED);
            case DOING -> EnumSet.of(DOING, PENDING, DONE, DEAD); // DOING again: a lapsed claim taken over
            case DEAD -> EnumSet.of(PENDING, CANCELLED); // revived, or given up, by a person
            case DONE, CANCELLED -> EnumSet.noneOf(InboxState.class);
        };
    }
}
