package dev.turno.chaos;

import dev.turno.testkit.chaos.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a run has shown.
 *
 * @param deaths processes that died of themselves
 * @param broken whether the rule that was to be left out was really left out of a statement
 * @param refused writes that were refused because somebody else had the item by then
 * @param guarded writes that were refused because a person had taken the lock away
 * @param redone pages that were begun again
 * @param afterKills until what a killed process had in its hands went on, sorted
 * @param afterDatabase until what was in somebody's hands went on after the database's return, sorted
 * @param unmeasured what was in hand and could not be followed
 * @param absences how long the database was away each time
 * @param resumed after each return of the database until every workload had gone on
 */
record Verdict(
        ChaosRun.Wish wish,
        Duration raged,
        List<Findings> findings,
        Map<Fault, Integer> faults,
        int deaths,
        boolean broken,
        int refused,
        int guarded,
        int redone,
        List<Recovery.Wait> afterKills,
        List<Recovery.Wait> afterDatabase,
        List<String> unmeasured,
        List<Duration> absences,
        List<Duration> resumed) {

    private static final int LONGEST = 3;

    long items() {
        return findings.stream()
                .filter(one -> !one.workload().equals("holders"))
                .mapToLong(Findings::items)
                .sum();
    }

    int faultCount() {
        return faults.values().stream().mapToInt(n -> n).sum();
    }

    int count(Wrong wrong) {
        return findings.stream().mapToInt(one -> one.count(wrong)).sum();
    }

    boolean isRight() {
        return findings.stream().allMatch(Findings::isRight) && deaths == 0;
    }

    /** Whether a rule was really left out, and just what it prevents was found: something else may have another reason. */
    boolean isCaughtBy(Wrong prevented) {
        return broken && count(prevented) > 0;
    }

    /** Whether what was in hand went on within the bounds, which are those of an idle machine. */
    boolean isInTime() {
        long afterKill = ChaosRun.LEASE.plus(ChaosRun.POLL).toMillis();
        long afterReturn = ChaosRun.LEASE.multipliedBy(2).toMillis();
        return unmeasured.isEmpty()
                && isWithin(afterKills, 0.99, afterKill + 250)
                && isWithin(afterKills, 1, afterKill + 1_000)
                && isWithin(afterDatabase, 1, afterReturn);
    }

    String bounds() {
        return afterKills.isEmpty() && afterDatabase.isEmpty() && unmeasured.isEmpty()
                ? "not measured"
                : isRight() && isInTime() ? "kept" : "NOT kept";
    }

    private static boolean isWithin(List<Recovery.Wait> sorted, double share, long millis) {
        return sorted.isEmpty() || at(sorted, share) <= millis;
    }

    /** Each kind of thing that is wrong, and how often; empty if nothing is. */
    String found() {
        return Stream.of(Wrong.values())
                .filter(wrong -> count(wrong) > 0)
                .map(wrong -> "%s %,d".formatted(wrong, count(wrong)))
                .collect(Collectors.joining(", "));
    }

    static String spread(List<Recovery.Wait> sorted) {
        return sorted.isEmpty()
                ? "none"
                : "p50 " + at(sorted, 0.5) + ", p99 " + at(sorted, 0.99) + ", max " + at(sorted, 1) + " ms, "
                        + sorted.size() + " items";
    }

    /** From its kill until it could be asked again. */
    String longestAbsence() {
        return absences.stream()
                .max(Duration::compareTo)
                .map(one -> one.toMillis() + " ms")
                .orElse("-");
    }

    /** In milliseconds. */
    static long at(List<Recovery.Wait> sorted, double share) {
        return sorted.get((int) Math.min(sorted.size() - 1L, Math.round(sorted.size() * share)))
                .time()
                .toMillis();
    }

    private static String longest(List<Recovery.Wait> sorted) {
        return sorted.subList(Math.max(0, sorted.size() - LONGEST), sorted.size()).stream()
                .map(wait -> "\n    " + wait)
                .collect(Collectors.joining());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        findings.forEach(one -> text.append("  ").append(one).append('\n'));
        return text + "  " + items() + " items in " + raged.toSeconds() + " s, " + faultCount() + " faults " + faults
                + "\n  stale writes refused " + refused + ", and by the guards of locks " + guarded
                + ", pages begun again " + redone
                + ", processes that died of themselves "
                + deaths + "\n  taken over after a kill: " + spread(afterKills) + longest(afterKills)
                + "\n  gone on after the database's return: " + spread(afterDatabase) + longest(afterDatabase)
                + "\n  the bounds of an idle machine were " + bounds() + "; could not be followed: " + unmeasured.size()
                + unmeasured.stream().limit(LONGEST).map(one -> "\n    " + one).collect(Collectors.joining())
                + "\n  the database was away for at most " + longestAbsence()
                + "\n  every workload resumed after: "
                + resumed.stream().map(one -> one.toMillis() + " ms").toList();
    }
}
