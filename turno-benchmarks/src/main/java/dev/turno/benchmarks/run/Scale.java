package dev.turno.benchmarks.run;

/** How much is measured. */
public enum Scale {
    /** For what is published. */
    FULL,
    /** For a look: the best peer only, few rounds, small tables. */
    QUICK,
    /** To see that it runs; the figures mean nothing. */
    TINY;

    /** What belongs to this scale. */
    public <T> T of(T full, T quick, T tiny) {
        return switch (this) {
            case FULL -> full;
            case QUICK -> quick;
            case TINY -> tiny;
        };
    }
}
