package dev.turno.certification.intake;

import java.util.EnumSet;
import java.util.Set;

/** How far a request is. */
public enum RequestState {
    /** An authority outside is being asked, or whoever asked it died. */
    IN_PROGRESS,
    /** Answered: every repetition gets the same answer. */
    COMPLETED,
    /** It was not done, for certain: the next one may run it. */
    RETRYABLE,
    /** It was sent and nobody knows how it ended. Never run again before the authority has told. */
    AMBIGUOUS;

    Set<RequestState> next() {
        return switch (this) {
            case IN_PROGRESS, AMBIGUOUS -> EnumSet.of(COMPLETED, RETRYABLE, AMBIGUOUS);
            case RETRYABLE -> EnumSet.of(IN_PROGRESS, COMPLETED);
            case COMPLETED -> EnumSet.noneOf(RequestState.class);
        };
    }
}
