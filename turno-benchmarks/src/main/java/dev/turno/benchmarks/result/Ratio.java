package dev.turno.benchmarks.result;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * How many times as much, once per round: what slowed a whole round down cancels out within it. One is no difference; a ratio whose
 * spread holds one is not told as won or lost.
 *
 * @param values one per round, in the order of the rounds
 */
public record Ratio(List<Double> values) {

    /** So sure the spread has to be that it holds the true median, where there are rounds enough for that. */
    private static final double SURE = 0.95;

    public Ratio {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("A ratio needs at least one round.");
        }
        values = List.copyOf(values);
    }

    /** Against whoever comes nearest: the least of them. */
    public static Ratio least(Collection<Ratio> ratios) {
        return ratios.stream().min(Comparator.comparing(Ratio::median)).orElseThrow();
    }

    public double median() {
        return Medians.of(values);
    }

    /** The lower end of the spread. */
    public double low() {
        return sorted().get(leftOut(values.size()));
    }

    /** The upper end of the spread. */
    public double high() {
        return sorted().get(values.size() - 1 - leftOut(values.size()));
    }

    /** Whether there is a difference beyond the spread. One round has no spread, so it shows nothing. */
    public boolean isMeasured() {
        return values.size() > 1 && (low() > 1 || high() < 1);
    }

    /** For people: the number only if it says something. */
    public String wording() {
        return isMeasured() ? Numbers.plain(median()) : doubt();
    }

    String doubt() {
        return values.size() == 1 ? "one round only, " + Numbers.plain(median()) : "no difference measured";
    }

    String spread() {
        return String.format(Locale.ROOT, "%s to %s", Numbers.plain(low()), Numbers.plain(high()));
    }

    private List<Double> sorted() {
        return values.stream().sorted().toList();
    }

    /**
     * How many of the extremes are left out on each side. Each round is above the true median with a chance of one half, so the
     * binomial distribution tells how many may go. With fewer than six rounds none may: the spread is all of them.
     */
    static int leftOut(int rounds) {
        double beyond = Math.pow(0.5, rounds);
        double chance = beyond;
        int out = 0;
        for (int i = 1; i < rounds / 2; i++) {
            chance = chance * (rounds - i + 1) / i;
            beyond += chance;
            if (1 - 2 * beyond < SURE) {
                break;
            }
            out = i;
        }
        return out;
    }
}
