package dev.turno.buffer;

/** Keys that wait, keys in somebody's hands, and dead bursts, each counted up to {@link #MOST}. */
public record BufferCounts(int pending, int doing, int dead) {

    /** A figure of this size means "this many or more". */
    public static final int MOST = 10_000;
}
