package dev.turno.inbox;

/**
 * Messages by state, each counted up to {@link #MOST}: the cost is the same however many there are, and nobody acts on the
 * difference between ten thousand and ten thousand and one.
 */
public record Counts(int pending, int doing, int done, int dead, int cancelled) {

    /** A figure of this size means "this many or more". */
    public static final int MOST = 10_000;
}
