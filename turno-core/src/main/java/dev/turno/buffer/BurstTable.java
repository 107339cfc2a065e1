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
import dev.turno.sql.LockedRows;
import dev.turno.sql.Row;
import dev.turno.sql.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The claims of one buffer, of which each is a burst: take, finish, give back. */
final class BurstTable implements ClaimableRows<Burst> {

    private record Frozen(Claim claim, String key, int attempt, Range range, boolean revived) {}

    private static final int LOCKED_AT_ONCE = 100;
    private static final int FULL_BURSTS = 32;

    private final Database database;
    private final BufferName name;
    private final BufferOptions options;
    private final BurstFinishTable finishes;
    private final MessageTable messages;
    private final Runnable wake;
    private final LockedRows locked;
    private volatile boolean passedOver; // by a take that had others to hand over
    private volatile long waitedFor;
    private volatile boolean takenFrom; // by this process

    BurstTable(Database database, BufferName name, BufferOptions options, Runnable wake) {
        this.database = database;
        this.name = name;
        this.options = options;
        this.finishes = new BurstFinishTable(database, name, wake);
        this.messages = new MessageTable(database);
        this.wake = wake;
        this.locked = new LockedRows(database, "buffer.lock-wait");
        database.statements().require("buffer.stuck", "buffer.until-next");
    }

    /** What is free goes first and at once; what is locked is waited for when nothing was free, or by the take after this one. */
    @Override
    public List<Taken<Burst>> take(HolderId holder, int limit) {
        takenFrom = true;
        String ifItFails = "No bursts could be taken from " + name + "; it is tried again.";
        boolean lockedFirst = passedOver;
        List<Frozen> frozen =
                lockedFirst ? freezeLocked(ifItFails, holder, limit) : freezeFree(ifItFails, holder, limit);
        passedOver = !lockedFirst && !frozen.isEmpty() && frozen.size() < limit;
        if (frozen.isEmpty()) {
            frozen = lockedFirst ? freezeFree(ifItFails, holder, limit) : freezeLocked(ifItFails, holder, limit);
        }
        return load(ifItFails, holder, frozen);
    }

    boolean isTakenFrom() {
        return takenFrom;
    }

    private List<Frozen> freezeFree(String ifItFails, HolderId holder, int limit) {
        return database.dialect().takesInOneStatement()
                ? database.once(ifItFails, session -> freeze(session, holder, limit))
                : database.transaction(ifItFails, session -> freeze(session, holder, limit));
    }

    private List<Frozen> freeze(Session session, HolderId holder, int limit) throws SQLException {
        if (!session.takesInOneStatement()) {
            return findAndFreeze(session, holder, limit);
        }
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
     * A take passes over rows that are locked, and the row of a busy key is locked nearly always, by one who adds or the other. Those
     * that have been due for a moment are waited for in line with them, each in its turn.
     */
    private List<Frozen> freezeLocked(String ifItFails, HolderId holder, int limit) {
        List<Long> due = database
                .once(
                        ifItFails,
                        session -> session.sql("buffer.stuck")
                                .set("buffer", name.id())
                                .set("limit", LOCKED_AT_ONCE)
                                .list(row -> row.longValue("id")))
                .stream()
                .filter(locked::isOpen)
                .toList();
        if (due.isEmpty()) {
            return List.of();
        }
        waitedFor = due.stream().filter(id -> id > waitedFor).min(Long::compare).orElseGet(() -> Collections.min(due));
        return locked.await(ifItFails, waitedFor, session -> freeze(session, holder, limit))
                .orElse(List.of());
    }

    private static Frozen frozen(Row row) throws SQLException {
        long id = row.longValue("id");
        return new Frozen(
                new Claim(id, row.longValue("fence")),
                row.text("buffer_key"),
                row.intValue("attempt"),
                new Range(id, row.longValue("flush_from"), row.longValue("flush_to")),
                row.booleanValue("revived"));
    }

    /**
     * Reads the messages piece by piece, no more than there is memory for: a take has room for {@value #FULL_BURSTS} bursts of the
     * maximum of bytes, and for one burst in any case. The rest goes back, at no attempt's cost.
     */
    private List<Taken<Burst>> load(String ifItFails, HolderId holder, List<Frozen> frozen) {
        long room = FULL_BURSTS * Math.max(options.maxBody(), Math.min(options.maxBytes(), BufferOptions.LONGEST_BODY));
        List<Taken<Burst>> taken = new ArrayList<>(frozen.size());
        int next = 0;
        for (long loaded = 0; next < frozen.size() && loaded < room; ) {
            int end = endOfPiece(frozen, next, room / options.maxBody());
            List<Taken<Burst>> piece = loadPiece(ifItFails, frozen.subList(next, end));
            loaded += piece.stream().mapToLong(one -> one.row().length()).sum();
            taken.addAll(piece);
            next = end;
        }
        giveBack(
                holder,
                frozen.subList(next, frozen.size()).stream().map(Frozen::claim).toList());
        return taken;
    }

    private static int endOfPiece(List<Frozen> frozen, int from, long most) {
        int end = from + 1;
        long messages = frozen.get(from).range().size();
        while (end < frozen.size() && messages + frozen.get(end).range().size() <= most) {
            messages += frozen.get(end).range().size();
            end++;
        }
        return end;
    }

    private List<Taken<Burst>> loadPiece(String ifItFails, List<Frozen> frozen) {
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
                        new Burst(one.key(), found.messages(), found.youngest(), one.revived())));
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
        String ifItFails = claims.size() + " bursts of " + name
                + " could not be given back; they are free when their claim lapses.";
        int given = database.changeUnlocked(ifItFails, "buffer.give-back", call -> ofClaims(call, claims));
        if (given < claims.size()) {
            given += giveBackLocked(ifItFails, claims);
        }
        wake.run();
        return given;
    }

    /** One by one: whoever held one row while waiting for the next might meet somebody who does the opposite. */
    private int giveBackLocked(String ifItFails, Collection<Claim> claims) {
        int given = 0;
        for (Claim claim : claims) {
            Optional<Integer> one = locked.await(
                    ifItFails,
                    claim.id(),
                    session -> session.changeUnlocked("buffer.give-back", call -> ofClaims(call, List.of(claim))));
            if (one.isEmpty()) {
                break; // what is left lapses
            }
            given += one.get();
        }
        return given;
    }

    private Call ofClaims(Call call, Collection<Claim> claims) {
        return call.set("buffer", name.id())
                .setRows(Columns.<Claim>of("v", claims).longs("id", Claim::id).longs("fence", Claim::fence));
    }

    @Override
    public int giveBackUnknown(HolderId holder, Collection<Claim> known) {
        return database.changeUnlocked(
                "Bursts of " + name + " whose taking was not answered could not be given back; it is tried again.",
                "buffer.give-back-unknown",
                call -> ofClaims(call, known).set("holder", holder.value()));
    }

    @Override
    public Optional<Duration> untilNextTurn() {
        return database.once(
                "The next turn in " + name + " could not be read; it is tried again.",
                session -> session.sql("buffer.until-next")
                        .set("buffer", name.id())
                        .first(row -> row.duration("wait_us")));
    }
}
