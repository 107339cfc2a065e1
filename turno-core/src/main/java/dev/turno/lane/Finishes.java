package dev.turno.lane;

import dev.turno.claim.Claim;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Verdict;
import dev.turno.sql.Call;
import dev.turno.sql.Columns;
import dev.turno.sql.Database;
import dev.turno.sql.LockedRows;
import dev.turno.sql.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Writes verdicts whose fence is still good, and tells what became of each. Shared by threads. */
public final class Finishes {

    /**
     * Whose rows they are.
     *
     * @param feature whose statements are called, for example {@code inbox.done}
     * @param scope the number of the inbox or type, and the parameter under which the statements know it
     * @param name of the inbox or type, for people
     * @param deletes rows are deleted when they are done
     * @param deadBlocks a DEAD row keeps the later ones of its lane waiting
     */
    public record Rules(
            String feature, String parameter, long scope, String name, boolean deletes, boolean deadBlocks) {}

    private record Found(long id, String state, long fence, Optional<Long> holder, Optional<Long> lane) {}

    /** Verdicts that one statement can write: of one kind, and if they are done of one fence. */
    private record Group(Class<?> kind, long fence) {
        static Group of(Verdict verdict) {
            return new Group(
                    verdict.getClass(),
                    verdict instanceof Verdict.Done ? verdict.claim().fence() : 0);
        }
    }

    private static final int WITH_ERRORS_AT_ONCE = 200;

    /** Division by zero: how a statement that commits says that there was no such claim. */
    private static final String NOTHING_CHANGED = "22012";

    private final Database database;
    private final Rules rules;
    private final LaneTurns lanes;
    private final LockedRows locked;
    private final BooleanSupplier limited;
    private final Wake wake;

    /**
     * @param limited whether somebody may wait for the slots that a finish frees
     */
    @SuppressWarnings("exports") // made by the features alone
    public Finishes(Database database, Rules rules, LaneTurns lanes, BooleanSupplier limited, Wake wake) {
        this.database = database;
        this.rules = rules;
        this.lanes = lanes;
        this.locked = new LockedRows(database, "lane.lock-wait");
        this.limited = limited;
        this.wake = wake;
        String renew = database.dialect().takesInOneStatement() ? "renew" : "renew-find";
        for (String statement : List.of("done", "again", "dead", "settle-lock", "outcome", renew)) {
            database.statements().require(rules.feature() + "." + statement);
        }
    }

    private Call sql(Session session, String statement) {
        return session.sql(rules.feature() + "." + statement).set(rules.parameter(), rules.scope());
    }

    public List<Finish> finish(HolderId holder, List<? extends Verdict> verdicts) {
        String ifItFails = verdicts.size() + " verdicts on rows of " + rules.name()
                + " may not have been written. They are" + " tried again; writing one twice is harmless.";
        Map<Group, List<Verdict>> groups = new LinkedHashMap<>();
        verdicts.forEach(verdict -> groups.computeIfAbsent(Group.of(verdict), key -> new ArrayList<>())
                .add(verdict));
        Map<Claim, Finish> finishes = new HashMap<>();
        groups.values().stream()
                .flatMap(group -> parts(group).stream())
                .forEach(part -> finishes.putAll(finishGroup(ifItFails, holder, part)));
        if (limited.getAsBoolean()) {
            wake.now().run(); // somebody may wait for the slots
        }
        List<Finish> inOrder = new ArrayList<>(verdicts.size());
        verdicts.forEach(verdict -> inOrder.add(finishes.getOrDefault(verdict.claim(), new Finish.Unknown())));
        return inOrder;
    }

    /** Error texts can be long, and a packet to the server must not be. */
    private static List<List<Verdict>> parts(List<Verdict> group) {
        int size = group.get(0) instanceof Verdict.Done ? group.size() : WITH_ERRORS_AT_ONCE;
        List<List<Verdict>> parts = new ArrayList<>();
        for (int from = 0; from < group.size(); from += size) {
            parts.add(group.subList(from, Math.min(group.size(), from + size)));
        }
        return parts;
    }

