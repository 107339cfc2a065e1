package dev.turno.run;

import java.util.EnumSet;
import java.util.Set;

/** The states of a run and the arrows between them; the statements' {@code where} clauses enforce them. */
public enum RunState {
    /** Waits for its lanes, a slot, or the next try. */
    PENDING,
    /** Waits for something outside, until a known moment; keeps its lanes and holds no slot. */
    PARKED,
    /** In the hands of a holder. */
    DOING,
    /** All pages are done. */
    DONE,
    /** Stopped by a person, with its cursor: it can be resumed. */
    STOPPED,
    /** Failed, with its cursor and the error: it can be resumed. */
    DEAD,
    /** Given up by a person. */
    CANCELLED;

    public Set<RunState> next() {
        return switch (this) {
            case PENDING, PARKED -> EnumSet.of(DOING, STOPPED, CANCELLED);
            case DOING ->
                EnumSet.of(DOING, PENDING, PARKED, DONE, STOPPED, DEAD); // DOING again: a lapsed claim taken over
            case STOPPED, DEAD -> EnumSet.of(PENDING, CANCELLED); // resumed, or given up, by a person
            case DONE, CANCELLED -> EnumSet.noneOf(RunState.class);
        };
    }
}
