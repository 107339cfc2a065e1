package dev.turno.run;

import dev.turno.lane.Lanes;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who stands where in the lanes. A run's turn comes when it is the first in all of its lanes. Everybody locks lanes in the
 * order of their names, and holds them to the end of the transaction, so nobody waits in a circle: neither transactions for
 * lanes, nor runs for each other.
 */
final class RunLanes {

    private final Lanes lanes;

    RunLanes(Lanes lanes) {
        this.lanes = lanes;
    }

    /** Locks the lanes in which {@code leaving} stands and those in which somebody wants to stand, and draws the latter's places. */
    Locked lock(Session session, Optional<Long> leaving, Collection<String> entering) throws SQLException {
        Map<String, Long> left = leaving.isPresent() ? lanesOf(session, leaving.get()) : Map.of();
        NavigableSet<String> names = new TreeSet<>(left.keySet());
        names.addAll(entering);
        Locked locked = new Locked(new TreeSet<>(), new TreeMap<>());
        for (String name : names) {
            if (entering.contains(name)) {
                Lanes.Place place = lanes.draw(session, name, 1);
                locked.ids().add(place.lane());
                locked.places().put(name, place);
            } else {
                long id = left.getOrDefault(name, 0L);
                lanes.lock(session, List.of(id));
                locked.ids().add(id);
            }
        }
        return locked;
    }

    /** Lanes that this transaction has locked, and the places it drew, by name. */
    record Locked(NavigableSet<Long> ids, NavigableMap<String, Lanes.Place> places) {}

    private static Map<String, Long> lanesOf(Session session, long run) throws SQLException {
        Map<String, Long> all = new LinkedHashMap<>();
        session.sql("run.named-lanes-of").set("run", run).list(row -> all.put(row.text("lane"), row.longValue("id")));
        return all;
    }

    /** True if the run stands in these lanes and in no other. */
    boolean areThoseOf(Session session, long run, Locked locked) throws SQLException {
        return locked.ids().equals(new TreeSet<>(lanesOf(session, run).values()));
    }

    void leave(Session session, long run, Locked locked) throws SQLException {
        session.sql("run.leave-lanes").set("run", run).update();
        for (long lane : locked.ids()) {
            lanes.freeHead(session, lane, run);
        }
    }

    void enter(Session session, long run, Locked locked) throws SQLException {
        int order = 0;
        for (Lanes.Place place : locked.places().values()) {
            session.sql("run.stand-in-lane")
                    .set("lane", place.lane())
                    .set("seq", place.firstSeq())
                    .set("run", run)
                    .set("place", order++)
                    .update();
        }
    }

    /** Makes the first in line the head of each lane that has none; whoever is the head of all its lanes has its turn now. */
    void promote(Session session, Locked locked) throws SQLException {
        if (locked.ids().isEmpty()) {
            return;
        }
        NavigableMap<Long, Integer> ahead = new TreeMap<>(); // rows are locked in one order
        for (long lane : lanes.headless(session, locked.ids())) {
            Optional<Long> next =
                    session.sql("run.next-in-lane").set("lane", lane).first(row -> row.longValue("id"));
            if (next.isPresent()) {
                lanes.setHead(session, lane, next.get());
                ahead.merge(next.get(), 1, Integer::sum);
            }
        }
        for (Map.Entry<Long, Integer> entry : ahead.entrySet()) {
            for (int i = 0; i < entry.getValue(); i++) {
                session.sql("run.give-turn").set("run", entry.getKey()).update();
            }
        }
    }
}
