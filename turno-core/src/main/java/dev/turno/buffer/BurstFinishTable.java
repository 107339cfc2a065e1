package dev.turno.buffer;

import dev.turno.claim.Claim;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Verdict;
import dev.turno.sql.Columns;
import dev.turno.sql.Database;
import dev.turno.sql.LockedRows;
import dev.turno.sql.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes verdicts whose fence is still good, and tells what became of each. */
final class BurstFinishTable {

    private record Found(long id, BufferState state, long fence, long overFence, Optional<Long> holder) {}

    private final Database database;
    private final BufferName name;
    private final Runnable wake;
    private final LockedRows locked;

    BurstFinishTable(Database database, BufferName name, Runnable wake) {
        this.database = database;
        this.name = name;
        this.wake = wake;
        this.locked = new LockedRows(database, "buffer.lock-wait");
        database.statements().require("buffer.settle-lock", "buffer.outcome", "buffer.lock");
    }

    List<Finish> finish(HolderId holder, List<? extends Verdict> verdicts) {
        String ifItFails = verdicts.size() + " verdicts on bursts of " + name + " may not have been written. They are"
                + " tried again; writing one twice is harmless.";
        Map<Class<?>, List<Verdict>> kinds = new LinkedHashMap<>();
        verdicts.forEach(verdict -> kinds.computeIfAbsent(verdict.getClass(), kind -> new ArrayList<>())
                .add(verdict));
        Set<Claim> written = new HashSet<>(); // of a burst to be settled: undone, and its last attempt
        kinds.values().forEach(group -> written.addAll(writeGroup(ifItFails, group)));
        wake.run(); // newer messages of these keys may be due
        List<Verdict> others = verdicts.stream()
                .filter(verdict -> !written.contains(verdict.claim()))
                .collect(Collectors.toUnmodifiableList());
        Map<Long, Found> found =
                others.isEmpty() ? Map.of() : database.once(ifItFails, session -> look(session, others));
        List<Finish> finishes = new ArrayList<>(verdicts.size());
        verdicts.forEach(verdict -> finishes.add(
                written.contains(verdict.claim())
                        ? verdict instanceof Verdict.Settle ? new Finish.Undone() : new Finish.Kept()
                        : judgeOrWait(ifItFails, holder, verdict, found)));
        return finishes;
    }

    /** Verdicts of one kind; answers those that were written. */
    private Set<Claim> writeGroup(String ifItFails, List<Verdict> group) {
        if (group.get(0) instanceof Verdict.Settle) {
            // Of all others it has to be looked up whether they were finished or undone.
            return database.transaction(ifItFails, session -> settle(session, group));
        }
        return database.dialect().takesInOneStatement()
                ? database.once(ifItFails, session -> write(session, group))
                : database.transaction(ifItFails, session -> write(session, group));
    }

    private Set<Claim> write(Session session, List<Verdict> group) throws SQLException {
        String kind = group.get(0) instanceof Verdict.Done
                ? "buffer.done"
                : group.get(0) instanceof Verdict.Dead ? "buffer.dead" : "buffer.again";
        if (session.takesInOneStatement()) {
            return new HashSet<>(session.sql(kind)
                    .set("buffer", name.id())
                    .setRows(columns(group))
                    .list(row -> new Claim(row.longValue("id"), row.longValue("fence"))));
        }
        return writeStepByStep(session, kind, group);
    }

    private Set<Claim> writeStepByStep(Session session, String kind, List<Verdict> group) throws SQLException {
        Map<Claim, Range> mine = new HashMap<>();
        session.sql("buffer.done-find")
                .set("buffer", name.id())
                .setRows(columns(group))
                .list(row -> mine.put(
                        new Claim(row.longValue("id"), row.longValue("fence")),
                        new Range(row.longValue("id"), row.longValue("flush_from"), row.longValue("flush_to"))));
        if (mine.isEmpty()) {
            return Set.of();
        }
        List<Verdict> locked = group.stream()
                .filter(verdict -> mine.containsKey(verdict.claim()))
                .toList();
        if (!kind.equals("buffer.done")) {
            session.sql(kind + "-mark")
                    .set("buffer", name.id())
                    .setRows(columns(locked))
                    .update();
        }
        if (!kind.equals("buffer.again")) {
            session.sql("buffer.done-mark").setAll("ids", ids(locked)).update();
        }
        if (kind.equals("buffer.done")) {
            session.sql("buffer.done-sent").setRows(columnsOf(mine.values())).update();
            session.sql("buffer.done-alive").setRows(columnsOf(mine.values())).update();
        }
        return mine.keySet();
    }

