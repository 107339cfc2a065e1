package dev.turno.buffer;

import dev.turno.sql.Database;
import dev.turno.sql.Row;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** The keys of a buffer: what people see of them, what moves their clocks beside messages, and when they are forgotten. */
final class KeyTable {

    private static final int AT_ONCE = 1_000;

    private final Database database;
    private final BufferName name;
    private final BufferOptions options;

    KeyTable(Database database, BufferName name, BufferOptions options) {
        this.database = database;
        this.name = name;
        this.options = options;
        database.statements()
                .require("buffer.find", "buffer.typing", "buffer.flush", "buffer.counts", "buffer.prune-ids");
    }

    /** The buffer's number, given to it when its name is first used. */
    static BufferName define(Database database, String namespace, String buffer) {
        database.statements().require("buffer.define", "buffer.setting");
        long id = database.once("Buffer '" + buffer + "' could not be defined.", session -> {
            session.sql("buffer.define")
                    .set("namespace", namespace)
                    .set("buffer", buffer)
                    .insertUnlessThere();
            return session.sql("buffer.setting")
                    .set("namespace", namespace)
                    .set("buffer", buffer)
                    .first(row -> row.longValue("id"))
                    .orElseThrow();
        });
        return new BufferName(namespace, buffer, id);
    }

    boolean typing(String key) {
        return database.once(
                        "The quiet time of '" + key + "' in " + name + " may not have been extended.",
                        session -> session.sql("buffer.typing")
                                .set("buffer", name.id())
                                .set("key", key)
                                .set("quiet_us", options.quiet())
                                .update())
                == 1;
    }

    boolean flush(String key) {
        return database.once(
                        "The messages for '" + key + "' in " + name + " may not go now; ask again.",
                        session -> session.sql("buffer.flush")
                                .set("buffer", name.id())
                                .set("key", key)
                                .update())
                == 1;
    }

    Optional<KeyView> find(String key) {
        return database.once(
                "Key '" + key + "' of " + name + " could not be read.",
                session -> session.sql("buffer.find")
                        .set("buffer", name.id())
                        .set("key", key)
                        .first(KeyTable::view));
    }

    private static KeyView view(Row row) throws SQLException {
        long flushTo = row.longValue("flush_to");
        return new KeyView(
                row.text("buffer_key"),
                BufferState.valueOf(row.text("state")),
                row.longValue("seq") - Math.max(row.longValue("done_to"), flushTo),
                row.longValue("waiting_bytes"),
                row.booleanValue("frozen") ? flushTo - row.longValue("flush_from") : 0,
                row.optionalInstant("next_at"),
                row.optionalInstant("turn_at"),
                row.optionalInstant("held_until"),
                row.intValue("attempt"),
                row.longValue("fence"),
                row.optionalText("node"),
                row.optionalText("error"),
                row.intValue("dead"));
    }

    BufferCounts counts() {
        return database.once(
                        "The keys of " + name + " could not be counted.",
                        session -> session.sql("buffer.counts")
                                .set("buffer", name.id())
                                .set("limit", BufferCounts.MOST)
                                .first(row -> new BufferCounts(
                                        row.intValue("pending"), row.intValue("doing"), row.intValue("dead"))))
                .orElseThrow();
    }

    /** Forgets ids, and keys without messages, when their time has come; one batch of each. True if there may be more. */
    boolean prune() {
        Duration keep = options.keepIds();
        String ifItFails = "Old ids and keys of " + name + " could not be removed; it is tried again.";
        // In a transaction, and so READ COMMITTED: else MariaDB would lock the gap into which the next ids are written.
        int ids = database.transaction(
                ifItFails,
                session -> session.sql("buffer.prune-ids")
                        .set("buffer", name.id())
                        .set("keep_us", keep)
                        .set("limit", AT_ONCE)
                        .update());
        int keys = database.changeUnlocked(
                ifItFails,
                "buffer.prune-keys",
                call -> call.set("buffer", name.id()).set("keep_us", keep).set("limit", AT_ONCE));
        return ids == AT_ONCE || keys == AT_ONCE;
    }
}