    /** Verdicts of one group. Nearly always all are kept, which the count alone tells. */
    private Map<Claim, Finish> finishGroup(String ifItFails, HolderId holder, List<Verdict> group) {
        Map<Claim, Finish> finishes = new HashMap<>();
        List<Verdict> missing = writeGroup(ifItFails, group);
        group.forEach(verdict -> finishes.put(
                verdict.claim(), verdict instanceof Verdict.Settle ? new Finish.Undone() : new Finish.Kept()));
        if (!missing.isEmpty()) {
            Map<Long, Found> found = database.once(ifItFails, session -> look(session, missing));
            List<Verdict> inLanes = missing.stream()
                    .filter(verdict -> isMineInLane(verdict, found))
                    .toList();
            missing.forEach(verdict -> finishes.put(verdict.claim(), judge(holder, verdict, found, false)));
            if (!inLanes.isEmpty()) {
                Map<Claim, Finish> ofLanes = finishInLanes(ifItFails, holder, inLanes, found);
                finishes.putAll(ofLanes);
                if (!ofLanes.values().stream().allMatch(Finish.Open.class::isInstance)) {
                    wake.now().run(); // those behind them have their turn now
                }
            }
        }
        return finishes;
    }

    /**
     * A lane that somebody has locked is passed over: one who puts to it may keep his transaction open. It is then waited for in line
     * with those who put, because a busy one is locked nearly always; but not for long, and alone.
     */
    private Map<Claim, Finish> finishInLanes(
            String ifItFails, HolderId holder, List<Verdict> group, Map<Long, Found> found) {
        Map<Claim, Finish> finishes = database.transaction(ifItFails, session -> {
            Set<Long> free = lanes.lockFree(session, laneIds(group, found));
            List<Verdict> writable = group.stream()
                    .filter(verdict -> free.contains(laneOf(verdict, found)))
                    .toList();
            return writable.isEmpty() ? new HashMap<>() : writeAndJudge(session, holder, writable, found);
        });
        for (Verdict verdict : group) {
            if (!finishes.containsKey(verdict.claim())) {
                finishes.put(verdict.claim(), await(ifItFails, holder, verdict, found));
            }
        }
        return finishes;
    }

    private Finish await(String ifItFails, HolderId holder, Verdict verdict, Map<Long, Found> found) {
        long lane = laneOf(verdict, found);
        if (!locked.isOpen(lane)) {
            return new Finish.Open(); // it is asked again
        }
        return locked.await(ifItFails, lane, session -> writeAndJudge(session, holder, List.of(verdict), found))
                .map(finishes -> finishes.getOrDefault(verdict.claim(), new Finish.Unknown()))
                .orElseGet(Finish.Open::new);
    }

    /** In lanes that were locked before. */
    private Map<Claim, Finish> writeAndJudge(
            Session session, HolderId holder, List<Verdict> group, Map<Long, Found> before) throws SQLException {
        Set<Verdict> written = new HashSet<>(group);
        written.removeAll(writeInLanes(session, group, before));
        Map<Long, Found> after = look(session, group);
        Map<Claim, Finish> finishes = new HashMap<>();
        group.forEach(
                verdict -> finishes.put(verdict.claim(), judge(holder, verdict, after, written.contains(verdict))));
        return finishes;
    }

    private List<Verdict> writeGroup(String ifItFails, List<Verdict> group) {
        if (group.get(0) instanceof Verdict.Settle) {
            return database.transaction(ifItFails, session -> settle(session, group));
        }
        boolean deletes = group.get(0) instanceof Verdict.Done && rules.deletes();
        return deletes && !database.dialect().takesInOneStatement()
                ? database.transaction(ifItFails, session -> write(session, group, false))
                : database.once(ifItFails, session -> write(session, group, false));
    }

    private static boolean isMineInLane(Verdict verdict, Map<Long, Found> found) {
        return (verdict instanceof Verdict.Done || verdict instanceof Verdict.Dead)
                && mine(verdict, found).flatMap(Found::lane).isPresent();
    }

