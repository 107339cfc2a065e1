package dev.turno.lane;

import dev.turno.claim.Claim;
import dev.turno.sql.Columns;
import dev.turno.sql.Session;
import dev.turno.sql.Statements;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The K places of one scope. A slot names the claim that has it and is free when that claim is over, so nothing has to be
 * given back and nothing can leak. Which slots are free is a question in the feature's SQL, which knows its rows.
 */
public final class Slots {

    private record Held(long slot, Claim claim) {}

    /** {@code above}: how many run in slots above the limit, which was lowered. */
    private record Free(long slot, int above) {}

    private final String kind;
    private final long scope;

    public Slots(String kind, long scope, Statements statements) {
        this.kind = kind;
        this.scope = scope;
        statements.require("lane.add-slots", "lane.hold-slots", kind + ".free-slots", kind + ".still-free-slots");
    }

    /** Makes at least {@code count} slots. None is ever removed: it may be held, and would come back empty. */
    public void add(Session session, int count) throws SQLException {
        session.sql("lane.add-slots")
                .set("kind", kind)
                .set("scope", scope)
                .set("count", count)
                .update();
    }

    /** Locks free slots, which nobody else gives away until the transaction ends. */
    public List<Long> lockFree(Session session, int limit) throws SQLException {
        List<Free> free = free(session, limit);
        int above = above(free);
        if (above > 0) { // as many of the free ones must stay so, and others are to be had beside them
            free = free(session, limit + above);
        }
        return free.stream().skip(above(free)).limit(limit).map(Free::slot).toList();
    }

    private List<Free> free(Session session, int limit) throws SQLException {
        List<Long> locked = session.sql(kind + ".free-slots")
                .set("scope", scope)
                .set("limit", limit)
                .list(row -> row.longValue("slot"));
        return locked.isEmpty()
                ? List.of()
                : session.sql(kind + ".still-free-slots")
                        .set("scope", scope)
                        .setAll("slots", locked)
                        .list(row -> new Free(row.longValue("slot"), row.intValue("above")));
    }

    private static int above(List<Free> free) {
        return free.isEmpty() ? 0 : free.get(0).above();
    }

    /** Gives each claim one of the slots, which the transaction has locked. */
    public void hold(Session session, List<Long> free, List<Claim> claims) throws SQLException {
        List<Held> held = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            held.add(new Held(free.get(i), claims.get(i)));
        }
        session.sql("lane.hold-slots")
                .set("kind", kind)
                .set("scope", scope)
                .setRows(Columns.of("h", held)
                        .longs("slot", Held::slot)
                        .longs("row", one -> one.claim().id())
                        .longs("fence", one -> one.claim().fence()))
                .update();
    }
}
