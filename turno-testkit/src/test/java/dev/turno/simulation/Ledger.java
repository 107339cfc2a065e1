package dev.turno.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What happened, in the order of the commits, and whether it was right. Knows no fences. Items are what can be accepted once: a message,
 * a burst, a task. Rows are what one holder at a time may have: a message, a buffer's key, a task.
 */
final class Ledger {

    static final long NEVER = -1;

    enum End {
        DONE,
        DEAD,
        AGAIN
    }

    /** Until when the processes may believe that they live, and under which id, at one moment. */
    record Beliefs(Map<Integer, Long> holders, Map<Integer, Long> until) {
        boolean has(Taking taking, long at) {
            return Long.valueOf(taking.holder).equals(holders.get(taking.node))
                    && until.getOrDefault(taking.node, NEVER) > at;
        }
    }

    /** One taking of one item by one holder. */
    static final class Taking {
        final String row;
        final String item;
        final int node;
        final long holder;
        final long seq;
        final long at;
        final long until;
        final Beliefs beliefs;
        final List<String> content;

        @Nullable
        End end;

        long wroteSeq = NEVER;
        long outOfHandSeq = NEVER;
        boolean answered;

        Taking(
                String row,
                String item,
                int node,
                long holder,
                long seq,
                long at,
                long until,
                Beliefs beliefs,
                List<String> content) {
            this.row = row;
            this.item = item;
            this.node = node;
            this.holder = holder;
            this.seq = seq;
            this.at = at;
            this.until = until;
            this.beliefs = beliefs;
            this.content = content;
        }

        boolean isInHandAt(long moment) {
            return seq < moment && (outOfHandSeq == NEVER || outOfHandSeq > moment);
        }

        boolean isAccepted() {
            return wroteSeq != NEVER && (end == End.DONE || end == End.DEAD);
        }

        @Override
        public String toString() {
            return item + " taken by node " + node + " at commit " + seq + ", " + end + " at commit " + wroteSeq;
        }
    }

    private final List<String> violations = new ArrayList<>();
    private final List<Taking> takings = new ArrayList<>();
    private final List<Long> unknown = new ArrayList<>();
    private final List<Taking> calledLost = new ArrayList<>();
    private final Map<String, Long> puts = new HashMap<>();
    private final Map<String, List<String>> lanes = new TreeMap<>();
    private final Map<String, Long> cancels = new HashMap<>();
    private final Map<String, Long> instants = new HashMap<>();

    void wrong(String what) {
        violations.add(what);
    }

    /** An item was stored, in a lane or none. */
    void put(String item, Optional<String> lane, long seq) {
        if (puts.putIfAbsent(item, seq) == null) {
            lane.ifPresent(name ->
                    lanes.computeIfAbsent(name, key -> new ArrayList<>()).add(item));
        }
    }

    Set<String> items() {
        return puts.keySet();
    }

    void cancelled(String item, long seq) {
        cancels.put(item, seq);
    }

    /** From this moment on, in nanoseconds, it may be taken. */
    void dueAt(String item, long nanos) {
        instants.put(item, nanos);
    }

    Taking took(Taking taking) {
        takings.add(taking);
        return taking;
    }

    /** Items that were given back with a later turn, by somebody who does not know yet whether that was heard. */
    List<String> unanswered() {
        return takings.stream()
                .filter(taking -> taking.end == End.AGAIN && taking.wroteSeq != NEVER && !taking.answered)
                .map(taking -> taking.item)
                .toList();
    }

    /** Something was taken, but the answer was lost: by nobody it is known what. */
    void tookUnknown(long seq) {
        unknown.add(seq);
    }

    void started(Taking taking, long now) {
        if (now < instants.getOrDefault(taking.item, 0L)) {
            wrong("started before its instant: " + taking);
        }
    }

    /** The writer was told that its claim was lost, although it had written: right if somebody has acted on the row since. */
    void calledLost(Taking taking) {
        calledLost.add(taking);
    }

    /** The process is gone, and what it had in its hands with it. */
    void died(int node, long seq) {
        takings.stream()
                .filter(taking -> taking.node == node && taking.outOfHandSeq == NEVER)
                .forEach(taking -> taking.outOfHandSeq = seq);
    }

    private boolean isTouchedSince(Taking taking) {
        return cancels.containsKey(taking.item)
                || unknown.stream().anyMatch(seq -> seq > taking.wroteSeq)
                || takings.stream().anyMatch(other -> other.row.equals(taking.row) && other.seq > taking.wroteSeq);
    }