    private static Optional<Found> mine(Verdict verdict, Map<Long, Found> found) {
        return Optional.ofNullable(found.get(verdict.claim().id()))
                .filter(row -> row.state().equals("DOING")
                        && row.fence() == verdict.claim().fence());
    }

    /** Writes; answers those whose fate has to be looked up, because not as many rows were changed as verdicts given. */
    private List<Verdict> write(Session session, List<Verdict> group, boolean inLane) throws SQLException {
        Verdict kind = group.get(0);
        if (kind instanceof Verdict.Done && rules.deletes()) {
            Set<Long> gone = new HashSet<>(delete(session, group, inLane));
            return group.stream()
                    .filter(verdict -> !gone.contains(verdict.claim().id()))
                    .toList();
        }
        int written = kind instanceof Verdict.Done
                ? ofOneFence(sql(session, "done"), claims(group))
                        .set("in_lane", inLane)
                        .update()
                : sql(session, kind instanceof Verdict.Dead ? "dead" : "again")
                        .set("in_lane", inLane)
                        .setRows(columns(group))
                        .update();
        return written == group.size() ? List.of() : group;
    }

    private static List<Claim> claims(List<? extends Verdict> verdicts) {
        return verdicts.stream().map(Verdict::claim).toList();
    }

    public static Call ofOneFence(Call call, List<Claim> claims) {
        return call.setAll("ids", claims.stream().map(Claim::id).toList())
                .set("fence", claims.get(0).fence());
    }

    private List<Long> delete(Session session, List<Verdict> group, boolean inLane) throws SQLException {
        String statement = session.takesInOneStatement() ? "done-gone" : "done-gone-find";
        List<Long> gone = ofOneFence(sql(session, statement), claims(group))
                .set("in_lane", inLane)
                .list(row -> row.longValue("id"));
        if (!session.takesInOneStatement() && !gone.isEmpty()) {
            sql(session, "done-gone-mark").setAll("ids", gone).update();
        }
        return gone;
    }

    /**
     * What the handler's own transaction did not finish, and does not hold any more, gets its turn again; answers all but those
     * that do not because it was their last.
     */
    private List<Verdict> settle(Session session, List<Verdict> group) throws SQLException {
        Set<Long> undone = new HashSet<>(sql(session, "settle-lock")
                .setAll(
                        "ids",
                        group.stream().map(verdict -> verdict.claim().id()).toList())
                .list(row -> row.longValue("id")));
        List<Verdict> others = group.stream()
                .filter(verdict ->
                        !isLast(verdict) || !undone.contains(verdict.claim().id()))
                .toList();
        List<Verdict> again = others.stream()
                .filter(verdict -> undone.contains(verdict.claim().id()))
                .toList();
        if (!again.isEmpty()) {
            sql(session, "again").setRows(columns(again)).update();
        }
        return others;
    }

    private static boolean isLast(Verdict verdict) {
        return verdict instanceof Verdict.Settle settle && settle.last();
    }

    private static Columns<Verdict> columns(List<Verdict> verdicts) {
        return Columns.<Verdict>of("v", verdicts)
                .longs("id", verdict -> verdict.claim().id())
                .longs("fence", verdict -> verdict.claim().fence())
                .longs("in_us", verdict -> Database.micros(verdict.in()))
                .texts("error", Verdict::error);
    }

    /**
     * Under the lanes' locks: finishes the rows and gives the turn to those behind them. Answers as {@link #write} does: before the
     * lanes were locked others may have taken a row over, and even have removed it.
     */
    private List<Verdict> writeInLanes(Session session, List<Verdict> group, Map<Long, Found> found)
            throws SQLException {
        List<Verdict> missed = write(session, group, true);
        if (group.get(0) instanceof Verdict.Done || !rules.deadBlocks()) {
            freeHeads(session, group, found);
            lanes.promote(session, laneIds(group, found));
        }
        return missed;
    }

    private static List<Long> laneIds(List<Verdict> group, Map<Long, Found> found) {
        return group.stream().map(verdict -> laneOf(verdict, found)).distinct().toList();
    }

