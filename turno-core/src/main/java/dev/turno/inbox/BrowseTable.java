package dev.turno.inbox;

import dev.turno.lane.LaneTurns;
import dev.turno.sql.Call;
import dev.turno.sql.Database;
import dev.turno.sql.Place;
import dev.turno.sql.Row;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What people see and do: find, list, count, revive, cancel. */
final class BrowseTable {

    private record Dead(long id, Instant finishedAt, Optional<Long> lane) {}

    private record Placed(StoredMessage message, Place place) {}

    private static final int REVIVED_AT_ONCE = 500;
    private static final int SEARCHED_AT_ONCE = 10_000;
    private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");

    private final Database database;
    private final InboxName name;
    private final LaneTurns lanes;

    BrowseTable(Database database, InboxName name, LaneTurns lanes) {
        this.database = database;
        this.name = name;
        this.lanes = lanes;
        database.statements().require("inbox.find", "inbox.list-waiting", "inbox.list-doing", "inbox.list-finished");
        database.statements().require("inbox.list-waiting-end", "inbox.list-finished-end");
        database.statements()
                .require("inbox.counts", "inbox.cancel", "inbox.hasten", "inbox.revive", "inbox.revive-all");
        database.statements().require("inbox.find-dead", "inbox.next-in-lane", "inbox.give-turn");
    }

    Optional<StoredMessage> find(String messageId) {
        return database.once(
                "Message '" + messageId + "' could not be read.",
                session -> session.sql("inbox.find")
                        .set("inbox", name.id())
                        .set("message_id", messageId)
                        .first(row -> message(row, row.optionalText("body"))));
    }

    Page<StoredMessage> list(InboxState state, Optional<String> text, Optional<String> after, int limit) {
        String ifItFails = "The messages of " + name + " could not be listed.";
        return switch (state) {
            case PENDING -> database.once(ifItFails, session -> waiting(session, text, after, limit));
            case DOING ->
                database.once(ifItFails, session -> doing(session, text, after, limit, Duration.ofDays(36_500)));
            default -> database.once(ifItFails, session -> finished(session, state, text, after, limit));
        };
    }

    /** @param claim how long after its taking a claim lapses */
    Page<StoredMessage> doingFor(Duration longer, Duration claim, Optional<String> after, int limit) {
        return database.once(
                "The messages of " + name + " could not be listed.",
                session -> doing(session, Optional.empty(), after, limit, claim.minus(longer)));
    }

    private Page<StoredMessage> waiting(Session session, Optional<String> text, Optional<String> after, int limit)
            throws SQLException {
        Place from = Place.read(after, -1, 0, 0);
        Page<StoredMessage> found = page(
                waiting(session, "list-waiting", from)
                        .set("text", text)
                        .set("searched", SEARCHED_AT_ONCE)
                        .set("limit", limit + 1)
                        .list(row -> new Placed(message(row, Optional.empty()), waitingPlace(row))),
                limit);
        return found.next().isPresent()
                ? found
                : new Page<>(
                        found.items(),
                        waiting(session, "list-waiting-end", from)
                                .set("passed", SEARCHED_AT_ONCE - 1)
                                .first(row -> waitingPlace(row).text()));
    }

    private Call waiting(Session session, String statement, Place from) {
        return session.sql("inbox." + statement)
                .set("inbox", name.id())
                .set("after_class", from.number(0))
                .set("after_us", from.number(1))
                .set("after_id", from.number(2));
    }

    private static Place waitingPlace(Row row) throws SQLException {
        return Place.of(row.longValue("class"), Database.micros(row.instant("turn_at")), row.longValue("id"));
    }

    private Page<StoredMessage> doing(
            Session session, Optional<String> text, Optional<String> after, int limit, Duration left)
            throws SQLException {
        Place from = Place.read(after, 0);
        return page(
                session.sql("inbox.list-doing")
                        .set("inbox", name.id())
                        .set("text", text)
                        .set("after_id", from.number(0))
                        .set("left_us", left)
                        .set("limit", limit + 1)
                        .list(row -> new Placed(message(row, Optional.empty()), Place.of(row.longValue("id")))),
                limit);
    }

    private Page<StoredMessage> finished(
            Session session, InboxState state, Optional<String> text, Optional<String> after, int limit)
            throws SQLException {
        Place from = Place.read(after, Database.micros(FAR), Long.MAX_VALUE);
        Page<StoredMessage> found = page(
                finished(session, "list-finished", state, from)
                        .set("text", text)
                        .set("searched", SEARCHED_AT_ONCE)
                        .set("limit", limit + 1)
                        .list(row -> new Placed(message(row, Optional.empty()), finishedPlace(row))),
                limit);
        return found.next().isPresent() || text.isEmpty()
                ? found
                : new Page<>(
                        found.items(),
                        finished(session, "list-finished-end", state, from)
                                .set("passed", SEARCHED_AT_ONCE - 1)
                                .first(row -> finishedPlace(row).text()));
    }

    private Call finished(Session session, String statement, InboxState state, Place from) {
        return session.sql("inbox." + statement)
                .set("inbox", name.id())
                .set("state", state.name())
                .set("after_us", from.number(0))
                .set("after_id", from.number(1));
    }

    private static Place finishedPlace(Row row) throws SQLException {
        return Place.of(Database.micros(row.instant("finished_at")), row.longValue("id"));
    }

    private static Page<StoredMessage> page(List<Placed> found, int limit) {
        List<StoredMessage> items =
                found.stream().limit(limit).map(Placed::message).toList();
        Optional<String> next =
                found.size() > limit ? Optional.of(found.get(limit - 1).place().text()) : Optional.empty();
        return new Page<>(items, next);
    }

