package dev.turno.lane;

import dev.turno.claim.Claim;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Verdict;
import dev.turno.sql.Database;
import dev.turno.sql.LockedRows;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Verdicts on rows in lanes, whose end hands the turn on: both happen under the lane's lock. Shared by threads. */
final class LaneFinishes {

    private final Database database;
    private final VerdictTable table;
    private final LaneTurns lanes;
    private final LockedRows locked;
    private final boolean deadBlocks;

    LaneFinishes(Database database, VerdictTable table, LaneTurns lanes, boolean deadBlocks) {
        this.database = database;
        this.table = table;
        this.lanes = lanes;
        this.locked = new LockedRows(database, "lane.lock-wait");
        this.deadBlocks = deadBlocks;
    }

    /**
     * A lane that somebody has locked is passed over: one who puts to it may keep his transaction open. It is then waited for in line
     * with those who put, because a busy one is locked nearly always; but not for long, and alone.
     *
     * @param before the rows as they were found, each held and in a lane
     */
    Map<Claim, Finish> finish(String ifItFails, HolderId holder, List<Verdict> group, FoundRows before) {
        Map<Claim, Finish> finishes = database.transaction(ifItFails, session -> {
            Set<Long> free = lanes.lockFree(session, before.lanesOf(group));
            List<Verdict> writable = group.stream()
                    .filter(verdict -> free.contains(before.laneOf(verdict)))
                    .toList();
            return writable.isEmpty() ? new HashMap<>() : underLocks(session, holder, writable, before);
        });
        for (Verdict verdict : group) {
            if (!finishes.containsKey(verdict.claim())) {
                finishes.put(verdict.claim(), await(ifItFails, holder, verdict, before));
            }
        }
        return finishes;
    }

    private Finish await(String ifItFails, HolderId holder, Verdict verdict, FoundRows before) {
        long lane = before.laneOf(verdict);
        if (!locked.isOpen(lane)) {
            return new Finish.Open(); // it is asked again
        }
        return locked.await(ifItFails, lane, session -> underLocks(session, holder, List.of(verdict), before))
                .map(finishes -> finishes.getOrDefault(verdict.claim(), new Finish.Unknown()))
                .orElseGet(Finish.Open::new);
    }

    /** In the caller's transaction, which waits for the lane as long as it may. */
    Finish finishIn(Session session, HolderId holder, Verdict verdict, FoundRows before) throws SQLException {
        List<Verdict> group = List.of(verdict);
        lanes.lock(session, before.lanesOf(group));
        return underLocks(session, holder, group, before).getOrDefault(verdict.claim(), new Finish.Unknown());
    }

    /** Before the lanes were locked others may have taken a row over, and even have removed it: so it is looked at again. */
    private Map<Claim, Finish> underLocks(Session session, HolderId holder, List<Verdict> group, FoundRows before)
            throws SQLException {
        Set<Verdict> written = new HashSet<>(group);
        written.removeAll(table.write(session, group, true));
        FoundRows after = table.look(session, group);
        if (group.get(0) instanceof Verdict.Done || !deadBlocks) {
            handOn(session, group, before, after);
        }
        Map<Claim, Finish> finishes = new HashMap<>();
        group.forEach(
                verdict -> finishes.put(verdict.claim(), after.judge(holder, verdict, written.contains(verdict))));
        return finishes;
    }

    /** Only rows that are really over leave their lanes; one whose claim was lost stays where it is. */
    private void handOn(Session session, List<Verdict> group, FoundRows before, FoundRows now) throws SQLException {
        for (Verdict verdict : group) {
            if (now.of(verdict).map(FoundRows.Row::isOver).orElse(true)) {
                lanes.freeHead(session, before.laneOf(verdict), verdict.claim().id());
            }
        }
        lanes.promote(session, before.lanesOf(group));
    }
}
