package dev.turno.testkit.chaos;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * What became of what was put.
 *
 * @param wanted how many were put
 * @param missing those without an effect
 * @param twice those with more than one
 */
public record Tally(int wanted, Set<String> missing, Set<String> twice) {

    static Tally of(Set<String> wanted, Collection<String> effects) {
        Set<String> missing = new HashSet<>(wanted);
        effects.forEach(missing::remove);
        Set<String> seen = new HashSet<>();
        Set<String> twice = new HashSet<>();
        for (String effect : effects) {
            if (!seen.add(effect)) {
                twice.add(effect);
            }
        }
        return new Tally(wanted.size(), missing, twice);
    }

    /** Something was put, and each of it had its effect once. */
    public boolean isRight() {
        return wanted > 0 && missing.isEmpty() && twice.isEmpty();
    }
}
