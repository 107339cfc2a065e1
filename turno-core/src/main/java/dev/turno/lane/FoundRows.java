package dev.turno.lane;

import dev.turno.claim.Claim;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rows of some verdicts as they were found, and what follows from it. */
record FoundRows(Map<Long, Row> byId) {

    record Row(long id, String state, long fence, Optional<Long> holder, Optional<Long> lane) {

        boolean isHeldBy(Claim claim) {
            return state.equals("DOING") && fence == claim.fence();
        }

        boolean isOver() {
            return state.equals("DONE") || state.equals("DEAD");
        }
    }

    static FoundRows of(List<Row> rows) {
        Map<Long, Row> byId = new HashMap<>();
        rows.forEach(row -> byId.put(row.id(), row));
        return new FoundRows(byId);
    }

    Optional<Row> of(Verdict verdict) {
        return Optional.ofNullable(byId.get(verdict.claim().id()));
    }

    boolean isMine(Verdict verdict) {
        return of(verdict).filter(row -> row.isHeldBy(verdict.claim())).isPresent();
    }

    /** Then it is over only when the lane knows. */
    boolean isMineInLane(Verdict verdict) {
        return (verdict instanceof Verdict.Done || verdict instanceof Verdict.Dead)
                && isMine(verdict)
                && of(verdict).flatMap(Row::lane).isPresent();
    }

    long laneOf(Verdict verdict) {
        return of(verdict).flatMap(Row::lane).orElseThrow();
    }

    List<Long> lanesOf(List<Verdict> verdicts) {
        return verdicts.stream().map(this::laneOf).distinct().toList();
    }

    /** @param written the verdict was written before these rows were looked at */
    Finish judge(HolderId holder, Verdict verdict, boolean written) {
        return of(verdict).map(row -> judge(row, holder, verdict)).orElseGet(() -> judgeMissing(verdict, written));
    }

    private static Finish judgeMissing(Verdict verdict, boolean written) {
        return written || verdict instanceof Verdict.Settle ? new Finish.Kept() : new Finish.Unknown();
    }

    private static Finish judge(Row row, HolderId holder, Verdict verdict) {
        if (row.fence() != verdict.claim().fence()) {
            return new Finish.Lost("It was taken over (fence " + row.fence() + ") and is " + row.state() + " now.");
        }
        boolean mine = row.holder().filter(id -> id == holder.value()).isPresent();
        return switch (row.state()) {
            case "DONE" -> new Finish.Kept();
            case "DEAD" -> verdict instanceof Verdict.Dead ? new Finish.Kept() : lost(row);
            case "PENDING" ->
                mine && verdict instanceof Verdict.Again
                        ? new Finish.Kept()
                        : mine && verdict instanceof Verdict.Settle ? new Finish.Undone() : lost(row);
            case "DOING" -> verdict instanceof Verdict.Settle ? new Finish.Open() : lost(row);
            default -> lost(row);
        };
    }

    private static Finish lost(Row row) {
        return new Finish.Lost("It was freed by others and is " + row.state() + " now.");
    }
}