    private static StoredMessage message(Row row, Optional<String> body) throws SQLException {
        Optional<Instant> turnAt = row.optionalInstant("turn_at").filter(FAR::isAfter);
        return new StoredMessage(
                row.text("message_id"),
                InboxState.valueOf(row.text("state")),
                9 - row.intValue("class"),
                row.intValue("attempt"),
                row.longValue("fence"),
                row.instant("put_at"),
                turnAt,
                row.optionalInstant("held_until"),
                row.optionalInstant("finished_at"),
                row.optionalText("lane"),
                row.optionalText("node"),
                row.optionalText("error"),
                body);
    }

    Counts counts() {
        Map<String, Integer> byState = new HashMap<>();
        database.once(
                "The messages of " + name + " could not be counted.",
                session -> session.sql("inbox.counts")
                        .set("inbox", name.id())
                        .set("limit", Counts.MOST)
                        .list(row -> byState.put(row.text("state"), row.intValue("n"))));
        return new Counts(
                byState.getOrDefault("PENDING", 0),
                byState.getOrDefault("DOING", 0),
                byState.getOrDefault("DONE", 0),
                byState.getOrDefault("DEAD", 0),
                byState.getOrDefault("CANCELLED", 0));
    }

    /** True if it was waiting or dead and is CANCELLED now. */
    boolean cancel(String messageId) {
        String ifItFails = "Message '" + messageId + "' may not have been cancelled; look at it, and try again.";
        return database.transaction(ifItFails, session -> {
            Optional<Found> found = find(session, messageId);
            return found.isPresent() && cancel(session, found.get());
        });
    }

    private boolean cancel(Session session, Found found) throws SQLException {
        lock(session, found);
        if (session.sql("inbox.cancel").set("row", found.id()).update() == 0) {
            return false;
        }
        if (found.lane().isPresent()) {
            lanes.freeHead(session, found.lane().get(), found.id());
            lanes.promote(session, List.of(found.lane().get()));
        }
        return true;
    }

    /** True if its turn was to come later and is now. */
    boolean hasten(String messageId) {
        String ifItFails =
                "The turn of message '" + messageId + "' may not have been moved; look at it, and try again.";
        return database.transaction(ifItFails, session -> {
            Optional<Found> found = find(session, messageId);
            return found.isPresent() && hasten(session, found.get());
        });
    }

    private boolean hasten(Session session, Found found) throws SQLException {
        lock(session, found);
        return session.sql("inbox.hasten").set("row", found.id()).update() == 1;
    }

    /** True if it was dead and is PENDING now. */
    boolean revive(String messageId) {
        String ifItFails = "Message '" + messageId + "' may not have been revived; look at it, and try again.";
        return database.transaction(ifItFails, session -> {
            Optional<Found> found = find(session, messageId);
            return found.isPresent() && revive(session, found.get());
        });
    }

    private boolean revive(Session session, Found found) throws SQLException {
        lock(session, found);
        boolean revived = session.sql("inbox.revive").set("row", found.id()).update() == 1;
        if (revived && found.lane().isPresent()) {
            lanes.resume(session, found.lane().get(), found.id());
        }
        return revived;
    }

    /** Revives all dead messages with this text in their id or error, a few hundred at a time; answers how many. */
    int reviveAll(Optional<String> text) {
        int revived = 0;
        // Those that die again meanwhile are not revived again and again.
        Instant until = database.now("The dead messages of " + name + " could not be read; none were revived.");
        Dead last = new Dead(0, Instant.EPOCH, Optional.empty());
        while (true) {
            List<Dead> dead = findDead(text, last).stream()
                    .takeWhile(one -> !one.finishedAt().isAfter(until))
                    .toList();
            if (dead.isEmpty()) {
                return revived;
            }
            revived += reviveSome(dead);
            last = dead.get(dead.size() - 1);
        }
    }

    private List<Dead> findDead(Optional<String> text, Dead after) {
        return database.once(
                "The dead messages of " + name + " could not be read; none were revived.",
                session -> session.sql("inbox.find-dead")
                        .set("inbox", name.id())
                        .set("text", text)
                        .set("after_us", after.finishedAt())
                        .set("after_id", after.id())
                        .set("limit", REVIVED_AT_ONCE)
                        .list(row -> new Dead(
                                row.longValue("id"), row.instant("finished_at"), row.optionalLong("lane_id"))));
    }

    private int reviveSome(List<Dead> dead) {
        String ifItFails = "Not all dead messages of " + name + " were revived; do it again for the rest.";
        return database.transaction(ifItFails, session -> {
            int revived = session.sql("inbox.revive-all")
                    .setAll("ids", dead.stream().map(Dead::id).toList())
                    .update();
            lanes.lock(
                    session, dead.stream().flatMap(one -> one.lane().stream()).toList());
            for (Dead one : dead) {
                if (one.lane().isPresent() && revive(session, new Found(one.id(), one.lane()))) {
                    revived++;
                }
            }
            return revived;
        });
    }

    private record Found(long id, Optional<Long> lane) {}

    private Optional<Found> find(Session session, String messageId) throws SQLException {
        return session.sql("inbox.find")
                .set("inbox", name.id())
                .set("message_id", messageId)
                .first(row -> new Found(row.longValue("id"), row.optionalLong("lane_id")));
    }

    private void lock(Session session, Found found) throws SQLException {
        if (found.lane().isPresent()) {
            lanes.lock(session, List.of(found.lane().get()));
        }
    }
}