    /** What was wrong in the whole run; {@code mostAtOnce} may be in hand in the cluster. */
    List<String> check(int mostAtOnce) {
        Map<String, List<Taking>> byRow = new TreeMap<>();
        takings.stream()
                .sorted((a, b) -> Long.compare(a.seq, b.seq))
                .forEach(taking -> byRow.computeIfAbsent(taking.row, row -> new ArrayList<>())
                        .add(taking));
        byRow.values().forEach(this::checkRow);
        checkItems();
        lanes.values().forEach(this::checkLane);
        checkMost(mostAtOnce);
        calledLost.stream()
                .filter(taking -> !isTouchedSince(taking))
                .forEach(taking -> wrong("called lost, although it was written: " + taking));
        return violations;
    }

    private void checkRow(List<Taking> inOrder) {
        for (int i = 0; i < inOrder.size(); i++) {
            Taking taking = inOrder.get(i);
            if (i > 0) {
                checkRobbed(inOrder.get(i - 1), taking);
            }
            for (Taking later : inOrder.subList(i + 1, inOrder.size())) {
                if (taking.wroteSeq > later.seq) {
                    wrong("stale accepted: " + taking + ", after " + later);
                }
            }
            long cancelled = cancels.getOrDefault(taking.item, Long.MAX_VALUE);
            if (taking.seq > cancelled || taking.wroteSeq > cancelled) {
                wrong("cancelled at commit " + cancelled + ", and nevertheless " + taking);
            }
        }
    }

    private void checkRobbed(Taking before, Taking taking) {
        if (before.isInHandAt(taking.seq) && isBelieved(before, taking)) {
            wrong("two holders at once: " + taking + ", while it was in hand: " + before);
        }
    }

    private static boolean isBelieved(Taking one, Taking at) {
        return one.until > at.at && at.beliefs.has(one, at.at);
    }

    private void checkItems() {
        Map<String, Integer> accepted = new HashMap<>();
        takings.stream().filter(Taking::isAccepted).forEach(taking -> accepted.merge(taking.item, 1, Integer::sum));
        accepted.forEach((item, times) -> {
            if (times > 1) {
                wrong("accepted " + times + " times: " + item);
            }
        });
        for (String item : puts.keySet()) {
            if (!accepted.containsKey(item) && !cancels.containsKey(item)) {
                wrong("lost: " + item);
            }
        }
    }

    /** What was put before it is over before it is taken. */
    private void checkLane(List<String> items) {
        List<String> inOrder = new ArrayList<>(items);
        inOrder.sort((a, b) -> Long.compare(puts.getOrDefault(a, 0L), puts.getOrDefault(b, 0L)));
        Map<String, Long> over = new HashMap<>(cancels);
        takings.stream()
                .filter(Taking::isAccepted)
                .forEach(taking -> over.merge(taking.item, taking.wroteSeq, Math::min));
        for (Taking taking : takings) {
            for (String before : inOrder.subList(0, Math.max(0, inOrder.indexOf(taking.item)))) {
                if (over.getOrDefault(before, Long.MAX_VALUE) > taking.seq) {
                    wrong("out of order: " + taking + ", before " + before + " was over");
                }
            }
        }
    }

    private void checkMost(int most) {
        for (Taking taking : takings) {
            long others = takings.stream()
                    .filter(one -> one != taking && one.isInHandAt(taking.seq) && isBelieved(one, taking))
                    .count();
            if (others + 1 > most) {
                wrong("more than " + most + " at once: " + taking + ", beside " + others + " others");
            }
        }
    }

    /** Bursts: the same key is the same content, a message lies in one, and they follow each other in the order of the adds. */
    void checkBursts(Map<String, List<String>> added) {
        Map<String, List<String>> contents = new HashMap<>();
        Map<String, List<String>> handedOver = new HashMap<>();
        takings.stream().sorted((a, b) -> Long.compare(a.seq, b.seq)).forEach(taking -> {
            List<String> known = contents.putIfAbsent(taking.item, taking.content);
            if (known == null) {
                handedOver.computeIfAbsent(taking.row, key -> new ArrayList<>()).addAll(taking.content);
            } else if (!known.equals(taking.content)) {
                wrong("a retry is another burst: " + taking + " has " + taking.content + " instead of " + known);
            }
        });
        added.forEach((key, messages) -> {
            if (!messages.equals(handedOver.getOrDefault(key, List.of()))) {
                wrong("bursts of " + key + " are " + handedOver.get(key) + " in all; added were " + messages);
            }
        });
        Set<String> accepted = new HashSet<>();
        takings.stream().filter(Taking::isAccepted).forEach(taking -> accepted.add(taking.item));
        contents.keySet().stream()
                .filter(item -> !accepted.contains(item))
                .forEach(item -> wrong("lost: burst " + item));
    }
}
