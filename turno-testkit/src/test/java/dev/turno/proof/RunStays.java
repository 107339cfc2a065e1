package dev.turno.proof;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads a ledger of runs from the beginning and says what was wrong: two in one lane, too many at once, out of order. */
final class RunStays {

    private record Inside(String node, long run, Set<String> lanes) {}

    private final int slots;
    private final List<Inside> inside = new ArrayList<>();
    private final Map<String, Long> last = new HashMap<>();
    private final Set<Long> begun = new HashSet<>();
    private final Set<Long> done = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private int most;

    private RunStays(int slots) {
        this.slots = slots;
    }

    static RunStays of(List<String> lines, int slots) {
        RunStays stays = new RunStays(slots);
        lines.forEach(stays::read);
        return stays;
    }

    List<String> violations() {
        return violations;
    }

    int mostAtOnce() {
        return most;
    }

    int done() {
        return done.size();
    }

    private void read(String line) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("killed")) {
            inside.removeIf(one -> one.node().equals(words[1]));
            return;
        }
        Inside one = new Inside(words[1], Long.parseLong(words[2]), Set.of(words[3].split(",", -1)));
        if (words[0].equals("out")) {
            inside.remove(one);
            done.add(one.run());
        } else {
            enter(one);
        }
    }

    private void enter(Inside one) {
        for (Inside other : inside) {
            if (other.lanes().stream().anyMatch(one.lanes()::contains)) {
                violations.add("two in one lane: " + one + " beside " + other);
            }
        }
        inside.add(one);
        most = Math.max(most, inside.size());
        if (inside.size() > slots) {
            violations.add(inside.size() + " at once: " + inside);
        }
        if (begun.add(one.run())) { // again after a crash it keeps its place, which it had
            one.lanes().forEach(lane -> inOrder(lane, one));
        }
    }

    private void inOrder(String lane, Inside one) {
        long before = last.getOrDefault(lane, 0L);
        if (one.run() <= before) {
            violations.add("out of order in " + lane + ": " + one + " after run " + before);
        }
        last.put(lane, one.run());
    }
}
