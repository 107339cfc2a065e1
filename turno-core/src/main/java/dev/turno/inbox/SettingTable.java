package dev.turno.inbox;

import dev.turno.lane.Slots;
import dev.turno.sql.Database;
import java.util.Optional;

/** The inboxes by name, and what holds for each in the whole cluster. */
final class SettingTable {

    private final Database database;
    private final String namespace;

    SettingTable(Database database, String namespace) {
        this.database = database;
        this.namespace = namespace;
        database.statements().require("inbox.define", "inbox.setting", "inbox.pause", "inbox.limit");
    }

    /** The inbox's number, given to it when its name is first used. */
    InboxName define(String inbox) {
        long id = database.once("Inbox '" + inbox + "' could not be defined.", session -> {
            session.sql("inbox.define")
                    .set("namespace", namespace)
                    .set("inbox", inbox)
                    .insertUnlessThere();
            return session.sql("inbox.setting")
                    .set("namespace", namespace)
                    .set("inbox", inbox)
                    .first(row -> row.longValue("id"))
                    .orElseThrow();
        });
        return new InboxName(namespace, inbox, id);
    }

    /** Empty: no limit from now on. */
    void limit(InboxName name, Slots slots, Optional<Integer> concurrency) {
        database.transaction("The limit of " + name + " was not changed.", session -> {
            if (concurrency.isPresent()) {
                slots.add(session, concurrency.get());
            }
            return session.sql("inbox.limit")
                    .set("inbox", name.id())
                    .set("concurrency", concurrency)
                    .update();
        });
    }

    Optional<Integer> concurrency(InboxName name) {
        return database.once(
                        "Inbox " + name + " could not be read.",
                        session -> session.sql("inbox.setting")
                                .set("namespace", namespace)
                                .set("inbox", name.inbox())
                                .first(row -> row.optionalLong("concurrency")))
                .flatMap(limit -> limit)
                .map(Long::intValue);
    }

    void pause(InboxName name, boolean paused) {
        database.once(
                "Inbox " + name + " was not " + (paused ? "paused." : "resumed."),
                session -> session.sql("inbox.pause")
                        .set("inbox", name.id())
                        .set("paused", paused)
                        .update());
    }

    boolean isPaused(InboxName name) {
        return database.once(
                "Inbox " + name + " could not be read.",
                session -> session.sql("inbox.setting")
                        .set("namespace", namespace)
                        .set("inbox", name.inbox())
                        .first(row -> row.booleanValue("paused"))
                        .orElse(false));
    }
}