    private static Columns<Range> columnsOf(Collection<Range> ranges) {
        return Columns.<Range>of("b", ranges)
                .longs("id", Range::header)
                .longs("from", Range::from)
                .longs("to", Range::to);
    }

    /**
     * What the handler's own transaction did not finish, and does not hold any more, gets its turn again; answers those that do
     * not because it was their last.
     */
    private Set<Claim> settle(Session session, List<Verdict> group) throws SQLException {
        Set<Long> undone = new HashSet<>(session.sql("buffer.settle-lock")
                .set("buffer", name.id())
                .setAll("ids", ids(group))
                .list(row -> row.longValue("id")));
        Map<Boolean, List<Verdict>> byLast = group.stream()
                .filter(verdict -> undone.contains(verdict.claim().id()))
                .collect(Collectors.partitioningBy(BurstFinishTable::isLast));
        List<Verdict> again = byLast.getOrDefault(false, List.of());
        if (!again.isEmpty()) {
            write(session, again);
        }
        return byLast.getOrDefault(true, List.of()).stream().map(Verdict::claim).collect(Collectors.toSet());
    }

    private static boolean isLast(Verdict verdict) {
        return verdict instanceof Verdict.Settle settle && settle.last();
    }

    private static List<Long> ids(List<? extends Verdict> verdicts) {
        return verdicts.stream().map(verdict -> verdict.claim().id()).toList();
    }

    private static Columns<Verdict> columns(List<Verdict> verdicts) {
        return Columns.<Verdict>of("v", verdicts)
                .longs("id", verdict -> verdict.claim().id())
                .longs("fence", verdict -> verdict.claim().fence())
                .longs("in_us", verdict -> Database.micros(verdict.in()))
                .texts("error", Verdict::error);
    }

    private Map<Long, Found> look(Session session, List<? extends Verdict> verdicts) throws SQLException {
        Map<Long, Found> found = new HashMap<>();
        session.sql("buffer.outcome")
                .set("buffer", name.id())
                .setAll("ids", ids(verdicts))
                .list(row -> new Found(
                        row.longValue("id"),
                        BufferState.valueOf(row.text("state")),
                        row.longValue("fence"),
                        row.longValue("over_fence"),
                        row.optionalLong("holder")))
                .forEach(one -> found.put(one.id(), one));
        return found;
    }

    /** A row that was only locked, as that of a busy key nearly always is, is waited for in line with those who add to it. */
    private Finish judgeOrWait(String ifItFails, HolderId holder, Verdict verdict, Map<Long, Found> found) {
        Finish finish = judge(holder, verdict, found);
        long row = verdict.claim().id();
        if (!(finish instanceof Finish.Open) || verdict instanceof Verdict.Settle || !locked.isOpen(row)) {
            return finish; // it is asked again
        }
        return locked.await(
                        ifItFails,
                        row,
                        session -> write(session, List.of(verdict)).isEmpty()
                                ? judge(holder, verdict, look(session, List.of(verdict)))
                                : new Finish.Kept())
                .orElse(finish);
    }

    private static Finish judge(HolderId holder, Verdict verdict, Map<Long, Found> found) {
        Found row = found.get(verdict.claim().id());
        long fence = verdict.claim().fence();
        if (row == null) {
            return new Finish.Unknown(); // the key was forgotten
        }
        if (row.overFence() == fence) {
            return new Finish.Kept();
        }
        if (row.fence() != fence) {
            return row.overFence() > fence
                    ? new Finish.Unknown() // over, and others after it: by whom it was ended is not remembered
                    : new Finish.Lost("It was taken over (fence " + row.fence() + ") and is " + row.state() + " now.");
        }
        if (row.state() == BufferState.DOING) {
            return new Finish.Open();
        }
        boolean mine = row.holder().filter(id -> id == holder.value()).isPresent();
        return mine && verdict instanceof Verdict.Again
                ? new Finish.Kept()
                : mine && verdict instanceof Verdict.Settle
                        ? new Finish.Undone()
                        : new Finish.Lost("It was freed by others and is " + row.state() + " now.");
    }

    Finish finishIn(Connection connection, HolderId holder, Claim claim) throws SQLException {
        Session session = database.on(connection);
        session.sql("buffer.lock").set("row", claim.id()).list(row -> row.longValue("id"));
        List<Verdict> verdict = List.of(new Verdict.Done(claim));
        if (!write(session, verdict).isEmpty()) {
            return new Finish.Kept();
        }
        return judge(holder, verdict.get(0), look(session, verdict));
    }
}
