package dev.turno.inbox;

import dev.turno.lane.Lanes;
import dev.turno.sql.Database;
import java.time.Duration;

/** Removes finished messages when their time has come, a few at a time. DEAD ones stay until a person decides. */
final class RetentionTable {

    private static final int AT_ONCE = 1_000;

    private final Database database;
    private final InboxName name;
    private final Lanes lanes;

    RetentionTable(Database database, InboxName name, Lanes lanes) {
        this.database = database;
        this.name = name;
        this.lanes = lanes;
    }

    /** Removes one batch per kind; true if there may be more. The lanes come last, so that trouble with them stops nothing else. */
    boolean prune(Duration keep) {
        int done = prune(InboxState.DONE, keep);
        int cancelled = prune(InboxState.CANCELLED, keep);
        return done == AT_ONCE || cancelled == AT_ONCE || lanes.forget(database, keep, AT_ONCE) == AT_ONCE;
    }

    private int prune(InboxState state, Duration keep) {
        return database.changeUnlocked(
                "Old messages of " + name + " could not be removed; it is tried again.",
                "inbox.prune",
                call -> call.set("inbox", name.id())
                        .set("state", state.name())
                        .set("keep_us", keep)
                        .set("limit", AT_ONCE));
    }
}
