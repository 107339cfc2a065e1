package dev.turno.buffer;

import dev.turno.claim.Claim;
import dev.turno.claim.ClaimableRows;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.sql.Call;
import dev.turno.sql.Columns;
import dev.turno.sql.Database;
import dev.turno.sql.Row;
import dev.turno.sql.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The claims of one buffer, of which each is a burst: take, finish, give back. */
final class BurstTable implements ClaimableRows<Burst> {

    private record Frozen(Claim claim, String key, int attempt, Range range) {}

    private final Database database;
    private final BufferName name;
    private final BufferOptions options;
    private final BurstFinishTable finishes;
    private final MessageTable messages;
    private final Runnable wake;

    BurstTable(Database database, BufferName name, BufferOptions options, Runnable wake) {
        this.database = database;
        this.name = name;
        this.options = options;
        this.finishes = new BurstFinishTable(database, name, wake);
        this.messages = new MessageTable(database);
        this.wake = wake;
        database.statements().require("buffer.stuck", "buffer.lock-wait", "buffer.until-next", "buffer.give-back");
    }

    @Override
    public List<Taken<Burst>> take(HolderId holder, int limit) {
        String ifItFails = "No bursts could be taken from " + name + "; it is tried again.";
        List<Frozen> frozen = new ArrayList<>(
                database.dialect().takesInOneStatement()
                        ? database.once(ifItFails, session -> freeze(session, holder, limit))
                        : database.transaction(ifItFails, session -> findAndFreeze(session, holder, limit)));
        if (frozen.size() < limit) {
            frozen.addAll(freezeStuck(ifItFails, holder, limit - frozen.size()));
        }
        return frozen.isEmpty() ? List.of() : load(ifItFails, frozen);
    }

    private List<Frozen> freeze(Session session, HolderId holder, int limit) throws SQLException {
        return terms(session.sql("buffer.take"), holder)
                .set("buffer", name.id())
                .set("limit", limit)
                .list(BurstTable::frozen);
    }

    private List<Frozen> findAndFreeze(Session session, HolderId holder, int limit) throws SQLException {
        List<Long> ids = session.sql("buffer.take-find")
                .set("buffer", name.id())
                .set("holder", holder.value())
                .set("limit", limit)
                .list(row -> row.longValue("id"));
        if (ids.isEmpty()) {
            return List.of();
        }
        terms(session.sql("buffer.take-mark"), holder).setAll("ids", ids).update();
        return session.sql("buffer.taken").setAll("ids", ids).list(BurstTable::frozen);
    }

    private Call terms(Call call, HolderId holder) {
        return call.set("holder", holder.value())
                .set("max_run_us", options.work().longestClaim())
                .set("max_count", options.maxCount());
    }

    /**
     * A take passes over rows that are locked, and the row of a busy key is locked nearly always, by one who adds or the other. If
     * one has been due for a moment, its lock is waited for in line with them.
     */
    private List<Frozen> freezeStuck(String ifItFails, HolderId holder, int limit) {
        Optional<Long> stuck = database.once(
                ifItFails,
                session -> session.sql("buffer.stuck").set("buffer", name.id()).first(row -> row.longValue("id")));
        if (stuck.isEmpty()) {
            return List.of();
        }
        return database.transaction(ifItFails, session -> {
            if (!lock(session, stuck.get())) {
                return List.of();
            }
            return session.takesInOneStatement()
                    ? freeze(session, holder, limit)
                    : findAndFreeze(session, holder, limit);
        });
    }

    private boolean lock(Session session, long row) throws SQLException {
        try {
            return session.sql("buffer.lock-wait")
                    .set("row", row)
                    .first(found -> found.longValue("id"))
                    .isPresent();
        } catch (SQLException e) {
            if (database.dialect().isLocked(e)) {
                return false;
            }
            throw e;
        }
    }

    private static Frozen frozen(Row row) throws SQLException {
        long id = row.longValue("id");
        return new Frozen(
                new Claim(id, row.longValue("fence")),
                row.text("buffer_key"),
                row.intValue("attempt"),
                new Range(id, row.longValue("flush_from"), row.longValue("flush_to")));
    }

    private List<Taken<Burst>> load(String ifItFails, List<Frozen> frozen) {
        Map<Long, MessageTable.Loaded> loaded =
                messages.load(ifItFails, frozen.stream().map(Frozen::range).toList());
        List<Taken<Burst>> taken = new ArrayList<>(frozen.size());
        for (Frozen one : frozen) {
            MessageTable.Loaded found = loaded.getOrDefault(one.claim().id(), MessageTable.Loaded.NOTHING);
            // Fewer messages than were frozen: this process stood still, and somebody else handed them over meanwhile.
            if (found.messages().size() == one.range().size()) {
                taken.add(new Taken<>(
                        one.claim(),
                        one.attempt(),
                        one.range().handedOverAs(name, one.key()),
                        new Burst(one.key(), found.messages(), found.youngest())));
            }
        }
        return taken;
    }

    @Override
    public List<Finish> finish(HolderId holder, List<? extends Verdict> verdicts) {
        return finishes.finish(holder, verdicts);
    }

    @Override
    public Finish finishIn(Connection connection, HolderId holder, Claim claim) throws SQLException {
        return finishes.finishIn(connection, holder, claim);
    }

    @Override
    public int giveBack(HolderId holder, Collection<Claim> claims) {
        if (claims.isEmpty()) {
            return 0;
        }
        int given = database.once(
                claims.size() + " bursts of " + name
                        + " could not be given back; they are free when the lease has passed.",
                session -> session.sql("buffer.give-back")
                        .set("buffer", name.id())
                        .setRows(Columns.<Claim>of("v", claims)
                                .longs("id", Claim::id)
                                .longs("fence", Claim::fence))
                        .update());
        wake.run();
        return given;
    }

    @Override
    public int giveBackUnknown(HolderId holder, Collection<Claim> known) {
        return database.changeUnlocked(
                "Bursts of " + name + " whose taking was not answered could not be given back; it is tried again.",
                "buffer.give-back-unknown",
                call -> call.set("buffer", name.id())
                        .set("holder", holder.value())
                        .setAll("known", known.stream().map(Claim::id).toList()));
    }

    @Override
    public Optional<Duration> untilNextTurn() {
        return database.once(
                        "The next turn in " + name + " could not be read; it is tried again.",
                        session -> session.sql("buffer.until-next")
                                .set("buffer", name.id())
                                .first(row -> row.longValue("wait_us")))
                .map(micros -> Duration.ofNanos(Math.max(0, micros) * 1_000));
    }
}
