package dev.turno.buffer;

import java.util.EnumSet;
import java.util.Set;

/** The states of a key, and of bursts that failed for good; the statements' {@code where} clauses enforce them. */
public enum BufferState {
    /** Nothing to hand over. */
    IDLE,
    /** Messages wait until it is quiet, or a burst waits for its retry. */
    PENDING,
    /** A burst is in the hands of a holder. */
    DOING,
    /** A burst that failed for good, parked for a person. Its key goes on. */
    DEAD;

    public Set<BufferState> next() {
        return switch (this) {
            case IDLE -> EnumSet.of(PENDING);
            case PENDING -> EnumSet.of(DOING);
            case DOING -> EnumSet.allOf(BufferState.class); // DOING again: a lapsed claim taken over
            case DEAD -> EnumSet.of(PENDING); // revived by a person
        };
    }
}
