package dev.turno.inbox;

import dev.turno.claim.Claim;
import dev.turno.claim.ClaimableRows;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.lane.Slots;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The claims of one inbox: take, finish, give back. */
final class InboxTable implements ClaimableRows<Message> {

    private record Found(long id, InboxState state, long fence, Optional<Long> holder, Optional<Long> lane) {}

    /** Verdicts that one statement can write: of one kind, and if they are done of one fence. */
    private record Group(Class<?> kind, long fence) {
        static Group of(Verdict verdict) {
            return new Group(
                    verdict.getClass(),
                    verdict instanceof Verdict.Done ? verdict.claim().fence() : 0);
        }
    }

    private final Database database;
    private final InboxName name;
    private final InboxOptions options;
    private final InboxLanes lanes;
    private final Slots slots;
    private final Runnable wake;

    InboxTable(Database database, InboxName name, InboxOptions options, InboxLanes lanes, Slots slots, Runnable wake) {
        this.database = database;
        this.name = name;
        this.options = options;
        this.lanes = lanes;
        this.slots = slots;
        this.wake = wake;
        database.statements().require("inbox.done", "inbox.again", "inbox.dead", "inbox.settle-lock");
        database.statements().require("inbox.outcome", "inbox.give-back", "inbox.free-slots", "inbox.still-free-slots");
    }

    @Override
    public List<Taken<Message>> take(HolderId holder, int limit) {
        String ifItFails = "No messages could be taken from " + name + "; it is tried again.";
        if (options.concurrency().isPresent()) {
            return inOrder(database.transaction(ifItFails, session -> takeIntoSlots(session, holder, limit)));
        }
        return inOrder(
                database.dialect().takesInOneStatement()
                        ? database.once(ifItFails, session -> take(session, holder, limit))
                        : database.transaction(ifItFails, session -> take(session, holder, limit)));
    }

    private List<Taken<Message>> takeIntoSlots(Session session, HolderId holder, int limit) throws SQLException {
        List<Long> free = session.sql("inbox.free-slots")
                .set("inbox", name.id())
                .set("limit", limit)
                .list(row -> row.longValue("slot"));
        List<Long> stillFree = free.isEmpty()
                ? free
                : session.sql("inbox.still-free-slots")
                        .set("inbox", name.id())
                        .setAll("slots", free)
                        .list(row -> row.longValue("slot"));
        if (stillFree.isEmpty()) {
            return List.of();
        }
        List<Taken<Message>> taken = take(session, holder, stillFree.size());
        if (!taken.isEmpty()) {
            slots.hold(session, stillFree, taken.stream().map(Taken::claim).toList());
        }
        return taken;
    }

    private List<Taken<Message>> take(Session session, HolderId holder, int limit) throws SQLException {
        return database.dialect().takesInOneStatement()
                ? session.sql("inbox.take")
                        .set("inbox", name.id())
                        .set("holder", holder.value())
                        .set("max_run_us", options.work().maxRun())
                        .set("limit", limit)
                        .list(this::taken)
                : findAndMark(session, holder, limit);
    }

    private List<Taken<Message>> findAndMark(Session session, HolderId holder, int limit) throws SQLException {
        List<Taken<Message>> found = new ArrayList<>();
        for (int priorityClass : dueClasses(session, holder)) {
            found.addAll(session.sql("inbox.take-find")
                    .set("inbox", name.id())
                    .set("class", priorityClass)
                    .set("limit", limit - found.size())
                    .list(this::taken));
            if (found.size() == limit) {
                break;
            }
        }
        if (!found.isEmpty()) {
            session.sql("inbox.take-mark")
                    .set("holder", holder.value())
                    .set("max_run_us", options.work().maxRun())
                    .setAll("ids", found.stream().map(one -> one.claim().id()).toList())
                    .update();
        }
        return found;
    }

    private List<Integer> dueClasses(Session session, HolderId holder) throws SQLException {
        return session.sql("inbox.take-classes")
                .set("inbox", name.id())
                .set("holder", holder.value())
                .list(row -> row.intValue("class"));
    }

