package dev.turno.lane;

import dev.turno.claim.Claim;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Verdict;
import dev.turno.sql.Database;
import dev.turno.sql.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

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
    private final VerdictTable table;
    private final LaneFinishes lanes;
    private final BooleanSupplier limited;
    private final Wake wake;

    /**
     * @param limited whether somebody may wait for the slots that a finish frees
     */
    @SuppressWarnings("exports") // made by the features alone
    public Finishes(Database database, Rules rules, LaneTurns lanes, BooleanSupplier limited, Wake wake) {
        this.database = database;
        this.rules = rules;
        this.table = new VerdictTable(database, rules);
        this.lanes = new LaneFinishes(database, table, lanes, rules.deadBlocks());
        this.limited = limited;
        this.wake = wake;
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

    /** Verdicts of one group. Nearly always all are kept. */
    private Map<Claim, Finish> finishGroup(String ifItFails, HolderId holder, List<Verdict> group) {
        Map<Claim, Finish> finishes = new HashMap<>();
        List<Verdict> missing = table.write(ifItFails, group);
        group.forEach(verdict -> finishes.put(
                verdict.claim(), verdict instanceof Verdict.Settle ? new Finish.Undone() : new Finish.Kept()));
        if (!missing.isEmpty()) {
            FoundRows found = database.once(ifItFails, session -> table.look(session, missing));
            missing.forEach(verdict -> finishes.put(verdict.claim(), found.judge(holder, verdict, false)));
            List<Verdict> inLanes = missing.stream().filter(found::isMineInLane).toList();
            if (!inLanes.isEmpty()) {
                finishes.putAll(finishInLanes(ifItFails, holder, inLanes, found));
            }
        }
        return finishes;
    }

    private Map<Claim, Finish> finishInLanes(
            String ifItFails, HolderId holder, List<Verdict> inLanes, FoundRows found) {
        Map<Claim, Finish> finishes = lanes.finish(ifItFails, holder, inLanes, found);
        if (!finishes.values().stream().allMatch(Finish.Open.class::isInstance)) {
            wake.now().run(); // those behind them have their turn now
        }
        return finishes;
    }

    /** Prolongs claims that nobody took over, and whose rows nobody has locked; answers how many. */
    public int renew(HolderId holder, Collection<Claim> claims, Duration longestClaim) {
        return table.renew(holder, claims, longestClaim);
    }

    /** Finishes a row that is in no lane and commits, in one message to the server; rolls back if the row is not kept. */
    public Finish commit(Connection connection, HolderId holder, Claim claim) throws SQLException {
        Session session = database.on(connection);
        try {
            table.commit(session, claim);
            return new Finish.Kept();
        } catch (SQLException e) {
            rollBack(connection, e);
            if (!NOTHING_CHANGED.equals(e.getSQLState())) {
                throw e;
            }
            Verdict verdict = new Verdict.Done(claim);
            FoundRows found = table.look(session, List.of(verdict));
            connection.rollback(); // no transaction stays open after a look
            if (found.isMine(verdict)) {
                throw e; // it was something else in the caller's transaction that divided by zero
            }
            Finish finish = found.judge(holder, verdict, false);
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
        Verdict verdict = new Verdict.Done(claim);
        if (table.write(session, List.of(verdict), false).isEmpty()) {
            return new Finish.Kept();
        }
        FoundRows found = table.look(session, List.of(verdict));
        if (!found.isMineInLane(verdict)) {
            return found.judge(holder, verdict, false);
        }
        Finish finish = lanes.finishIn(session, holder, verdict, found);
        wake.soon().run();
        return finish;
    }
}
