package dev.turno.certification.intake;

import dev.turno.certification.wire.Answer;
import java.time.Duration;
import java.time.LocalDate;

/** What became of a request. */
public sealed interface Outcome {

    /** Accepted, or rejected by a rule. Replayed: this is the answer that the first one got. */
    record Answered(Answer answer, boolean replayed) implements Outcome {}

    /** The same request, or another of the same worker and benefit, is under way. */
    record InFlight(Duration retryAfter) implements Outcome {}

    /** The folio or the key was used for other content. */
    record OtherContent() implements Outcome {}

    record NotABusinessDay(LocalDate next) implements Outcome {}

    /** The database or the authority cannot be reached; nothing was done. */
    record Unavailable(String why) implements Outcome {}

    /** It was sent and nobody knows how it ended; it is looked after under this reference. */
    record Unknown(String reference) implements Outcome {}
}
