package dev.turno.proof;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the lines of a {@link LockLedger} mean: who was in from when to when, and whether it still believed in its lease then. */
final class LockStays {

    /** From line to line of the ledger. */
    record Stay(String who, long fence, int from, int to, boolean believed) {}

    private final List<Stay> stays = new ArrayList<>();
    private int missed;

    static LockStays read(List<String> lines) {
        var read = new LockStays();
        Map<String, Integer> entered = new HashMap<>();
        Map<String, Integer> left = new HashMap<>();
        for (int at = 0; at < lines.size(); at++) {
            String[] words = lines.get(at).split(" ", 3);
            switch (words[0]) {
                case "enter" -> entered.put(words[1], at);
                case "leave" -> left.put(words[1], at);
                case "missed" -> read.missed++;
                default ->
                    read.stays.add(new Stay(
                            words[1],
                            Long.parseLong(words[2]),
                            entered.getOrDefault(words[1], 0),
                            left.getOrDefault(words[1], at),
                            words[0].equals("believed")));
            }
        }
        return read;
    }

    /** Those who believed to the end that they had the lock, in the order in which they came in. */
    List<Stay> believed() {
        return stays.stream()
                .filter(Stay::believed)
                .sorted((one, other) -> Integer.compare(one.from(), other.from()))
                .toList();
    }

    /** Pairs of believers that were in at the same time. */
    List<String> overlaps() {
        List<String> overlaps = new ArrayList<>();
        List<Stay> believed = believed();
        for (int i = 1; i < believed.size(); i++) {
            if (believed.get(i).from() < believed.get(i - 1).to()) {
                overlaps.add(believed.get(i - 1) + " and " + believed.get(i));
            }
        }
        return overlaps;
    }

    /** Fences in the order in which believers came in. */
    List<Long> fences() {
        return believed().stream().map(Stay::fence).toList();
    }

    /** Of all, also of those who stayed for too long. */
    List<Long> allFences() {
        return stays.stream().map(Stay::fence).toList();
    }

    @Override
    public String toString() {
        return stays.size() + " stays, of which " + (stays.size() - believed().size())
                + " outlived their lease, missed " + missed;
    }
}
