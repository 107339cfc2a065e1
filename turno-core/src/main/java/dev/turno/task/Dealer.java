package dev.turno.task;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Deals tasks out so that at each instant nobody has more than one more than anybody else. Who comes first rotates, so that
 * instants with few tasks do not all go to the same holder. Not shared by threads.
 */
final class Dealer {

    private final List<Long> runners;
    private final Map<Long, Integer> has = new HashMap<>();
    private Instant at = Instant.MIN;
    private int next;

    /** @param start who comes first, as any number */
    Dealer(List<Long> runners, int start) {
        this.runners = List.copyOf(runners);
        this.next = Math.floorMod(start, runners.size());
    }

    List<Long> runners() {
        return runners;
    }

    /** True if what was dealt out last was for this instant, so that the dealer knows who has how many there. */
    boolean isAt(Instant instant) {
        return at.equals(instant);
    }

    /** From now on tasks of {@code instant} are dealt out, of which the runners have so many already. */
    void turnTo(Instant instant, Map<Long, Integer> already) {
        at = instant;
        has.clear();
        has.putAll(already);
    }

    /** Who gets the next one: somebody who has least. */
    long deal() {
        int chosen = next;
        for (int step = 1; step < runners.size(); step++) {
            int other = (next + step) % runners.size();
            if (count(other) < count(chosen)) {
                chosen = other;
            }
        }
        has.merge(runners.get(chosen), 1, Integer::sum);
        next = (chosen + 1) % runners.size();
        return runners.get(chosen);
    }

    /** {@code runner} has so many fewer: they are dealt out anew. */
    void takeFrom(long runner, int count) {
        has.merge(runner, -count, Integer::sum);
    }

    private int count(int runner) {
        return has.getOrDefault(runners.get(runner), 0);
    }

    /** How many each has too many, of what all have at one instant. As few as possible change hands. */
    Map<Long, Integer> surplus(Map<Long, Integer> have) {
        List<Long> richestFirst = new ArrayList<>(runners);
        richestFirst.sort(Comparator.comparing((Long runner) -> -have.getOrDefault(runner, 0)));
        int total = have.values().stream().mapToInt(count -> count).sum();
        int fair = total / runners.size();
        int withOneMore = total % runners.size();
        Map<Long, Integer> surplus = new TreeMap<>();
        for (int i = 0; i < richestFirst.size(); i++) {
            int tooMany = have.getOrDefault(richestFirst.get(i), 0) - fair - (i < withOneMore ? 1 : 0);
            if (tooMany > 0) {
                surplus.put(richestFirst.get(i), tooMany);
            }
        }
        return surplus;
    }
}
