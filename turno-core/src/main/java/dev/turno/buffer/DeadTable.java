package dev.turno.buffer;

import dev.turno.sql.Database;
import dev.turno.sql.Row;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Bursts that failed for good: listed, read whole, revived. They are never removed but by being handed over. */
final class DeadTable {

    private record Found(DeadBurst burst, Range range) {}

    private final Database database;
    private final BufferName name;
    private final MessageTable messages;

    DeadTable(Database database, BufferName name) {
        this.database = database;
        this.name = name;
        this.messages = new MessageTable(database);
        database.statements().require("buffer.list-dead", "buffer.find-dead", "buffer.revive-lock", "buffer.revive");
        database.statements().require("buffer.revive-turn");
    }

    DeadPage list(Optional<Long> before, int limit) {
        List<DeadBurst> found = database.once(
                "The dead bursts of " + name + " could not be listed.",
                session -> session.sql("buffer.list-dead")
                        .set("buffer", name.id())
                        .set("before", before.orElse(Long.MAX_VALUE))
                        .set("limit", limit + 1)
                        .list(row -> found(row).burst()));
        boolean more = found.size() > limit;
        return new DeadPage(
                more ? found.subList(0, limit) : found,
                more ? Optional.of(found.get(limit - 1).id()) : Optional.empty());
    }

    /** With its messages. */
    Optional<DeadBurst> find(long id) {
        String ifItFails = "Dead burst " + id + " of " + name + " could not be read.";
        Optional<Found> found = database.once(
                ifItFails,
                session -> session.sql("buffer.find-dead")
                        .set("buffer", name.id())
                        .set("row", id)
                        .first(row -> found(row)));
        return found.map(one -> withMessages(ifItFails, one));
    }

    private DeadBurst withMessages(String ifItFails, Found found) {
        DeadBurst burst = found.burst();
        List<BurstMessage> all = messages.load(ifItFails, List.of(found.range()))
                .getOrDefault(found.range().header(), MessageTable.Loaded.NOTHING)
                .messages();
        return new DeadBurst(
                burst.id(),
                burst.key(),
                burst.handedOverAs(),
                burst.size(),
                burst.attempt(),
                burst.deadAt(),
                burst.error(),
                burst.revived(),
                BurstMessage.inOrder(all));
    }

    private Found found(Row row) throws SQLException {
        Range range = new Range(row.longValue("header_id"), row.longValue("flush_from"), row.longValue("flush_to"));
        String key = row.text("buffer_key");
        return new Found(
                new DeadBurst(
                        row.longValue("id"),
                        key,
                        range.handedOverAs(name, key),
                        range.size(),
                        row.intValue("attempt"),
                        row.instant("dead_at"),
                        row.optionalText("error").orElse(""),
                        row.booleanValue("revived"),
                        List.of()),
                range);
    }

    /** True if it was dead and waits now. */
    boolean revive(long id) {
        String ifItFails =
                "Dead burst " + id + " of " + name + " may not have been revived; look at it, and try again.";
        return database.transaction(ifItFails, session -> revive(session, id));
    }

    private boolean revive(Session session, long id) throws SQLException {
        Optional<Long> header = session.sql("buffer.revive-lock")
                .set("buffer", name.id())
                .set("row", id)
                .first(row -> row.longValue("id"));
        if (header.isEmpty()) {
            return false;
        }
        boolean revived = session.sql("buffer.revive")
                        .set("buffer", name.id())
                        .set("row", id)
                        .update()
                == 1;
        if (revived) {
            session.sql("buffer.revive-turn").set("row", header.get()).update();
        }
        return revived;
    }
}
