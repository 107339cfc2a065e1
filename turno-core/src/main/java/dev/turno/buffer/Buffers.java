package dev.turno.buffer;

import dev.turno.claim.ClaimableRows;
import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.sql.Database;
import dev.turno.sql.StorableText;
import dev.turno.worker.Wakeups;
import dev.turno.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A named buffer with any number of keys. Messages of a key are joined until it is quiet and handed over together, as a burst. Shared
 * by threads.
 *
 * <p>The life of a message: {@link #add} stores it with those that wait; when their time has come a worker takes all of them as one
 * burst; done, they are gone; what came meanwhile is the next burst.
 */
public final class Buffers {

    public static final int LONGEST_NAME = 100;
    public static final int LONGEST_KEY = 200;
    public static final int MOST_AT_ONCE = 1_000;
    public static final int LONGEST_PAGE = 1_000;

    private final BufferName name;
    private final BufferOptions options;
    private final Wakeups wakeups;
    private final AddTable adds;
    private final KeyTable keys;
    private final DeadTable dead;
    private final BurstTable rows;

    private Buffers(Database database, BufferName name, BufferOptions options, Wakeups wakeups) {
        this.name = name;
        this.options = options;
        this.wakeups = wakeups;
        this.adds = new AddTable(database, name, options);
        this.keys = new KeyTable(database, name, options);
        this.dead = new DeadTable(database, name);
        this.rows = new BurstTable(database, name, options, () -> wakeups.ring(topic()));
    }

    /** For the facade: the buffer of this name in the namespace, defined when first used. */
    @SuppressWarnings("exports")
    public static Buffers open(
            Database database, String namespace, String name, BufferOptions options, Wakeups wakeups) {
        StorableText.require("name of a buffer", name, LONGEST_NAME);
        return new Buffers(database, KeyTable.define(database, namespace, name), options, wakeups);
    }

    /** For the facade: the buffers that were ever used in the namespace. */
    @SuppressWarnings("exports")
    public static List<String> names(Database database, String namespace) {
        return database.once(
                "The names of the buffers could not be read.",
                session -> session.sql("buffer.settings")
                        .set("namespace", namespace)
                        .list(row -> row.text("buffer")));
    }

    public String name() {
        return name.buffer();
    }

    public BufferOptions options() {
        return options;
    }

    /** Adds a text without an id: each call is a new message. See {@link #add(String, List)}. */
    public Added add(String key, String text) {
        return add(key, BufferMessage.of(text));
    }

    /** Adds one message. See {@link #add(String, List)}. */
    public Added add(String key, BufferMessage message) {
        return add(key, List.of(message));
    }

    /**
     * Adds messages, in this order and all of them or none, in a transaction of its own. One whose id was added to this key before
     * is not stored again and does not restart the quiet time.
     *
     * @throws IllegalArgumentException if one of them, or the key, is unusable: nothing was added
     * @throws dev.turno.claim.DatabaseAwayException if they may not have been added: add them again
     */
    public Added add(String key, List<BufferMessage> messages) {
        requireFit(key, messages);
        Added added = adds.add(key, messages);
        if (added.stored() > 0 && isSoon(added)) {
            wake();
        }
        return added;
    }

    /**
     * Adds messages in the caller's transaction: they are there if and when that commits. Until then nothing of this key is handed
     * over, and other adds to it wait.
     */
    public Added add(Connection connection, String key, List<BufferMessage> messages) throws SQLException {
        requireFit(key, messages);
        Added added = adds.add(connection, key, messages);
        if (added.stored() > 0 && isSoon(added)) {
            wakeups.wakeSoon(topic());
        }
        return added;
    }

    /** The loops look at the next turn each time they poll; only what is due before that has to wake them. */
    private boolean isSoon(Added added) {
        Duration in = added.in().orElse(Duration.ZERO);
        return in.compareTo(options.work().poll()) <= 0;
    }

    private void requireFit(String key, List<BufferMessage> messages) {
        requireKey(key);
        if (messages.isEmpty() || messages.size() > MOST_AT_ONCE) {
            throw new IllegalArgumentException(
                    "An add has 1 to " + MOST_AT_ONCE + " messages, not " + messages.size() + ". Nothing was added.");
        }
        for (BufferMessage message : messages) {
            if (message.body().length() > options.maxBody()) {
                throw new IllegalArgumentException("A message for '" + key + "' has "
                        + message.body().length() + " characters; buffer '" + name() + "' takes at most "
                        + options.maxBody() + " (option max-body). Nothing was added.");
            }
        }
    }

    private static void requireKey(String key) {
        StorableText.require("key", key, LONGEST_KEY);
    }

    /**
     * Somebody is typing: the quiet time of the messages that wait starts again, though not beyond their maximum wait. False if that
     * changed nothing.
     */
    public boolean typing(String key) {
        requireKey(key);
        return keys.typing(key);
    }

    /** Hands over now what waits, or what waits for its retry; false if there is nothing. */
    public boolean flush(String key) {
        requireKey(key);
        boolean flushed = keys.flush(key);
        wake();
        return flushed;
    }

    /** Something was committed for this buffer: have it looked at now, here and in the other processes. */
    public void wake() {
        wakeups.wake(topic());
    }

    private String topic() {
        return "buffer/" + name();
    }

    /** For the facade: a worker that runs {@code handler} on this buffer's bursts. */
    public Worker<Burst> worker(BurstHandler handler, Worker.Surroundings around) {
        return new Worker<>(
                "buffer " + name(),
                topic(),
                rows,
                Worker.Handler.of((burst, turn) -> handle(handler, burst, turn), handler::isReady),
                options.work(),
                around);
    }

    private Result handle(BurstHandler handler, Burst burst, Turn turn) throws Exception {
        // Whoever revives one that expired wants it handed over all the same.
        Optional<Duration> passed =
                options.expiry().filter(expiry -> burst.age().compareTo(expiry) > 0 && !burst.revived());
        return passed.isPresent()
                ? Result.reject("Expired: the newest of its " + burst.messages().size() + " messages came "
                        + burst.age() + " before its turn, and they are good for " + passed.get()
                        + ". It was not handed over.")
                : handler.handle(burst, turn);
    }

    /** The claims themselves, for those who take and finish without a worker: tests, and workers outside of this process. */
    public ClaimableRows<Burst> rows() {
        return rows;
    }

    /** The key as it stands; empty if it was never used, or forgotten. */
    public Optional<KeyView> find(String key) {
        requireKey(key);
        return keys.find(key);
    }

    public BufferCounts counts() {
        return keys.counts();
    }

    /** Dead bursts without their messages, newest first; {@code after} is the {@code next} of the page before. */
    public DeadPage listDead(Optional<Long> after, int limit) {
        if (limit < 1 || limit > LONGEST_PAGE) {
            throw new IllegalArgumentException("A page has 1 to " + LONGEST_PAGE + " items, not " + limit + ".");
        }
        return dead.list(after, limit);
    }

    /** A dead burst with all its messages. */
    public Optional<DeadBurst> findDead(long id) {
        return dead.find(id);
    }

    /**
     * Gives a dead burst its turn again, with all its attempts, the same messages and the same key. It goes as soon as no other burst
     * of its key is under way. False if it is not dead.
     */
    public boolean revive(long id) {
        boolean revived = dead.revive(id);
        wake();
        return revived;
    }

    /** Revives every dead burst; answers how many. */
    public int reviveAll() {
        int revived = 0;
        Optional<Long> after = Optional.empty();
        do {
            DeadPage page = dead.list(after, LONGEST_PAGE);
            for (DeadBurst burst : page.items()) {
                revived += dead.revive(burst.id()) ? 1 : 0;
            }
            after = page.next();
        } while (after.isPresent());
        wake();
        return revived;
    }

    /**
     * Forgets a batch of ids and empty keys that are older than they are to be kept; true if there may be more. Only who takes from the
     * buffer knows how long that is: a process that adds or looks may have other options, and forgets nothing.
     */
    public boolean prune() {
        return rows.isTakenFrom() && keys.prune();
    }
}
