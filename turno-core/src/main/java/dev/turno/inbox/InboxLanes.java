package dev.turno.inbox;

import dev.turno.lane.Lanes;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Ordering keys: in each lane one message at most has a turn; the others wait at the far moment. */
final class InboxLanes {

    private final Lanes lanes;

    InboxLanes(Lanes lanes) {
        this.lanes = lanes;
    }

    Lanes.Place draw(Session session, String orderingKey, int count) throws SQLException {
        return lanes.draw(session, orderingKey, count);
    }

    void lock(Session session, Collection<Long> laneIds) throws SQLException {
        lanes.lock(session, laneIds);
    }

    void freeHead(Session session, long lane, long row) throws SQLException {
        lanes.freeHead(session, lane, row);
    }

    /** Gives the turn to the first in each of these lanes, locked before, in which nobody has it. */
    void promote(Session session, Collection<Long> laneIds) throws SQLException {
        for (long lane : lanes.headless(session, laneIds)) {
            Optional<Long> next =
                    session.sql("inbox.next-in-lane").set("lane", lane).first(row -> row.longValue("id"));
            if (next.isPresent()) {
                lanes.setHead(session, lane, next.get());
                giveTurn(session, next.get());
            }
        }
    }

    private static void giveTurn(Session session, long row) throws SQLException {
        session.sql("inbox.give-turn").set("row", row).update();
    }

    /** After a revival: if the row is still the head of its lane, its turn is now; else it waits in line. */
    void resume(Session session, long lane, long row) throws SQLException {
        if (session.sql("inbox.give-turn-to-head")
                        .set("row", row)
                        .set("lane", lane)
                        .update()
                == 0) {
            promote(session, List.of(lane));
        }
    }
}
