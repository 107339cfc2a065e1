package dev.turno.inbox;

import dev.turno.lane.LaneTurns;
import dev.turno.lane.Lanes;
import dev.turno.sql.Call;
import dev.turno.sql.Columns;
import dev.turno.sql.Database;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Stores messages once. */
final class PutTable {

    private record Existing(String id, InboxState state, String body) {}

    private record Placed(
            NewMessage message,
            @Nullable Long lane,
            @Nullable Long seq) {}

    private static final int TRIES = 3;

    private final Database database;
    private final long inbox;
    private final LaneTurns lanes;

    PutTable(Database database, long inbox, LaneTurns lanes) {
        this.database = database;
        this.inbox = inbox;
        this.lanes = lanes;
        database.statements()
                .require("inbox.put", "inbox.put-in-lane", "inbox.put-all", "inbox.put-all-now", "inbox.same");
    }

    PutOutcome put(NewMessage message) {
        return message.orderingKey().isPresent()
                ? database.transaction(ifItFails(message), session -> put(session, message))
                : database.once(ifItFails(message), session -> put(session, message));
    }

    static String ifItFails(NewMessage message) {
        return "Message '" + message.id()
                + "' may not have been stored. Put it again with the same id: it is never stored twice.";
    }

    PutOutcome put(Session session, NewMessage message) throws SQLException {
        requireTransaction(session, message);
        // More than one round only if the message that stood in the way was finished and deleted meanwhile.
        for (int tries = 0; tries < TRIES; tries++) {
            if (insert(session, message)) {
                return new PutOutcome.Stored();
            }
            Existing existing = same(session, List.of(message.id())).get(message.id());
            if (existing != null) {
                return compare(message, existing);
            }
        }
        throw new SQLException(
                "Message '" + message.id() + "' was neither stored nor found under its id; put it again.");
    }

    void requireTransaction(Session session, List<NewMessage> messages) throws SQLException {
        for (NewMessage message : messages) {
            requireTransaction(session, message);
        }
    }

    /** The place of one with an ordering key is drawn, it is stored, and it is given the turn: all of it or nothing. */
    private static void requireTransaction(Session session, NewMessage message) throws SQLException {
        if (message.orderingKey().isPresent()) {
            session.requireTransaction("Message '" + message.id() + "', which has an ordering key, cannot be put");
        }
    }

    private boolean insert(Session session, NewMessage message) throws SQLException {
        return message.orderingKey().isPresent()
                ? insertInLane(session, message, message.orderingKey().get())
                : one(session, "inbox.put", message).insertUnlessThere();
    }

    private boolean insertInLane(Session session, NewMessage message, String key) throws SQLException {
        Lanes.Place place = lanes.draw(session, key, 1);
        Optional<Long> row = one(session, "inbox.put-in-lane", message)
                .set("lane", place.lane())
                .set("lane_seq", place.firstSeq())
                .firstUnlessThere(stored -> stored.longValue("id"));
        if (row.isPresent()) {
            giveTurns(session, Map.of(place.lane(), row.get()));
        }
        return row.isPresent();
    }

    private Call one(Session session, String statement, NewMessage message) {
        return session.sql(statement)
                .set("inbox", inbox)
                .set("message_id", message.id())
                .set("class", 9 - message.priority())
                .set("at_us", message.turnAt())
                .set("delay_us", message.delay())
                .set("trace", message.trace())
                .set("body", message.body());
    }

    /**
     * In lanes where nobody has the turn the first that came now has it: nobody else waits there. To look who is the first, as others
     * do, would lock on MariaDB what lies beside it in the index, and keep everybody waiting until the caller commits.
     */
    private void giveTurns(Session session, Map<Long, Long> firstByLane) throws SQLException {
        Set<Long> idle = Set.copyOf(lanes.idle(session, firstByLane.keySet()));
        for (Map.Entry<Long, Long> first : firstByLane.entrySet()) {
            if (idle.contains(first.getKey()) && !lanes.giveTurn(session, first.getKey(), first.getValue())) {
                throw new SQLException("Row " + first.getValue() + " was stored in lane " + first.getKey()
                        + " and could not be given its turn there. Roll the transaction back and put it again.");
            }
        }
    }

    private static PutOutcome compare(NewMessage message, Existing existing) {
        if (existing.body().equals(message.body())) {
            return new PutOutcome.Duplicate(existing.state());
        }
        return new PutOutcome.Refused("Message '" + message.id() + "' stands in the inbox with another body (state "
                + existing.state()
                + "). It was not touched and the new body was not stored. Two different messages need"
                + " two ids.");
    }

    /** All that were not there in one transaction; answers in the order given. */
    List<PutOutcome> putAll(List<NewMessage> messages) {
        String ifItFails = "The batch of " + messages.size()
                + " messages may not have been stored. Put it again with the" + " same ids: none is ever stored twice.";
        return canBeginAtOnce(messages)
                ? database.once(ifItFails, session -> putAll(session, messages, this::insertNew))
                : database.transaction(ifItFails, session -> putAll(session, messages));
    }

    private static boolean canBeginAtOnce(List<NewMessage> messages) {
        return messages.stream().allMatch(NewMessage::canBeginAtOnce);
    }

    List<PutOutcome> putAll(Session session, List<NewMessage> messages) throws SQLException {
        return putAll(session, messages, this::insertAll);
    }

    /** Answers the ids of those that were stored. */
    @FunctionalInterface
    private interface Insert {
        List<String> all(Session session, List<NewMessage> messages) throws SQLException;
    }

