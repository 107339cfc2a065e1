package dev.turno.run;

import java.util.Optional;

/** The pages of a source for one run, one after the other. Used by one thread, closed after the run. */
public interface Pages<I> extends AutoCloseable {

    /** The next page of about {@code size} items; empty at the end. A page may have no items and only move the cursor. */
    Optional<Page<I>> next(int size) throws Exception;

    /** How many items there are in all, if it is known. */
    default Optional<Long> total() throws Exception {
        return Optional.empty();
    }

    @Override
    default void close() throws Exception {}
}
