package dev.turno.inbox;

import dev.turno.claim.Claim;
import dev.turno.claim.ClaimableRows;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.lane.LaneTurns;
import dev.turno.lane.Lanes;
import dev.turno.lane.Slots;
import dev.turno.lane.Wake;
import dev.turno.sql.Database;
import dev.turno.sql.StorableText;
import dev.turno.worker.Wakeups;
import dev.turno.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Messages stored once and handled by one holder at a time. Shared by threads.
 *
 * <p>The life of a message: {@link #put} stores it PENDING; a worker takes it, DOING; the handler's result makes it DONE, or
 * PENDING again after a backoff, or DEAD.
 */
public final class Inbox {

    public static final int LONGEST_NAME = 100;
    public static final int LONGEST_PAGE = 1_000;
    private static final int PUT_AT_ONCE = 1_000;
    private static final int CHARACTERS_AT_ONCE = 2_000_000;

    private final Database database;
    private final InboxName name;
    private final InboxOptions options;
    private final Wakeups wakeups;
    private final SettingTable settings;
    private final Slots slots;
    private final PutTable puts;
    private final BrowseTable browse;
    private final RetentionTable retention;
    private final InboxTable rows;
    private volatile @Nullable Worker<Message> worker;

    private Inbox(Database database, InboxName name, InboxOptions options, Wakeups wakeups, SettingTable settings) {
        this.database = database;
        this.name = name;
        this.options = options;
        this.wakeups = wakeups;
        this.settings = settings;
        Lanes lanes = new Lanes("inbox", name.id(), database);
        this.slots = new Slots("inbox", name.id(), database.statements());
        LaneTurns inboxLanes = new LaneTurns("inbox", lanes);
        this.puts = new PutTable(database, name.id(), inboxLanes);
        this.browse = new BrowseTable(database, name, inboxLanes);
        this.retention = new RetentionTable(database, name, lanes);
        this.rows = new InboxTable(
                database, name, options, settings, inboxLanes, slots, new Wake(this::wake, this::wakeSoon));
        // Who says nothing of a limit leaves alone what others said.
        options.concurrency().ifPresent(limit -> settings.limit(name, slots, Optional.of(limit)));
    }

    /** For the facade: the inbox of this name in the namespace, defined when first used. */
    @SuppressWarnings("exports")
    public static Inbox open(Database database, String namespace, String name, InboxOptions options, Wakeups wakeups) {
        StorableText.require("name of an inbox", name, LONGEST_NAME);
        SettingTable settings = new SettingTable(database, namespace);
        return new Inbox(database, settings.define(name), options, wakeups, settings);
    }

    /** For the facade: the inboxes that were ever used in the namespace. */
    @SuppressWarnings("exports")
    public static List<String> names(Database database, String namespace) {
        return database.once(
                "The names of the inboxes could not be read.",
                session -> session.sql("inbox.settings")
                        .set("namespace", namespace)
                        .list(row -> row.text("inbox")));
    }

    public String name() {
        return name.inbox();
    }

    public InboxOptions options() {
        return options;
    }

    /** Stores a message in a transaction of its own and wakes the workers. See {@link #put(NewMessage)}. */
    public PutOutcome put(String id, String body) {
        return put(NewMessage.of(id, body));
    }

    /**
     * Stores a message in a transaction of its own and wakes the workers. Putting the same id and body again is harmless.
     *
     * @throws MessageRefusedException if another body stands under the same id
     * @throws dev.turno.claim.DatabaseAwayException if it may not have been stored: put it again
     */
    public PutOutcome put(NewMessage message) {
        requireFits(message);
        if (isBornTaken(message)) {
            return new PutOutcome.Stored();
        }
        PutOutcome outcome = orRefuse(puts.put(message));
        if (outcome instanceof PutOutcome.Stored) {
            wake();
        }
        return outcome;
    }

    /** A worker of this process that has nothing to do gets it without looking for it, and nobody else has to be woken. */
    private boolean isBornTaken(NewMessage message) {
        Worker<Message> mine = worker;
        return mine != null
                && message.canBeginAtOnce()
                && mine.isIdle()
                && mine.give(holder -> rows.putTaken(holder, message));
    }

    /**
     * Stores a message in the caller's transaction: it is there if and when that commits. The workers look for it quickly
     * for a second; call {@link #wake} after the commit to have it taken at once, everywhere.
     *
     * @throws IllegalStateException if the message has an ordering key, and the connection is in auto-commit mode
     */
    public PutOutcome put(Connection connection, NewMessage message) throws SQLException {
        requireFits(message);
        PutOutcome outcome = orRefuse(puts.put(database.on(connection), message));
        wakeSoon();
        return outcome;
    }

    private static PutOutcome orRefuse(PutOutcome outcome) {
        if (outcome instanceof PutOutcome.Refused refused) {
            throw new MessageRefusedException(refused.because());
        }
        return outcome;
    }

    /**
     * Stores many messages, at most a thousand to a transaction; answers one outcome for each, in order. Nothing is stored if one
     * of them is unusable.
     */
    public List<PutOutcome> putAll(List<NewMessage> messages) {
        messages.forEach(this::requireFits);
        List<PutOutcome> outcomes = new ArrayList<>(messages.size());
        parts(messages).forEach(part -> outcomes.addAll(puts.putAll(part)));
        wake();
        return outcomes;
    }

    /**
     * Stores many messages in the caller's transaction.
     *
     * @throws IllegalStateException if one of them has an ordering key, and the connection is in auto-commit mode
     */
    public List<PutOutcome> putAll(Connection connection, List<NewMessage> messages) throws SQLException {
        messages.forEach(this::requireFits);
        puts.requireTransaction(database.on(connection), messages);
        List<PutOutcome> outcomes = new ArrayList<>(messages.size());
        for (List<NewMessage> part : parts(messages)) {
            outcomes.addAll(puts.putAll(database.on(connection), part));
        }
        wakeSoon();
        return outcomes;
    }

    /** At most a thousand at once, and not more than a packet to the server may hold. */
    private static List<List<NewMessage>> parts(List<NewMessage> messages) {
        List<List<NewMessage>> parts = new ArrayList<>();
        int from = 0;
        long length = 0;
        for (int i = 0; i < messages.size(); i++) {
            length += messages.get(i).body().length();
            if (i > from && (i - from == PUT_AT_ONCE || length > CHARACTERS_AT_ONCE)) {
                parts.add(messages.subList(from, i));
                from = i;
                length = messages.get(i).body().length();
            }
        }
        if (from < messages.size()) {
            parts.add(messages.subList(from, messages.size()));
        }
        return parts;
    }

    private void requireFits(NewMessage message) {
        if (message.body().length() > options.maxBody()) {
            throw new IllegalArgumentException("The body of message '" + message.id() + "' has "
                    + message.body().length() + " characters; inbox '" + name() + "' takes at most " + options.maxBody()
                    + " (option max-body). Nothing was stored.");
        }
    }

    /** Something was committed for this inbox: have it looked at now, here and in the other processes. */
    public void wake() {
        wakeups.wake(topic());
    }

    /** As a put in the caller's transaction does: the workers look quickly for a second, and so take many at once. */
    public void wakeSoon() {
        wakeups.wakeSoon(topic());
    }

    private String topic() {
        return "inbox/" + name();
    }

    /** For the facade: a worker that runs {@code handler} on this inbox's messages. */
    public Worker<Message> worker(InboxHandler handler, Worker.Surroundings around) {
        Worker<Message> made = new Worker<>(
                "inbox " + name(),
                topic(),
                rows,
                Worker.Handler.of(handler::handle, handler::isReady),
                options.work(),
                around);
        Worker<Message> before = worker;
        if (before == null || !before.isFor(made)) { // else this one will be refused
            worker = made;
        }
        return made;
    }

    /** The claims themselves, for those who take and finish without a worker: tests, and workers outside of this process. */
    public ClaimableRows<Message> rows() {
        return rows;
    }

    /** Takes up to {@code limit} messages by hand, as {@code holder}. */
    public List<Taken<Message>> take(HolderId holder, int limit) {
        return rows.take(holder, limit);
    }

    /** Marks one message as done by hand; {@link Finish.Open} if its ordering key is locked by somebody: then do it again. */
    public Finish done(HolderId holder, Claim claim) {
        return rows.finish(holder, List.of(new Verdict.Done(claim))).get(0);
    }

    /** The messages of these ids with the claims on them; those that are not there are left out. */
    public List<ClaimedMessage> claims(Collection<String> ids) {
        return ids.isEmpty() ? List.of() : rows.claims(requireFew(ids));
    }

    /**
     * Prolongs claims that were taken by hand: each lapses the maximum run time from now and is {@code holder}'s, if its fence is
     * still good. Answers how many: who has to know which of them were lost asks for the {@link #claims} afterwards; the rest
     * are locked by somebody at this moment, and to be renewed again.
     */
    public int renew(HolderId holder, Collection<Claim> claims) {
        return rows.renew(holder, requireFew(claims));
    }

    private static <T> Collection<T> requireFew(Collection<T> things) {
        requireLimit(Math.max(1, things.size()));
        return things;
    }

    public Optional<StoredMessage> find(String id) {
        return browse.find(id);
    }

    /** Messages in a state: PENDING in the order of their turns, DOING by age, the finished ones newest first. */
    public Page<StoredMessage> list(InboxState state, Optional<String> text, Optional<String> after, int limit) {
        return browse.list(state, text, after, requireLimit(limit));
    }

    /** What has been DOING for longer than {@code longer}. */
    public Page<StoredMessage> doingFor(Duration longer, Optional<String> after, int limit) {
        return browse.doingFor(longer, options.work().longestClaim(), after, requireLimit(limit));
    }

    private static int requireLimit(int limit) {
        if (limit < 1 || limit > LONGEST_PAGE) {
            throw new IllegalArgumentException("A page has 1 to " + LONGEST_PAGE + " items, not " + limit + ".");
        }
        return limit;
    }

    public Counts counts() {
        return browse.counts();
    }

    /** Gives a message that waits for a later turn its turn now, for example after a failure; false if it does not wait for one. */
    public boolean hasten(String id) {
        boolean hastened = browse.hasten(id);
        wake();
        return hastened;
    }

    /** Gives a DEAD message its turn again, with all its attempts; false if it is not DEAD. */
    public boolean revive(String id) {
        boolean revived = browse.revive(id);
        wake();
        return revived;
    }

    /** Revives every DEAD message, or those with {@code text} in their id or error; answers how many. */
    public int reviveAll(Optional<String> text) {
        int revived = browse.reviveAll(text);
        wake();
        return revived;
    }

    /** Gives up a message that waits or is DEAD; false if it is under way, over, or unknown: too late. */
    public boolean cancel(String id) {
        boolean cancelled = browse.cancel(id);
        wake(); // it may have stood in the way of its ordering key
        return cancelled;
    }

    /** Nobody in the cluster takes from this inbox until {@link #resume}; puts go on. */
    public void pause() {
        settings.pause(name, true);
    }

    public void resume() {
        settings.pause(name, false);
        wake();
    }

    public boolean isPaused() {
        return settings.isPaused(name);
    }

    /**
     * From now on at most {@code concurrency} messages are under way at once in the whole cluster; empty: as many as there are
     * threads. What is under way goes on. Who opens the inbox with a limit among its options says it anew.
     */
    public void limit(Optional<Integer> concurrency) {
        concurrency.ifPresent(InboxOptions::requireConcurrency);
        settings.limit(name, slots, concurrency);
        wake();
    }

    /** The limit that holds in the cluster, whoever said it. */
    public Optional<Integer> concurrency() {
        return settings.concurrency(name);
    }

    /**
     * Removes a batch of finished messages that are older than they are to be kept; true if there may be more. Only who takes from the
     * inbox knows how long that is: a process that puts or looks may have other options, and removes nothing.
     */
    public boolean prune() {
        return rows.isTakenFrom()
                && options.keep().isPresent()
                && retention.prune(options.keep().get());
    }
}
