package dev.turno.lane;

import dev.turno.sql.Call;
import dev.turno.sql.Database;
import dev.turno.sql.KnownRows;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The lanes of one scope, for example of one inbox. Every method works in the caller's transaction. Shared by threads. */
public final class Lanes {

    /** A place in line: {@code count} numbers from {@code firstSeq} on, in the lane with this id. */
    public record Place(long lane, long firstSeq) {}

    private static final int TRIES = 3;

    private final String kind;
    private final long scope;
    private final KnownRows known;

    public Lanes(String kind, long scope, Database database) {
        this.kind = kind;
        this.scope = scope;
        this.known = new KnownRows(database.time());
        database.statements().require("lane.lock", "lane.names", "lane.lock-free", "lane.lock-wait");
        database.statements().require("lane.free-head", "lane.headless", "lane.set-head");
    }

    /** Locks the lane until the end of the transaction and draws the next {@code count} numbers of its sequence. */
    public Place draw(Session session, String lane, int count) throws SQLException {
        return session.takesInOneStatement()
                ? call(session, "lane.draw", lane)
                        .set("count", count)
                        .first(row -> new Place(row.longValue("id"), row.longValue("first_seq")))
                        .orElseThrow()
                : drawStepByStep(session, lane, count);
    }

    /**
     * By the number of its row, if that is known. To look for the name first would fix, on MariaDB, the moment as of which a caller sees
     * everything, before he has waited for the lane. More than one round only if the lane was removed after it was found.
     */
    private Place drawStepByStep(Session session, String lane, int count) throws SQLException {
        Optional<Place> drawn = drawFromKnown(session, lane, count);
        Optional<Long> found = drawn.isPresent() ? Optional.empty() : find(session, lane);
        for (int tries = 0; drawn.isEmpty() && tries < TRIES; tries++) {
            long row = found.isPresent() ? found.get() : add(session, lane);
            drawn = advance(session, row, lane, count);
            if (drawn.isPresent()) {
                known.remember(lane, row, found.isPresent());
            }
            found = Optional.empty();
        }
        return drawn.orElseThrow(() -> new SQLException(
                "The lane '" + lane + "' was removed again and again while it was drawn from; try again."));
    }

    private Optional<Place> drawFromKnown(Session session, String lane, int count) throws SQLException {
        Optional<Long> row = known.find(lane);
        if (row.isEmpty()) {
            return Optional.empty();
        }
        Optional<Place> drawn = advance(session, row.get(), lane, count);
        if (drawn.isPresent()) {
            known.remember(lane, row.get(), true);
        } else {
            known.forget(lane);
        }
        return drawn;
    }

    private Optional<Place> advance(Session session, long row, String lane, int count) throws SQLException {
        return call(session, "lane.advance", lane)
                .set("row", row)
                .set("count", count)
                .updateOne("next_seq")
                .map(next -> new Place(row, next - count));
    }

    private long add(Session session, String lane) throws SQLException {
        Optional<Long> added = call(session, "lane.add", lane).firstUnlessThere(row -> row.longValue("id"));
        return added.isPresent() ? added.get() : findAdded(session, lane);
    }

    /** By others, at this moment. */
    private long findAdded(Session session, String lane) throws SQLException {
        return find(session, lane)
                .orElseThrow(() ->
                        new SQLException("The lane '" + lane + "' was removed while it was drawn from; try again."));
    }

    private Optional<Long> find(Session session, String lane) throws SQLException {
        return call(session, "lane.find", lane).first(row -> row.longValue("id"));
    }

    private Call call(Session session, String statement, String lane) {
        return session.sql(statement).set("kind", kind).set("scope", scope).set("lane", lane);
    }

    /** Locks lanes in the order of their names, as those who draw do, so that two transactions cannot wait for each other. */
    public void lock(Session session, Collection<Long> lanes) throws SQLException {
        for (long lane : Set.copyOf(lanes).size() > 1 ? byName(session, lanes) : lanes) {
            session.sql("lane.lock").set("lane", lane).list(row -> row.longValue("id"));
        }
    }

    private static Collection<Long> byName(Session session, Collection<Long> lanes) throws SQLException {
        NavigableMap<String, Long> byName = new TreeMap<>();
        session.sql("lane.names").setAll("lanes", lanes).list(row -> byName.put(row.text("lane"), row.longValue("id")));
        return byName.values();
    }

    /** Locks those of the lanes that nobody else has locked, and answers them. */
    public Set<Long> lockFree(Session session, Collection<Long> lanes) throws SQLException {
        return new HashSet<>(
                session.sql("lane.lock-free").setAll("lanes", lanes).list(row -> row.longValue("id")));
    }

    /** {@code row} is over: if it was the head of its lane, the lane has none now. */
    public void freeHead(Session session, long lane, long row) throws SQLException {
        session.sql("lane.free-head").set("lane", lane).set("row", row).update();
    }

    /** Those of the lanes, locked before, in which nobody has the turn. */
    public List<Long> headless(Session session, Collection<Long> lanes) throws SQLException {
        return session.sql("lane.headless").setAll("lanes", lanes).list(row -> row.longValue("id"));
    }

    public void setHead(Session session, long lane, long row) throws SQLException {
        session.sql("lane.set-head").set("lane", lane).set("row", row).update();
    }

    /** Removes lanes that nobody has used for {@code age}; answers how many. */
    public int forget(Database database, Duration age, int limit) {
        return database.changeUnlocked(
                "Unused lanes could not be removed; it is tried again.",
                "lane.forget",
                call -> call.set("kind", kind)
                        .set("scope", scope)
                        .set("age_us", age)
                        .set("limit", limit));
    }
}
