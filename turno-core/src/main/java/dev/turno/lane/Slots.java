package dev.turno.lane;

import dev.turno.claim.Claim;
import dev.turno.sql.Call;
import dev.turno.sql.Columns;
import dev.turno.sql.Session;
import dev.turno.sql.Statements;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The K places of one scope. A slot names the claim that has it and is free when that claim is over, so nothing has to be
 * given back and nothing can leak. Which slots are free is the feature's question, since it knows its rows.
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
        statements.require("lane.add-slots", "lane.hold-slots");
    }

    /** Makes at least {@code count} slots. None is ever removed: it may be held, and would come back empty. */
    public void add(Session session, int count) throws SQLException {
        session.sql("lane.add-slots")
                .set("kind", kind)
                .set("scope", scope)
                .set("count", count)
                .update();
    }

    /**
     * Of the slots that were locked, those that may be given away.
     *
     * @param question the feature's, which answers {@code slot} and {@code above}
     */
    public static List<Long> stillFree(Call question) throws SQLException {
        List<Free> found = question.list(row -> new Free(row.longValue("slot"), row.intValue("above")));
        long above = found.stream().mapToInt(Free::above).max().orElse(0);
        return found.stream().skip(above).map(Free::slot).toList();
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
