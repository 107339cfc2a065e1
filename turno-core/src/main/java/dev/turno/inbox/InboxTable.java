package dev.turno.inbox;

import dev.turno.claim.Claim;
import dev.turno.claim.ClaimableRows;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.lane.Finishes;
import dev.turno.lane.LaneTurns;
import dev.turno.lane.Slots;
import dev.turno.lane.Wake;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The claims of one inbox: take, finish, give back. */
final class InboxTable implements ClaimableRows<Message> {

    private final Database database;
    private final InboxName name;
    private final InboxOptions options;
    private final Finishes finishes;
    private final SettingTable settings;
    private final Slots slots;
    private final Floors floors;
    private final Wake wake;

    /** Whether the cluster has a limit for this inbox. The table knows; this process learns it when it finds nothing. */
    private volatile boolean limited;

    private volatile boolean takenFrom; // by this process

    InboxTable(
            Database database,
            InboxName name,
            InboxOptions options,
            SettingTable settings,
            LaneTurns lanes,
            Slots slots,
            Wake wake) {
        this.database = database;
        this.name = name;
        this.options = options;
        this.finishes = new Finishes(database, rules(name, options), lanes, this::isLimited, wake);
        this.settings = settings;
        this.slots = slots;
        this.limited = options.concurrency().isPresent();
        this.floors = new Floors(database.time());
        this.wake = wake;
        database.statements().require("inbox.give-back", "inbox.claims");
    }

    private static Finishes.Rules rules(InboxName name, InboxOptions options) {
        return new Finishes.Rules(
                "inbox", "inbox", name.id(), name.toString(), options.keep().isEmpty(), options.deadBlocksItsKey());
    }

    @Override
    public List<Taken<Message>> take(HolderId holder, int limit) {
        takenFrom = true;
        boolean intoSlots = limited;
        List<Taken<Message>> taken = take(holder, limit, intoSlots);
        if (taken.isEmpty() && isOtherwise(intoSlots)) {
            taken = take(holder, limit, !intoSlots);
        }
        return inOrder(taken);
    }

    /** A limit that was set or lifted is learnt by finding nothing, so that nobody asks for it while there is work to be had. */
    private boolean isOtherwise(boolean believed) {
        limited = settings.concurrency(name).isPresent();
        return limited != believed;
    }

    private List<Taken<Message>> take(HolderId holder, int limit, boolean intoSlots) {
        String ifItFails = "No messages could be taken from " + name + "; it is tried again.";
        if (intoSlots) {
            return database.transaction(ifItFails, session -> takeIntoSlots(session, holder, limit));
        }
        return database.dialect().takesInOneStatement()
                ? database.once(ifItFails, session -> take(session, holder, limit, false))
                : database.transaction(ifItFails, session -> take(session, holder, limit, false));
    }

    boolean isTakenFrom() {
        return takenFrom;
    }

    boolean isLimited() {
        return limited;
    }

    /** Stores a message that is in {@code holder}'s hands from the beginning; empty if it has to be put as usual. */
    Optional<Taken<Message>> putTaken(HolderId holder, NewMessage message) {
        if (!database.dialect().takesInOneStatement()) {
            return Optional.empty(); // elsewhere a take costs no more than the question whether it is allowed
        }
        return database.once(
                PutTable.ifItFails(message),
                session -> session.sql("inbox.put-taken")
                        .set("inbox", name.id())
                        .set("message_id", message.id())
                        .set("class", 9 - message.priority())
                        .set("holder", holder.value())
                        .set("max_run_us", options.work().longestClaim())
                        .set("trace", message.trace())
                        .set("body", message.body())
                        .first(row -> born(message, row)));
    }

    private Taken<Message> born(NewMessage message, Row row) throws SQLException {
        long id = row.longValue("id");
        Message stored = new Message(
                message.id(),
                message.body(),
                message.priority(),
                Optional.empty(),
                row.instant("put_at"),
                message.trace());
        return new Taken<>(new Claim(id, 1), 1, key(message.id(), id), stored);
    }

    private String key(String messageId, long id) {
        return name + "/" + messageId + "#" + id;
    }

    private List<Taken<Message>> takeIntoSlots(Session session, HolderId holder, int limit) throws SQLException {
        List<Long> free = slots.lockFree(session, limit);
        if (free.isEmpty()) {
            return List.of();
        }
        List<Taken<Message>> taken = take(session, holder, free.size(), true);
        if (!taken.isEmpty()) {
            slots.hold(session, free, taken.stream().map(Taken::claim).toList());
        }
        return taken;
    }

