package dev.turno.lane;

import dev.turno.sql.Session;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What waits in the lanes of one feature: in each lane one row at most has a turn; the others wait at the far moment. Every
 * method works in the caller's transaction. Shared by threads.
 */
@SuppressWarnings("exports") // used by the features alone
public final class LaneTurns {

    private final String feature;
    private final Lanes lanes;

    public LaneTurns(String feature, Lanes lanes) {
        this.feature = feature;
        this.lanes = lanes;
    }

    public Lanes.Place draw(Session session, String orderingKey, int count) throws SQLException {
        return lanes.draw(session, orderingKey, count);
    }

    public void lock(Session session, Collection<Long> laneIds) throws SQLException {
        lanes.lock(session, laneIds);
    }

    public Set<Long> lockFree(Session session, Collection<Long> laneIds) throws SQLException {
        return lanes.lockFree(session, laneIds);
    }

    public void freeHead(Session session, long lane, long row) throws SQLException {
        lanes.freeHead(session, lane, row);
    }

    /** Gives the turn to the first in each of these lanes, locked before, in which nobody has it. */
    public void promote(Session session, Collection<Long> laneIds) throws SQLException {
        for (long lane : lanes.headless(session, laneIds)) {
            Optional<Long> next =
                    session.sql(feature + ".next-in-lane").set("lane", lane).first(row -> row.longValue("id"));
            if (next.isPresent()) {
                giveTurn(session, lane, next.get());
            }
        }
    }

    /** Those of the lanes, locked before, in which nobody has the turn, and so nobody waits. */
    public List<Long> idle(Session session, Collection<Long> laneIds) throws SQLException {
        return lanes.headless(session, laneIds);
    }

    /** False if there is no such row, or none that waits. */
    public boolean giveTurn(Session session, long lane, long row) throws SQLException {
        lanes.setHead(session, lane, row);
        return session.sql(feature + ".give-turn").set("row", row).update() == 1;
    }

    /** After a revival: if the row is still the head of its lane, its turn is now; else it waits in line. */
    public void resume(Session session, long lane, long row) throws SQLException {
        if (session.sql(feature + ".give-turn-to-head")
                        .set("row", row)
                        .set("lane", lane)
                        .update()
                == 0) {
            promote(session, List.of(lane));
        }
    }
}
