package dev.turno.run;

/** How many runs are in which state, each counted up to {@link #MOST}. */
public record RunCounts(int pending, int parked, int doing, int done, int stopped, int dead, int cancelled) {

    public static final int MOST = 10_000;
}