    private List<Taken<Message>> take(Session session, HolderId holder, int limit, boolean inSlots)
            throws SQLException {
        return database.dialect().takesInOneStatement()
                ? takeAboveTheFloors(session, holder, limit, inSlots)
                : findAndMark(session, holder, limit, inSlots);
    }

    private List<Taken<Message>> takeAboveTheFloors(Session session, HolderId holder, int limit, boolean inSlots)
            throws SQLException {
        Floors.Look look = floors.look();
        List<Taken<Message>> taken = session.sql("inbox.take")
                .set("inbox", name.id())
                .set("holder", holder.value())
                .set("max_run_us", options.work().longestClaim())
                .setAll("floors_us", look.micros())
                .set("in_slots", inSlots)
                .set("limit", limit)
                .list(this::taken);
        floors.learn(look, taken, limit);
        return taken;
    }

    private List<Taken<Message>> findAndMark(Session session, HolderId holder, int limit, boolean inSlots)
            throws SQLException {
        List<Taken<Message>> found = new ArrayList<>();
        for (int priorityClass : dueClasses(session, holder, inSlots)) {
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
                    .set("max_run_us", options.work().longestClaim())
                    .setAll("ids", found.stream().map(one -> one.claim().id()).toList())
                    .update();
        }
        return found;
    }

    private List<Integer> dueClasses(Session session, HolderId holder, boolean inSlots) throws SQLException {
        return session.sql("inbox.take-classes")
                .set("inbox", name.id())
                .set("holder", holder.value())
                .set("in_slots", inSlots)
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
                row.instant("put_at"),
                row.optionalText("trace"));
        Claim claim = new Claim(id, row.longValue("fence"));
        return new Taken<>(claim, row.intValue("attempt"), key(messageId, id), message);
    }

    List<ClaimedMessage> claims(Collection<String> messageIds) {
        return database.once(
                "The claims on messages of " + name + " could not be read.",
                session -> session.sql("inbox.claims")
                        .set("inbox", name.id())
                        .setAllTexts("ids", messageIds)
                        .list(this::claimed));
    }

    private ClaimedMessage claimed(Row row) throws SQLException {
        long id = row.longValue("id");
        String messageId = row.text("message_id");
        return new ClaimedMessage(
                messageId,
                new Claim(id, row.longValue("fence")),
                key(messageId, id),
                InboxState.valueOf(row.text("state")),
                row.intValue("attempt"),
                row.optionalText("node"));
    }

    @Override
    public int renew(HolderId holder, Collection<Claim> claims) {
        return finishes.renew(holder, claims, options.work().longestClaim());
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
    public Optional<Finish> commit(Connection connection, HolderId holder, Taken<Message> taken) throws SQLException {
        boolean alone = taken.row().orderingKey().isEmpty() && !limited; // nobody waits for its end
        return alone && database.dialect().takesInOneStatement()
                ? Optional.of(finishes.commit(connection, holder, taken.claim()))
                : Optional.empty();
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
                    session -> session.sql("inbox.give-back")
                            .setClaims(group)
                            .set("inbox", name.id())
                            .update());
        }
        wake.now().run();
        return given;
    }

    @Override
    public int giveBackUnknown(HolderId holder, Collection<Claim> known) {
        int given = database.changeUnlocked(
                "Messages of " + name + " whose taking was not answered could not be given back; it is tried again.",
                "inbox.give-back-unknown",
                call -> call.set("inbox", name.id())
                        .set("holder", holder.value())
                        .setRows(Columns.<Claim>of("v", known)
                                .longs("id", Claim::id)
                                .longs("fence", Claim::fence)));
        if (given > 0) {
            wake.now().run();
        }
        return given;
    }

    @Override
    public Optional<Duration> untilNextTurn() {
        return database.once(
                        "The next turn in " + name + " could not be read; it is tried again.",
                        session -> session.sql("inbox.until-next")
                                .set("inbox", name.id())
                                .first(row -> row.optionalDuration("wait_us")))
                .flatMap(wait -> wait);
    }

    /** An update returns its rows in no particular order. */
    private static List<Taken<Message>> inOrder(List<Taken<Message>> taken) {
        List<Taken<Message>> sorted = new ArrayList<>(taken);
        sorted.sort(Comparator.comparingInt((Taken<Message> one) -> -one.row().priority())
                .thenComparingLong(one -> one.claim().id()));
        return sorted;
    }
}
