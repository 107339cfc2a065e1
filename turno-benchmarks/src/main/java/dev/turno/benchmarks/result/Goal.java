package dev.turno.benchmarks.result;

import java.util.Optional;

/**
 * A figure that was promised. Missing it is said, and is no failure of the benchmark: machines differ.
 *
 * @param doubt why the value proves nothing, even if it is on the right side
 */
public record Goal(String name, Sense sense, double bound, double value, Optional<String> doubt) {

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
        return new Goal(name, Sense.AT_LEAST, bound, value, Optional.empty());
    }

    /** Being better by some factor has to show beyond the spread; being as good does not. */
    public static Goal atLeast(String name, double bound, Ratio ratio) {
        boolean doubtful = bound > 1 && !ratio.isMeasured();
        return new Goal(
                name, Sense.AT_LEAST, bound, ratio.median(), doubtful ? Optional.of(ratio.doubt()) : Optional.empty());
    }

    public static Goal atMost(String name, double bound, double value) {
        return new Goal(name, Sense.AT_MOST, bound, value, Optional.empty());
    }

    public boolean isMet() {
        return doubt.isEmpty() && (sense == Sense.AT_LEAST ? value >= bound : value <= bound);
    }

    /** For example {@code >= 10}. */
    public String wording() {
        return sense.sign + " " + Numbers.plain(bound);
    }
}
