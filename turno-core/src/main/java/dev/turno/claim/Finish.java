package dev.turno.claim;

/** What a write after a take found. Only the fence decides: a claim that lapsed but that nobody took over is still good. */
public sealed interface Finish {

    /** The verdict stands, by this write or by an earlier one of the same claim whose answer was lost. */
    record Kept() implements Finish {}

    /** The claim ended well, but otherwise than by this verdict: a run was parked, stopped or handed over. It is told elsewhere. */
    record Aside() implements Finish {}

    /** Somebody else has or had the row since; nothing was written. */
    record Lost(String because) implements Finish {}

    /** The row is gone, as finished rows are that are not kept: it was finished, but by whom cannot be told. */
    record Unknown() implements Finish {}

    /** The handler's own transaction was rolled back; the row's turn comes again, or it is still claimed if that was its last. */
    record Undone() implements Finish {}

    /**
     * Nothing was written yet; ask again. The handler's own transaction still holds the row, or somebody holds its ordering key, for
     * example with a put in a transaction that is still open.
     */
    record Open() implements Finish {}
}
