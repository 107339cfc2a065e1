package dev.turno.worker;

import dev.turno.claim.Turn;

/** A turn whose handler renews its claim itself, with what it stores on the way. */
public interface LongTurn extends Turn {

    /**
     * The claim was renewed in the database: it lasts for the maximum run time from {@code before}, a moment of
     * {@link dev.turno.time.Time#nanos()} before the question was asked.
     */
    void renewedFrom(long before);

    /** What was done so far is stored and will not be done again: the attempts begin anew. */
    void progressed();
}