    private Taken<Message> taken(Row row) throws SQLException {
        long id = row.longValue("id");
        String messageId = row.text("message_id");
        Message message = new Message(
                messageId,
                row.text("body"),
                9 - row.intValue("class"),
                row.optionalText("lane"),
                row.instant("put_at"));
        Claim claim = new Claim(id, row.longValue("fence"));
        return new Taken<>(claim, row.intValue("attempt"), name + "/" + messageId + "#" + id, message);
    }

    @Override
    public List<Finish> finish(HolderId holder, List<? extends Verdict> verdicts) {
        String ifItFails = verdicts.size() + " verdicts on messages of " + name + " may not have been written. They are"
                + " tried again; writing one twice is harmless.";
        Map<Group, List<Verdict>> groups = new LinkedHashMap<>();
        verdicts.forEach(verdict -> groups.computeIfAbsent(Group.of(verdict), key -> new ArrayList<>())
                .add(verdict));
        Map<Claim, Finish> finishes = new HashMap<>();
        groups.values().forEach(group -> finishes.putAll(finishGroup(ifItFails, holder, group)));
        if (options.concurrency().isPresent()) {
            wake.run(); // somebody may wait for the slots
        }
        List<Finish> inOrder = new ArrayList<>(verdicts.size());
        verdicts.forEach(verdict -> inOrder.add(finishes.getOrDefault(verdict.claim(), new Finish.Unknown())));
        return inOrder;
    }

    /** Verdicts of one group. Nearly always all are kept, which the count alone tells. */
    private Map<Claim, Finish> finishGroup(String ifItFails, HolderId holder, List<Verdict> group) {
        Map<Claim, Finish> finishes = new HashMap<>();
        List<Verdict> missing = writeGroup(ifItFails, group);
        group.forEach(verdict -> finishes.put(verdict.claim(), new Finish.Kept()));
        if (!missing.isEmpty()) {
            Map<Long, Found> found = database.once(ifItFails, session -> look(session, missing));
            List<Verdict> inLanes = missing.stream()
                    .filter(verdict -> isMineInLane(verdict, found))
                    .toList();
            Map<Long, Found> after = inLanes.isEmpty()
                    ? found
                    : database.transaction(ifItFails, session -> {
                        writeInLanes(session, inLanes, found);
                        return look(session, missing);
                    });
            if (!inLanes.isEmpty()) {
                wake.run();
            }
            missing.forEach(
                    verdict -> finishes.put(verdict.claim(), judge(holder, verdict, after, inLanes.contains(verdict))));
        }
        return finishes;
    }

    private List<Verdict> writeGroup(String ifItFails, List<Verdict> group) {
        if (group.get(0) instanceof Verdict.Settle) {
            return database.transaction(ifItFails, session -> settle(session, group));
        }
        boolean deletes = group.get(0) instanceof Verdict.Done && options.keep().isEmpty();
        return deletes && !database.dialect().takesInOneStatement()
                ? database.transaction(ifItFails, session -> write(session, group, false))
                : database.once(ifItFails, session -> write(session, group, false));
    }

    private static boolean isMineInLane(Verdict verdict, Map<Long, Found> found) {
        Found row = found.get(verdict.claim().id());
        return row != null
                && row.state() == InboxState.DOING
                && row.fence() == verdict.claim().fence()
                && row.lane().isPresent()
                && (verdict instanceof Verdict.Done || verdict instanceof Verdict.Dead);
    }

    /** Writes; answers those whose fate has to be looked up, because not as many rows were changed as verdicts given. */
    private List<Verdict> write(Session session, List<Verdict> group, boolean inLane) throws SQLException {
        Verdict kind = group.get(0);
        if (kind instanceof Verdict.Done && options.keep().isEmpty()) {
            Set<Long> gone = new HashSet<>(delete(session, group, inLane));
            return group.stream()
                    .filter(verdict -> !gone.contains(verdict.claim().id()))
                    .toList();
        }
        int written = kind instanceof Verdict.Done
                ? ofOneFence(session.sql("inbox.done"), claims(group))
                        .set("in_lane", inLane)
                        .update()
                : session.sql(kind instanceof Verdict.Dead ? "inbox.dead" : "inbox.again")
                        .set("in_lane", inLane)
                        .setRows(columns(group))
                        .update();
        return written == group.size() ? List.of() : group;
    }

