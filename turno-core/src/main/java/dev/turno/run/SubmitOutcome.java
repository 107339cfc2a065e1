package dev.turno.run;

/** What became of a wish to run something. */
public sealed interface SubmitOutcome {

    /** It waits for its turn, under this number. */
    record Queued(long id) implements SubmitOutcome {}

    /** Nothing was stored. {@code because} says why and what to do. */
    record Refused(String because) implements SubmitOutcome {}

    /** The number of the run, for those who take a refusal for an error. */
    default long orThrow() {
        if (this instanceof Queued queued) {
            return queued.id();
        }
        throw new IllegalStateException(((Refused) this).because());
    }
}
