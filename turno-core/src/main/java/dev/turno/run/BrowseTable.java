package dev.turno.run;

import dev.turno.lane.Lanes;
import dev.turno.sql.Database;
import dev.turno.sql.Place;
import dev.turno.sql.Row;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What people see of runs, and the removal of old ones. */
final class BrowseTable {

    /** {@code begun}: it, or the chain of which it is a link. */
    record Active(long id, RunState state, boolean begun) {}

    private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");
    private static final int AT_ONCE = 500;
    private static final int MOST_ACTIVE = 10_000;

    private final Database database;
    private final long scope;
    private final Lanes lanes;

    BrowseTable(Database database, long scope, Lanes lanes) {
        this.database = database;
        this.scope = scope;
        this.lanes = lanes;
        database.statements().require("run.list-waiting", "run.list-ended", "run.list-subject", "run.last-done");
        database.statements().require("run.active-of-subject", "run.counts", "run.log", "run.ask-to-stop");
        database.statements().require("run.prune-find", "run.prune-mark", "run.forget-letters", "run.forget-log");
    }

    Optional<StoredRun> find(long run) {
        return database.once(
                "Run " + run + " could not be read.",
                session -> session.sql("run.find")
                        .set("run", run)
                        .set("scope", scope)
                        .first(BrowseTable::stored));
    }

    RunPage list(RunState state, Optional<String> after, int limit) {
        boolean ended = switch (state) {
            case PENDING, PARKED, DOING -> false;
            case DONE, STOPPED, DEAD, CANCELLED -> true;
        };
        Place from = Place.read(after, Database.micros(FAR), ended ? Long.MAX_VALUE : 0);
        List<StoredRun> found = database.once(
                "The runs could not be listed.",
                session -> session.sql(ended ? "run.list-ended" : "run.list-waiting")
                        .set("scope", scope)
                        .set("state", state.name())
                        .set("after_us", from.number(0))
                        .set("after_id", from.number(1))
                        .set("limit", limit + 1)
                        .list(BrowseTable::stored));
        List<StoredRun> items = found.stream().limit(limit).toList();
        Optional<String> next = found.size() > limit ? Optional.of(placeOf(items.get(limit - 1))) : Optional.empty();
        return new RunPage(items, next);
    }

    private static String placeOf(StoredRun run) {
        return Place.of(run.finishedAt().map(Database::micros).orElse(0L), run.id())
                .text();
    }

    List<StoredRun> ofSubject(String subject, long before, int limit) {
        return database.once(
                "The runs of '" + subject + "' could not be listed.",
                session -> session.sql("run.list-subject")
                        .set("scope", scope)
                        .set("subject", subject)
                        .set("before_id", before)
                        .set("limit", limit)
                        .list(BrowseTable::stored));
    }

    Optional<StoredRun> lastDone(String job, String subject) {
        return database.once(
                "The last run of '" + subject + "' could not be read.",
                session -> session.sql("run.last-done")
                        .set("scope", scope)
                        .set("job", job)
                        .set("subject", subject)
                        .first(BrowseTable::stored));
    }

    List<Active> active(String subject) {
        return database.once(
                "The runs of '" + subject + "' could not be listed.",
                session -> session.sql("run.active-of-subject")
                        .set("scope", scope)
                        .set("subject", subject)
                        .set("limit", MOST_ACTIVE)
                        .list(row -> new Active(
                                row.longValue("id"), RunState.valueOf(row.text("state")), row.booleanValue("begun"))));
    }

    RunCounts counts() {
        Map<String, Integer> byState = new HashMap<>();
        database.once(
                "The runs could not be counted.",
                session -> session.sql("run.counts")
                        .set("scope", scope)
                        .set("limit", RunCounts.MOST)
                        .list(row -> byState.put(row.text("state"), row.intValue("n"))));
        return new RunCounts(
                byState.getOrDefault("PENDING", 0),
                byState.getOrDefault("PARKED", 0),
                byState.getOrDefault("DOING", 0),
                byState.getOrDefault("DONE", 0),
                byState.getOrDefault("STOPPED", 0),
                byState.getOrDefault("DEAD", 0),
                byState.getOrDefault("CANCELLED", 0));
    }

    List<LogLine> log(long run, long after, int limit) {
        return database.once(
                "The log of run " + run + " could not be read.",
                session -> session.sql("run.log")
                        .set("run", run)
                        .set("after_id", after)
                        .set("limit", limit)
                        .list(row -> new LogLine(row.longValue("id"), row.instant("logged_at"), row.text("line"))));
    }

    /** False if it is not under way. */
    boolean askToStop(long run) {
        return database.once(
                        "Run " + run + " may not have been asked to stop; ask again.",
                        session -> session.sql("run.ask-to-stop")
                                .set("run", run)
                                .set("scope", scope)
                                .update())
                == 1;
    }

    private static StoredRun stored(Row row) throws SQLException {
        RunState state = RunState.valueOf(row.text("state"));
        Progress progress = Progress.of(
                row.longValue("completed"),
                row.longValue("skipped"),
                row.longValue("letters"),
                row.optionalLong("total"),
                row.longValue("completed") - row.longValue("taken_completed"),
                row.optionalInstant("taken_at"),
                row.optionalInstant("checkpoint_at"));
        return new StoredRun(
                row.longValue("id"),
                row.text("job"),
                row.optionalText("subject"),
                row.optionalText("action"),
                Names.lines(row.text("lanes")).stream().map(line -> line.get(0)).toList(),
                Link.read(row.text("chain")).stream().map(Link::job).toList(),
                row.optionalLong("first_id"),
                row.optionalLong("revives"),
                state,
                row.booleanValue("incremental"),
                Names.map(row.text("parameters")),
                row.intValue("attempt"),
                row.longValue("fence"),
                row.instant("submitted_at"),
                row.optionalInstant("turn_at").filter(FAR::isAfter),
                row.optionalInstant("held_until"),
                row.optionalInstant("started_at"),
                row.optionalInstant("stop_at"),
                row.optionalInstant("finished_at"),
                row.optionalText("node"),
                row.optionalText("cursor_text"),
                row.optionalText("error"),
                state == RunState.DOING ? progress : progress.atRest());
    }

    /** Removes one batch of old runs of these jobs, with their logs and parked items; true if there may be more. */
    boolean prune(Set<String> known, Duration keep) {
        int done = prune(RunState.DONE, known, keep);
        int cancelled = prune(RunState.CANCELLED, known, keep);
        // The lanes come last, so that trouble with them stops nothing else.
        return done == AT_ONCE || cancelled == AT_ONCE || lanes.forget(database, keep, AT_ONCE) == AT_ONCE;
    }

    private int prune(RunState state, Set<String> known, Duration keep) {
        return database.transaction("Old runs could not be removed; it is tried again.", session -> {
            List<Long> ids = session.sql("run.prune-find")
                    .set("scope", scope)
                    .set("state", state.name())
                    .setAllTexts("jobs", known)
                    .set("keep_us", keep)
                    .set("limit", AT_ONCE)
                    .list(row -> row.longValue("id"));
            if (!ids.isEmpty()) {
                session.sql("run.forget-letters").setAll("ids", ids).update();
                session.sql("run.forget-log").setAll("ids", ids).update();
                session.sql("run.prune-mark").setAll("ids", ids).update();
            }
            return ids.size();
        });
    }
}