    private static List<Claim> claims(List<? extends Verdict> verdicts) {
        return verdicts.stream().map(Verdict::claim).toList();
    }

    private static Call ofOneFence(Call call, List<Claim> claims) {
        return call.setAll("ids", claims.stream().map(Claim::id).toList())
                .set("fence", claims.get(0).fence());
    }

    private static List<Long> delete(Session session, List<Verdict> group, boolean inLane) throws SQLException {
        String statement = session.takesInOneStatement() ? "inbox.done-gone" : "inbox.done-gone-find";
        List<Long> gone = ofOneFence(session.sql(statement), claims(group))
                .set("in_lane", inLane)
                .list(row -> row.longValue("id"));
        if (!session.takesInOneStatement() && !gone.isEmpty()) {
            session.sql("inbox.done-gone-mark").setAll("ids", gone).update();
        }
        return gone;
    }

    /** What the handler's own transaction did not finish, and does not hold any more, gets its turn again. */
    private List<Verdict> settle(Session session, List<Verdict> group) throws SQLException {
        Set<Long> undone = new HashSet<>(session.sql("inbox.settle-lock")
                .setAll(
                        "ids",
                        group.stream().map(verdict -> verdict.claim().id()).toList())
                .list(row -> row.longValue("id")));
        List<Verdict> again = group.stream()
                .filter(verdict -> undone.contains(verdict.claim().id()))
                .toList();
        if (!again.isEmpty()) {
            session.sql("inbox.again").setRows(columns(again)).update();
        }
        return group;
    }

    private static Columns<Verdict> columns(List<Verdict> verdicts) {
        return Columns.<Verdict>of("v", verdicts)
                .longs("id", verdict -> verdict.claim().id())
                .longs("fence", verdict -> verdict.claim().fence())
                .longs("in_us", verdict -> Database.micros(waitOf(verdict)))
                .texts("error", InboxTable::errorOf);
    }

    private static Duration waitOf(Verdict verdict) {
        return verdict instanceof Verdict.Again again
                ? again.in()
                : verdict instanceof Verdict.Settle settle ? settle.in() : Duration.ZERO;
    }

    private static String errorOf(Verdict verdict) {
        return verdict instanceof Verdict.Again again
                ? again.error()
                : verdict instanceof Verdict.Dead dead
                        ? dead.error()
                        : verdict instanceof Verdict.Settle settle ? settle.error() : "";
    }

    /** Under the lanes' locks: finishes the rows and gives the turn to those behind them. */
    private void writeInLanes(Session session, List<Verdict> group, Map<Long, Found> found) throws SQLException {
        List<Long> laneIds =
                group.stream().map(verdict -> laneOf(verdict, found)).distinct().toList();
        lanes.lock(session, laneIds);
        write(session, group, true);
        if (group.get(0) instanceof Verdict.Done || !options.deadBlocksItsKey()) {
            freeHeads(session, group, found);
            lanes.promote(session, laneIds);
        }
    }

    /** Only rows that are really over leave their lanes; one whose claim was lost stays where it is. */
    private void freeHeads(Session session, List<Verdict> group, Map<Long, Found> before) throws SQLException {
        Map<Long, Found> now = look(session, group);
        for (Verdict verdict : group) {
            long id = verdict.claim().id();
            Found row = now.get(id);
            if (row == null || row.state() == InboxState.DONE || row.state() == InboxState.DEAD) {
                lanes.freeHead(session, laneOf(verdict, before), id);
            }
        }
    }

    private static long laneOf(Verdict verdict, Map<Long, Found> found) {
        return Optional.ofNullable(found.get(verdict.claim().id()))
                .flatMap(Found::lane)
                .orElseThrow();
    }

