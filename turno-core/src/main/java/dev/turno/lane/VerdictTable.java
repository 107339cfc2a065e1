package dev.turno.lane;

import dev.turno.claim.Claim;
import dev.turno.claim.HolderId;
import dev.turno.claim.Verdict;
import dev.turno.sql.Call;
import dev.turno.sql.Columns;
import dev.turno.sql.Database;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The statements by which a feature's rows get their verdicts. Each presents the fence. Shared by threads. */
final class VerdictTable {

    private final Database database;
    private final Finishes.Rules rules;

    VerdictTable(Database database, Finishes.Rules rules) {
        this.database = database;
        this.rules = rules;
        String renew = database.dialect().takesInOneStatement() ? "renew" : "renew-find";
        for (String statement : List.of("done", "again", "dead", "settle-lock", "outcome", renew)) {
            database.statements().require(rules.feature() + "." + statement);
        }
    }

    private Call sql(Session session, String statement) {
        return session.sql(rules.feature() + "." + statement).set(rules.parameter(), rules.scope());
    }

    /**
     * Writes verdicts of one kind, and if they are done of one fence; answers those whose fate has to be looked up. Rows in lanes are among
     * these.
     */
    List<Verdict> write(String ifItFails, List<Verdict> group) {
        if (group.get(0) instanceof Verdict.Settle) {
            return database.transaction(ifItFails, session -> settle(session, group));
        }
        boolean deletes = group.get(0) instanceof Verdict.Done && rules.deletes();
        return deletes && !database.dialect().takesInOneStatement()
                ? database.transaction(ifItFails, session -> write(session, group, false))
                : database.once(ifItFails, session -> write(session, group, false));
    }

    /** The same in a transaction; nearly always all are written, which the count alone tells. */
    List<Verdict> write(Session session, List<Verdict> group, boolean inLane) throws SQLException {
        Verdict kind = group.get(0);
        if (kind instanceof Verdict.Done && rules.deletes()) {
            Set<Long> gone = new HashSet<>(delete(session, group, inLane));
            return group.stream()
                    .filter(verdict -> !gone.contains(verdict.claim().id()))
                    .toList();
        }
        int written = kind instanceof Verdict.Done
                ? sql(session, "done")
                        .setClaims(claims(group))
                        .set("in_lane", inLane)
                        .update()
                : sql(session, kind instanceof Verdict.Dead ? "dead" : "again")
                        .set("in_lane", inLane)
                        .setRows(columns(group))
                        .update();
        return written == group.size() ? List.of() : group;
    }

    private List<Long> delete(Session session, List<Verdict> group, boolean inLane) throws SQLException {
        String statement = session.takesInOneStatement() ? "done-gone" : "done-gone-find";
        List<Long> gone = sql(session, statement)
                .setClaims(claims(group))
                .set("in_lane", inLane)
                .list(row -> row.longValue("id"));
        if (!session.takesInOneStatement() && !gone.isEmpty()) {
            sql(session, "done-gone-mark").setAll("ids", gone).update();
        }
        return gone;
    }

    private static List<Claim> claims(List<Verdict> verdicts) {
        return verdicts.stream().map(Verdict::claim).toList();
    }

    private static List<Long> ids(List<Verdict> verdicts) {
        return verdicts.stream().map(verdict -> verdict.claim().id()).toList();
    }

    /**
     * What the handler's own transaction did not finish, and does not hold any more, gets its turn again; answers all but those
     * that do not because it was their last.
     */
    private List<Verdict> settle(Session session, List<Verdict> group) throws SQLException {
        Set<Long> undone = new HashSet<>(
                sql(session, "settle-lock").setAll("ids", ids(group)).list(row -> row.longValue("id")));
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

    FoundRows look(Session session, List<Verdict> verdicts) throws SQLException {
        return FoundRows.of(sql(session, "outcome")
                .setAll("ids", ids(verdicts))
                .list(row -> new FoundRows.Row(
                        row.longValue("id"),
                        row.text("state"),
                        row.longValue("fence"),
                        row.optionalLong("holder"),
                        row.optionalLong("lane_id"))));
    }

    /** Finishes a row that is in no lane and commits, in one message to the server. Fails by a division by zero if there is no such claim. */
    void commit(Session session, Claim claim) throws SQLException {
        sql(session, rules.deletes() ? "done-gone-commit" : "done-commit")
                .set("id", claim.id())
                .set("fence", claim.fence())
                .update();
    }

    /** Prolongs claims that nobody took over, and whose rows nobody has locked; answers how many. */
    int renew(HolderId holder, Collection<Claim> claims, Duration longestClaim) {
        Map<Long, List<Claim>> byFence = claims.stream().collect(Collectors.groupingBy(Claim::fence));
        return byFence.values().stream()
                .mapToInt(group -> database.changeUnlocked(
                        group.size() + " claims of " + rules.name() + " may not have been renewed. Renew them again.",
                        rules.feature() + ".renew",
                        call -> call.setClaims(group)
                                .set(rules.parameter(), rules.scope())
                                .set("holder", holder.value())
                                .set("max_run_us", longestClaim)))
                .sum();
    }
}