    /** Only rows that are really over leave their lanes; one whose claim was lost stays where it is. */
    private void freeHeads(Session session, List<Verdict> group, Map<Long, Found> before) throws SQLException {
        Map<Long, Found> now = look(session, group);
        for (Verdict verdict : group) {
            long id = verdict.claim().id();
            Found row = now.get(id);
            if (row == null || row.state().equals("DONE") || row.state().equals("DEAD")) {
                lanes.freeHead(session, laneOf(verdict, before), id);
            }
        }
    }

    private static long laneOf(Verdict verdict, Map<Long, Found> found) {
        return Optional.ofNullable(found.get(verdict.claim().id()))
                .flatMap(Found::lane)
                .orElseThrow();
    }

    private Map<Long, Found> look(Session session, List<? extends Verdict> verdicts) throws SQLException {
        Map<Long, Found> found = new HashMap<>();
        sql(session, "outcome")
                .setAll(
                        "ids",
                        verdicts.stream().map(verdict -> verdict.claim().id()).toList())
                .list(row -> new Found(
                        row.longValue("id"),
                        row.text("state"),
                        row.longValue("fence"),
                        row.optionalLong("holder"),
                        row.optionalLong("lane_id")))
                .forEach(one -> found.put(one.id(), one));
        return found;
    }

    private Finish judge(HolderId holder, Verdict verdict, Map<Long, Found> found, boolean wasMine) {
        Found row = found.get(verdict.claim().id());
        if (row == null) {
            return wasMine || verdict instanceof Verdict.Settle ? new Finish.Kept() : new Finish.Unknown();
        }
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

    private static Finish lost(Found row) {
        return new Finish.Lost("It was freed by others and is " + row.state() + " now.");
    }

    /** Prolongs claims that nobody took over, and whose rows nobody has locked; answers how many. */
    public int renew(HolderId holder, Collection<Claim> claims, Duration longestClaim) {
        Map<Long, List<Claim>> byFence = claims.stream().collect(Collectors.groupingBy(Claim::fence));
        return byFence.values().stream()
                .mapToInt(group -> database.changeUnlocked(
                        group.size() + " claims of " + rules.name() + " may not have been renewed. Renew them again.",
                        rules.feature() + ".renew",
                        call -> ofOneFence(call, group)
                                .set(rules.parameter(), rules.scope())
                                .set("holder", holder.value())
                                .set("max_run_us", longestClaim)))
                .sum();
    }

    /** Finishes a row that is in no lane and commits, in one message to the server; rolls back if the row is not kept. */
    public Finish commit(Connection connection, HolderId holder, Claim claim) throws SQLException {
        Session session = database.on(connection);
        try {
            sql(session, rules.deletes() ? "done-gone-commit" : "done-commit")
                    .set("id", claim.id())
                    .set("fence", claim.fence())
                    .update();
            return new Finish.Kept();
        } catch (SQLException e) {
            rollBack(connection, e);
            if (!NOTHING_CHANGED.equals(e.getSQLState())) {
                throw e;
            }
            Verdict verdict = new Verdict.Done(claim);
            Map<Long, Found> found = look(session, List.of(verdict));
            connection.rollback(); // no transaction stays open after a look
            if (mine(verdict, found).isPresent()) {
                throw e; // it was something else in the caller's transaction that divided by zero
            }
            Finish finish = judge(holder, verdict, found, false);
            return finish instanceof Finish.Kept ? new Finish.Lost("It was finished before.") : finish;
        }
    }

    private static void rollBack(Connection connection, SQLException because) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    public Finish finishIn(Connection connection, HolderId holder, Claim claim) throws SQLException {
        Session session = database.on(connection);
        List<Verdict> verdict = List.of(new Verdict.Done(claim));
        if (write(session, verdict, false).isEmpty()) {
            return new Finish.Kept();
        }
        Map<Long, Found> found = look(session, verdict);
        if (!isMineInLane(verdict.get(0), found)) {
            return judge(holder, verdict.get(0), found, false);
        }
        lanes.lock(session, laneIds(verdict, found));
        boolean written = writeInLanes(session, verdict, found).isEmpty();
        wake.soon().run();
        return judge(holder, verdict.get(0), look(session, verdict), written);
    }
}
