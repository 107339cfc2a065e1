package dev.turno.benchmarks.result;

/** A figure that was promised. Missing it is said, and is no failure of the benchmark: machines differ. */
public record Goal(String name, Sense sense, double bound, double value) {

    /** On which side of the bound the value should be. */
    public enum Sense {
        AT_LEAST(">="),
        AT_MOST("<=");

        private final String sign;

        Sense(String sign) {
            this.sign = sign;
        }
    }

    public static Goal atLeast(String name, double bound, double value) {
        return new Goal(name, Sense.AT_LEAST, bound, value);
    }

    public static Goal atMost(String name, double bound, double value) {
        return new Goal(name, Sense.AT_MOST, bound, value);
    }

    public boolean isMet() {
        return sense == Sense.AT_LEAST ? value >= bound : value <= bound;
    }

    /** For example {@code >= 10}. */
    public String wording() {
        return sense.sign + " " + Numbers.plain(bound);
    }
}
