package dev.turno.run;

import dev.turno.sql.Database;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** Stores runs, if there is room, and puts them into their lanes. */
final class SubmitTable {

    /** A run to be stored. */
    record Ticket(
            Link link,
            Optional<String> subject,
            Map<String, String> parameters,
            Duration delay,
            List<Link> chain,
            Optional<Long> first,
            Optional<Long> revives) {}

    private record Room(int queued, int limit) {
        boolean isFull() {
            return queued >= limit;
        }
    }

    private final Database database;
    private final long scope;
    private final RunLanes lanes;

    SubmitTable(Database database, long scope, RunLanes lanes) {
        this.database = database;
        this.scope = scope;
        this.lanes = lanes;
        database.statements().require("run.submit", "run.lock-setting", "run.queued", "run.stand-in-lane");
        database.statements().require("run.next-in-lane", "run.give-turn", "run.leave-lanes", "run.named-lanes-of");
        database.statements().require("run.resume");
    }

    SubmitOutcome submit(Ticket ticket) {
        return database.transaction(
                "The run of job '" + ticket.link().job()
                        + "' may not have been submitted. Look at the runs of its subject before you submit it again.",
                session -> submit(session, ticket));
    }

    SubmitOutcome submit(Session session, Ticket ticket) throws SQLException {
        Room room = room(session);
        return room.isFull() ? refused(room) : new SubmitOutcome.Queued(store(session, ticket));
    }

    private static SubmitOutcome refused(Room room) {
        return new SubmitOutcome.Refused("The queue is full: " + room.queued() + " runs wait, and " + room.limit()
                + " may (option max-queued). Nothing was stored. Submit it again when some have run, or raise"
                + " the limit.");
    }

    /** The lock on the setting is kept to the end of the transaction: nobody else counts meanwhile. */
    private Room room(Session session) throws SQLException {
        int limit = session.sql("run.lock-setting")
                .set("scope", scope)
                .first(row -> row.intValue("max_queued"))
                .orElseThrow();
        int queued = session.sql("run.queued")
                .set("scope", scope)
                .set("limit", limit)
                .first(row -> row.intValue("n"))
                .orElseThrow();
        return new Room(queued, limit);
    }

    private long store(Session session, Ticket ticket) throws SQLException {
        RunLanes.Locked locked =
                lanes.lock(session, Optional.empty(), ticket.link().lanes());
        long id = insert(session, ticket, locked);
        lanes.promote(session, locked);
        return id;
    }

    /** Stores it in lanes that are locked already; it has no turn before they are promoted. */
    long insert(Session session, Ticket ticket, RunLanes.Locked locked) throws SQLException {
        Link link = ticket.link();
        long id = session.sql("run.submit")
                .set("scope", scope)
                .set("delay_us", ticket.delay())
                .set("lanes_ahead", locked.places().size())
                .set("incremental", link.incremental())
                .set("job", link.job())
                .set("subject", ticket.subject())
                .set("action", link.action())
                .set("first", ticket.first())
                .set("revives", ticket.revives())
                .set(
                        "lanes",
                        Names.lines("lanes", link.lanes().stream().map(List::of).toList()))
                .set("parameters", Names.map("parameters", ticket.parameters()))
                .set("chain", Link.stored(ticket.chain()))
                .first(row -> row.longValue("id"))
                .orElseThrow();
        lanes.enter(session, id, locked);
        return id;
    }

    /** Puts a STOPPED or DEAD run back in line, behind all others; empty if it is neither. */
    Optional<SubmitOutcome> resume(long run, List<String> laneNames) {
        NavigableSet<String> names = new TreeSet<>(laneNames);
        return database.transaction("Run " + run + " may not have been resumed; look at its state.", session -> {
            Room room = room(session);
            if (room.isFull()) {
                return Optional.of(refused(room));
            }
            RunLanes.Locked locked = lanes.lock(session, Optional.empty(), names);
            boolean resumed = session.sql("run.resume")
                            .set("run", run)
                            .set("scope", scope)
                            .set("lanes_ahead", names.size())
                            .update()
                    == 1;
            if (resumed) {
                lanes.enter(session, run, locked);
                lanes.promote(session, locked);
            }
            return resumed ? Optional.of(new SubmitOutcome.Queued(run)) : Optional.empty();
        });
    }
}