    private Map<Long, Found> look(Session session, List<? extends Verdict> verdicts) throws SQLException {
        Map<Long, Found> found = new HashMap<>();
        session.sql("inbox.outcome")
                .setAll(
                        "ids",
                        verdicts.stream().map(verdict -> verdict.claim().id()).toList())
                .list(row -> new Found(
                        row.longValue("id"),
                        InboxState.valueOf(row.text("state")),
                        row.longValue("fence"),
                        row.optionalLong("holder"),
                        row.optionalLong("lane_id")))
                .forEach(one -> found.put(one.id(), one));
        return found;
    }

    private Finish judge(HolderId holder, Verdict verdict, Map<Long, Found> found, boolean wasMine) {
        Found row = found.get(verdict.claim().id());
        if (row == null) {
            return wasMine || verdict instanceof Verdict.Settle ? new Finish.Kept() : new Finish.Unknown();
        }
        if (row.fence() != verdict.claim().fence()) {
            return new Finish.Lost("It was taken over (fence " + row.fence() + ") and is " + row.state() + " now.");
        }
        boolean mine = row.holder().filter(id -> id == holder.value()).isPresent();
        return switch (row.state()) {
            case DONE -> new Finish.Kept();
            case DEAD -> verdict instanceof Verdict.Dead ? new Finish.Kept() : lost(row);
            case PENDING ->
                mine && verdict instanceof Verdict.Again
                        ? new Finish.Kept()
                        : mine && verdict instanceof Verdict.Settle ? new Finish.Undone() : lost(row);
            case DOING -> verdict instanceof Verdict.Settle ? new Finish.Open() : lost(row);
            case CANCELLED -> lost(row);
        };
    }

    private static Finish lost(Found row) {
        return new Finish.Lost("It was freed by others and is " + row.state() + " now.");
    }

    @Override
    public Finish finishIn(Connection connection, HolderId holder, Claim claim) throws SQLException {
        Session session = database.on(connection);
        List<Verdict> verdict = List.of(new Verdict.Done(claim));
        if (write(session, verdict, false).isEmpty()) {
            return new Finish.Kept();
        }
        Map<Long, Found> found = look(session, verdict);
        if (!isMineInLane(verdict.get(0), found)) {
            return judge(holder, verdict.get(0), found, false);
        }
        writeInLanes(session, verdict, found);
        wake.run();
        return judge(holder, verdict.get(0), look(session, verdict), true);
    }

    @Override
    public int giveBack(HolderId holder, Collection<Claim> claims) {
        if (claims.isEmpty()) {
            return 0;
        }
        Map<Long, List<Claim>> byFence = claims.stream().collect(Collectors.groupingBy(Claim::fence));
        int given = 0;
        for (List<Claim> group : byFence.values()) {
            given += database.once(
                    group.size() + " messages of " + name
                            + " could not be given back; they are free when the lease has passed.",
                    session -> ofOneFence(session.sql("inbox.give-back"), group).update());
        }
        wake.run();
        return given;
    }

    @Override
    public int giveBackUnknown(HolderId holder, Collection<Claim> known) {
        return database.changeUnlocked(
                "Messages of " + name + " whose taking was not answered could not be given back; it is tried again.",
                "inbox.give-back-unknown",
                call -> call.set("inbox", name.id())
                        .set("holder", holder.value())
                        .setAll("known", known.stream().map(Claim::id).toList()));
    }

    @Override
    public Optional<Duration> untilNextTurn() {
        return database.once(
                        "The next turn in " + name + " could not be read; it is tried again.",
                        session -> session.sql("inbox.until-next")
                                .set("inbox", name.id())
                                .first(row -> row.optionalLong("wait_us")))
                .flatMap(wait -> wait)
                .map(micros -> Duration.ofNanos(Math.max(0, micros) * 1_000));
    }

    /** An update returns its rows in no particular order. */
    private static List<Taken<Message>> inOrder(List<Taken<Message>> taken) {
        List<Taken<Message>> sorted = new ArrayList<>(taken);
        sorted.sort(Comparator.comparingInt((Taken<Message> one) -> -one.row().priority())
                .thenComparingLong(one -> one.claim().id()));
        return sorted;
    }
}
