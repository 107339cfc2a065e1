package dev.turno.task;

import dev.turno.claim.HolderId;
import dev.turno.sql.Columns;
import dev.turno.sql.Database;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Shares tasks out. Every write presents the fences that were read: two at once harm nobody. */
final class AssignTable {

    /** How long after its instant a task waits for the holder in whose share it is; from then on anyone may take it. */
    static final Duration GRACE = Duration.ofSeconds(2);

    /** What is due earlier than this is not shared out any more: it would not be in memory in time. */
    static final Duration MARGIN = Duration.ofSeconds(2);

    static final int CHUNK = 5_000;
    static final int CROWDED = 1_000;

    private record Open(long id, Instant at, long fence) {}

    private record Count(long holder, Instant at, int count) {}

    private record Given(Open task, long holder) {}

    /** What was found, and how many of those could be given: the others changed in between. */
    record Chunk(int found, int given) {}

    private final Database database;

    AssignTable(Database database) {
        this.database = database;
        database.statements().require("task.begin-pass", "task.end-pass", "task.last-pass", "task.open-ahead");
        database.statements().require("task.share-counts", "task.crowded", "task.share-some", "task.assign");
    }

    /** False if another holder is sharing this type out now. Call it again before each step, to go on. */
    boolean begin(TypeName type, HolderId holder) {
        return database.once(
                        "Tasks of " + type + " were not shared out; it is tried again.",
                        session -> session.sql("task.begin-pass")
                                .set("type", type.id())
                                .set("holder", holder.value())
                                .update())
                == 1;
    }

    void end(TypeName type, HolderId holder, int count, Duration took, long runners) {
        database.once(
                "Tasks of " + type + " were shared out, but that was not noted; it does no harm.",
                session -> session.sql("task.end-pass")
                        .set("type", type.id())
                        .set("holder", holder.value())
                        .set("count", count)
                        .set("took_us", took)
                        .set("runners", runners)
                        .update());
    }

    /** The number that the last pass gave to {@link #end}. */
    long lastRunners(TypeName type) {
        return database.once(
                "How tasks of " + type + " were shared out last could not be read; it is tried again.",
                session -> session.sql("task.last-pass")
                        .set("type", type.id())
                        .first(row -> row.longValue("runners"))
                        .orElse(0L));
    }

    boolean isAnythingOpen(TypeName type, Duration window) {
        return !database.once(
                        "Tasks of " + type + " were not shared out; it is tried again.",
                        session -> openAhead(session, type, window, 1))
                .isEmpty();
    }

    private static List<Open> openAhead(Session session, TypeName type, Duration window, int limit)
            throws SQLException {
        return session.sql("task.open-ahead")
                .set("type", type.id())
                .set("margin_us", MARGIN)
                .set("window_us", window)
                .set("limit", limit)
                .list(row -> new Open(row.longValue("id"), row.instant("task_at"), row.longValue("fence")));
    }

    /** Deals the next chunk out. */
    Chunk assignChunk(TypeName type, Duration window, Dealer dealer) {
        return database.transaction("Tasks of " + type + " were not shared out; it is tried again.", session -> {
            List<Open> open = openAhead(session, type, window, CHUNK);
            return new Chunk(open.size(), open.isEmpty() ? 0 : give(session, type, deal(session, type, open, dealer)));
        });
    }

    private static List<Given> deal(Session session, TypeName type, List<Open> open, Dealer dealer)
            throws SQLException {
        Instant first = open.get(0).at();
        Instant last = open.get(open.size() - 1).at();
        boolean known = dealer.isAt(first) && first.equals(last);
        List<Count> counts = known ? List.of() : counts(session, type, dealer.runners(), first, last);
        List<Given> given = new ArrayList<>(open.size());
        for (Open task : open) {
            if (!dealer.isAt(task.at())) {
                dealer.turnTo(task.at(), at(task.at(), counts));
            }
            given.add(new Given(task, dealer.deal()));
        }
        return given;
    }

    private static List<Count> counts(
            Session session, TypeName type, Collection<Long> runners, Instant first, Instant last) throws SQLException {
        return session.sql("task.share-counts")
                .set("type", type.id())
                .setAll("holders", runners)
                .set("from_us", first)
                .set("to_us", last)
                .list(row -> new Count(row.longValue("assigned_to"), row.instant("task_at"), row.intValue("n")));
    }

    private static Map<Long, Integer> at(Instant instant, List<Count> counts) {
        Map<Long, Integer> at = new HashMap<>();
        for (Count count : counts) {
            if (count.at().equals(instant)) {
                at.put(count.holder(), count.count());
            }
        }
        return at;
    }

    private static int give(Session session, TypeName type, List<Given> given) throws SQLException {
        return session.sql("task.assign")
                .set("type", type.id())
                .set("grace_us", GRACE)
                .setRows(Columns.of("v", given)
                        .longs("id", one -> one.task().id())
                        .longs("holder", Given::holder)
                        .longs("fence", one -> one.task().fence()))
                .update();
    }

    /** Instants after {@code after} at which shares may be uneven, the earliest first, {@link #CROWDED} at most. */
    List<Instant> crowded(TypeName type, Duration window, Instant after) {
        return database.once(
                "Shares of " + type + " were not evened out; it is tried again.",
                session -> session.sql("task.crowded")
                        .set("type", type.id())
                        .set("margin_us", MARGIN)
                        .set("window_us", window)
                        .set("after_us", after)
                        .set("limit", CROWDED)
                        .list(row -> row.instant("task_at")));
    }

    /** Moves what somebody has too many at this instant to those who have too few; answers how many, at most a chunk. */
    int evenOut(TypeName type, Instant instant, Dealer dealer) {
        return database.transaction("Shares of " + type + " were not evened out; it is tried again.", session -> {
            Map<Long, Integer> have = at(instant, counts(session, type, dealer.runners(), instant, instant));
            dealer.turnTo(instant, have);
            List<Given> moved = new ArrayList<>();
            for (Map.Entry<Long, Integer> tooMany : dealer.surplus(have).entrySet()) {
                int limit = Math.min(tooMany.getValue(), CHUNK - moved.size());
                List<Open> taken = some(session, type, tooMany.getKey(), instant, limit);
                dealer.takeFrom(tooMany.getKey(), taken.size());
                taken.forEach(task -> moved.add(new Given(task, dealer.deal())));
            }
            return moved.isEmpty() ? 0 : give(session, type, moved);
        });
    }

    private static List<Open> some(Session session, TypeName type, long holder, Instant instant, int limit)
            throws SQLException {
        return session.sql("task.share-some")
                .set("type", type.id())
                .set("from_holder", holder)
                .set("at_us", instant)
                .set("limit", limit)
                .list(row -> new Open(row.longValue("id"), instant, row.longValue("fence")));
    }

    /** Frees the shares of these holders; answers how many tasks. */
    int free(TypeName type, Collection<Long> holders) {
        int freed = 0;
        int now;
        do {
            now = database.changeUnlocked(
                    "Shares of " + type + " were not freed; it is tried again.",
                    "task.free-share",
                    call -> call.set("type", type.id())
                            .setAll("holders", holders)
                            .set("limit", CHUNK));
            freed += now;
        } while (now == CHUNK);
        return freed;
    }
}
