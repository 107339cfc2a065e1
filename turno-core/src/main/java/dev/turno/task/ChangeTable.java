package dev.turno.task;

import dev.turno.lane.LaneTurns;
import dev.turno.lane.Lanes;
import dev.turno.sql.Database;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What people do with a task after it was scheduled: cancel, reschedule, revive. */
final class ChangeTable {

    /** What became of it; the type if the row has changed, and others of that type may have their turn earlier now. */
    record Done(ChangeOutcome outcome, Optional<TypeName> changed) {

        private static Done nothing(ChangeOutcome because) {
            return new Done(because, Optional.empty());
        }
    }

    private record Place(TypeName type, Optional<Long> lane, TaskState state) {}

    /** One statement on a row; false if its state does not allow it. */
    @FunctionalInterface
    private interface Change {
        boolean on(Session session, long id) throws SQLException;
    }

    private final Database database;
    private final String namespace;
    private final Map<Long, LaneTurns> lanes = new ConcurrentHashMap<>(); // by type

    ChangeTable(Database database, String namespace) {
        this.database = database;
        this.namespace = namespace;
        database.statements().require("task.locate", "task.cancel", "task.reschedule", "task.revive");
        database.statements().require("task.later-head", "task.step-back", "task.next-in-lane", "task.give-turn");
    }

    LaneTurns lanes(TypeName type) {
        return lanes.computeIfAbsent(type.id(), id -> new LaneTurns("task", new Lanes("task", id, database)));
    }

    Done cancel(long id) {
        return change(id, "cancelled", session -> cancel(session, id));
    }

    Done cancel(Session session, long id) throws SQLException {
        return change(
                session, id, (s, row) -> s.sql("task.cancel").set("row", row).update() == 1);
    }

    /** At {@code at}, or now if empty. */
    Done reschedule(long id, Optional<Instant> at) {
        return change(id, "rescheduled", session -> reschedule(session, id, at));
    }

    Done reschedule(Session session, long id, Optional<Instant> at) throws SQLException {
        return change(
                session,
                id,
                (s, row) -> s.sql("task.reschedule")
                                .set("row", row)
                                .set("at_us", at)
                                .update()
                        == 1);
    }

    Done revive(long id) {
        return change(
                id,
                "revived",
                session -> change(
                        session,
                        id,
                        (s, row) -> s.sql("task.revive").set("row", row).update() == 1));
    }

    private Done change(long id, String done, Database.Work<Done> work) {
        return database.transaction("Task " + id + " may not have been " + done + "; look at it, and try again.", work);
    }

    private Done change(Session session, long id, Change change) throws SQLException {
        Optional<Place> place = locate(session, id);
        if (place.isEmpty()) {
            return Done.nothing(new ChangeOutcome.Unknown());
        }
        TypeName type = place.get().type();
        Optional<Long> lane = place.get().lane();
        if (lane.isPresent()) {
            session.requireTransaction("Task " + id + ", which is in a lane, cannot be changed");
            lanes(type).lock(session, List.of(lane.get()));
        }
        if (!change.on(session, id)) {
            return Done.nothing(locate(session, id)
                    .<ChangeOutcome>map(now -> new ChangeOutcome.TooLate(now.state()))
                    .orElseGet(ChangeOutcome.Unknown::new));
        }
        if (lane.isPresent()) {
            // Whatever changed: it steps out of its place, and the earliest in the lane has the turn.
            lanes(type).freeHead(session, lane.get(), id);
            lineUp(session, type, lane.get(), id);
        }
        return new Done(new ChangeOutcome.Changed(), Optional.of(type));
    }

    private Optional<Place> locate(Session session, long id) throws SQLException {
        return session.sql("task.locate")
                .set("row", id)
                .set("namespace", namespace)
                .first(row -> new Place(
                        new TypeName(namespace, row.text("type"), row.longValue("type_id")),
                        row.optionalLong("lane_id"),
                        TaskState.valueOf(row.text("state"))));
    }

    /** The row has come to its lane, locked before: a head that has not begun and comes later steps back. */
    void lineUp(Session session, TypeName type, long lane, long id) throws SQLException {
        Optional<Long> later =
                session.sql("task.later-head").set("lane", lane).set("row", id).first(row -> row.longValue("id"));
        if (later.isPresent()
                && session.sql("task.step-back").set("row", later.get()).update() == 1) {
            lanes(type).freeHead(session, lane, later.get());
        }
        lanes(type).promote(session, List.of(lane));
    }
}