    private List<PutOutcome> putAll(Session session, List<NewMessage> messages, Insert insert) throws SQLException {
        Map<String, NewMessage> first = new LinkedHashMap<>();
        messages.forEach(message -> first.putIfAbsent(message.id(), message));
        List<String> inserted = insert.all(session, new ArrayList<>(first.values()));
        if (inserted.size() == messages.size()) {
            return Collections.nCopies(messages.size(), new PutOutcome.Stored());
        }
        Set<String> stored = new HashSet<>(inserted);
        Map<String, Existing> existing = new HashMap<>();
        first.values().stream()
                .filter(message -> stored.contains(message.id()))
                .forEach(message ->
                        existing.put(message.id(), new Existing(message.id(), InboxState.PENDING, message.body())));
        existing.putAll(same(
                session,
                first.keySet().stream().filter(id -> !stored.contains(id)).toList()));
        List<PutOutcome> outcomes = new ArrayList<>(messages.size());
        for (NewMessage message : messages) {
            outcomes.add(outcome(session, message, stored, existing));
        }
        return outcomes;
    }

    /** The first of several with one id takes the place; the others are compared with it. */
    private PutOutcome outcome(Session session, NewMessage message, Set<String> stored, Map<String, Existing> existing)
            throws SQLException {
        if (stored.remove(message.id())) {
            return new PutOutcome.Stored();
        }
        Existing there = existing.get(message.id());
        return there == null ? put(session, message) : compare(message, there);
    }

    private List<String> insertAll(Session session, List<NewMessage> messages) throws SQLException {
        return canBeginAtOnce(messages) ? insertNow(session, messages) : insertInPlaces(session, messages);
    }

    /** Only where a refused statement leaves no broken transaction behind. */
    private List<String> insertNew(Session session, List<NewMessage> messages) throws SQLException {
        if (!database.dialect().takesInOneStatement()) {
            return insertNow(session, messages);
        }
        try {
            return ids(call(session, "inbox.put-all-new", messages));
        } catch (SQLException e) {
            if (!database.dialect().isDuplicate(e)) {
                throw e;
            }
            return insertNow(session, messages); // somebody has put one of them at the same moment
        }
    }

    private List<String> insertNow(Session session, List<NewMessage> messages) throws SQLException {
        return ids(call(session, "inbox.put-all-now", messages));
    }

    private Call call(Session session, String statement, List<NewMessage> messages) {
        Columns<NewMessage> rows = Columns.<NewMessage>of("m", messages)
                .texts("id", NewMessage::id)
                .longs("class", message -> 9L - message.priority())
                .texts("body", NewMessage::body)
                .texts("trace", message -> message.trace().orElse(null));
        return session.sql(statement).set("inbox", inbox).setRows(rows);
    }

    private static List<String> ids(Call call) throws SQLException {
        return call.list(row -> row.text("message_id"));
    }

    private static Map<Long, Long> firstByLane(List<Placed> placed, Map<String, Long> rows) {
        Map<Long, Long> first = new TreeMap<>();
        for (Placed one : placed) {
            Long row = rows.get(one.message().id());
            if (one.lane() != null && row != null) {
                first.putIfAbsent(one.lane(), row);
            }
        }
        return first;
    }

    private List<String> insertInPlaces(Session session, List<NewMessage> messages) throws SQLException {
        List<Placed> placed = place(session, messages);
        Columns<Placed> rows = Columns.of("m", placed);
        rows.texts("id", one -> one.message().id())
                .longs("class", one -> 9L - one.message().priority())
                .longs(
                        "at_us",
                        one -> one.message().turnAt().map(Database::micros).orElse(null))
                .longs("delay_us", one -> Database.micros(one.message().delay()))
                .longs("lane", Placed::lane)
                .longs("lane_seq", Placed::seq)
                .texts("body", one -> one.message().body())
                .texts("trace", one -> one.message().trace().orElse(null));
        Map<String, Long> stored = new HashMap<>();
        session.sql("inbox.put-all")
                .set("inbox", inbox)
                .setRows(rows)
                .list(row -> stored.put(row.text("message_id"), row.longValue("id")));
        Map<Long, Long> firstByLane = firstByLane(placed, stored);
        if (!firstByLane.isEmpty()) {
            giveTurns(session, firstByLane);
        }
        return List.copyOf(stored.keySet());
    }

    /** Draws each ordering key once for all its messages, the keys in one order: two batches cannot wait for each other. */
    private List<Placed> place(Session session, List<NewMessage> messages) throws SQLException {
        Map<String, Integer> counts = new TreeMap<>();
        messages.forEach(message -> message.orderingKey().ifPresent(key -> counts.merge(key, 1, Integer::sum)));
        Map<String, Long> lanesByKey = new HashMap<>();
        Map<String, Long> nextSeq = new HashMap<>();
        for (Map.Entry<String, Integer> entry : counts.entrySet()) {
            Lanes.Place place = lanes.draw(session, entry.getKey(), entry.getValue());
            lanesByKey.put(entry.getKey(), place.lane());
            nextSeq.put(entry.getKey(), place.firstSeq());
        }
        List<Placed> placed = new ArrayList<>(messages.size());
        for (NewMessage message : messages) {
            placed.add(message.orderingKey()
                    .map(key -> new Placed(message, lanesByKey.get(key), nextSeq.merge(key, 1L, Long::sum) - 1))
                    .orElseGet(() -> new Placed(message, null, null)));
        }
        return placed;
    }

    private Map<String, Existing> same(Session session, List<String> ids) throws SQLException {
        Map<String, Existing> existing = new HashMap<>();
        session.sql("inbox.same")
                .set("inbox", inbox)
                .setAllTexts("ids", ids)
                .list(row ->
                        new Existing(row.text("message_id"), InboxState.valueOf(row.text("state")), row.text("body")))
                .forEach(one -> existing.put(one.id(), one));
        return existing;
    }
}
