package dev.turno.run;

import dev.turno.claim.ClaimLostException;
import dev.turno.sql.Columns;
import dev.turno.sql.Database;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** What a run stores on its way: its place, its counts, the items it parked, its log. */
final class PageTable {

    /** An item that failed for good. */
    record Failed(String key, String error) {}

    /** What became of a page. */
    record Outcome(String cursor, int completed, int skipped, List<Failed> parked) {}

    private final Database database;
    private final long scope;
    private final Duration maxPage;

    PageTable(Database database, long scope, Duration maxPage) {
        this.database = database;
        this.scope = scope;
        this.maxPage = maxPage;
        database.statements().require("run.checkpoint", "run.park-items", "run.add-log", "run.count-log");
        database.statements().require("run.stops-wished", "run.remove-letters", "run.letters", "run.renew");
    }

    Database database() {
        return database;
    }

    Duration maxPage() {
        return maxPage;
    }

    /** Last in the page's transaction, so that the run's row is locked for a moment only. */
    void store(Session session, Run run, long fence, RunTurn turn, List<String> lines, Outcome outcome)
            throws SQLException {
        park(session, run.id(), outcome.parked());
        log(session, run.id(), lines);
        if (run.revives().isPresent()) {
            session.sql("run.remove-letters")
                    .set("run", run.revives().get())
                    .set("upto", Long.parseLong(outcome.cursor()))
                    .update();
        }
        int stored = session.sql("run.checkpoint")
                .set("run", run.id())
                .set("fence", fence)
                .set("scope", scope)
                .set("cursor", outcome.cursor())
                .set("before", turn.cursor())
                .set("completed", outcome.completed())
                .set("skipped", outcome.skipped())
                .set("letters", outcome.parked().size())
                .set("total", turn.total())
                .set("log_lines", lines.size())
                .set("max_run_us", maxPage)
                .update();
        throwIfLost(stored, run, fence);
    }

    /** The claim lasts for another maximum from now. */
    void renew(Run run, long fence) {
        int renewed = database.once(
                "The claim of run " + run.id() + " could not be renewed; the run is tried again.",
                session -> session.sql("run.renew")
                        .set("run", run.id())
                        .set("fence", fence)
                        .set("scope", scope)
                        .set("max_run_us", maxPage)
                        .update());
        throwIfLost(renewed, run, fence);
    }

    private void throwIfLost(int changed, Run run, long fence) {
        if (changed == 0) {
            throw new ClaimLostException("Run " + run.id() + " of job '" + run.job() + "' lost its claim with fence "
                    + fence
                    + ": somebody else took it over, or this page was stored already. Nothing of it was stored now;"
                    + " whoever has the run goes on after its last stored page. If pages often take longer than the maximum ("
                    + maxPage + "), raise max-page.");
        }
    }

    private static void park(Session session, long run, List<Failed> parked) throws SQLException {
        if (!parked.isEmpty()) {
            session.sql("run.park-items")
                    .set("run", run)
                    .setRows(Columns.of("l", parked).texts("key", Failed::key).texts("error", Failed::error))
                    .update();
        }
    }

    private static void log(Session session, long run, List<String> lines) throws SQLException {
        if (!lines.isEmpty()) {
            session.sql("run.add-log")
                    .set("run", run)
                    .setAllTexts("lines", lines)
                    .update();
        }
    }

    /** Stores the log's lines by themselves: their page was not stored, or there is none. */
    void log(RunTurn turn) {
        List<String> lines = turn.lines();
        if (!lines.isEmpty()) {
            database.transaction("The log of run " + turn.id() + " was not stored.", session -> {
                log(session, turn.id(), lines);
                return session.sql("run.count-log")
                        .set("run", turn.id())
                        .set("n", lines.size())
                        .update();
            });
            turn.forget(lines);
        }
    }

    /** Those of these runs that somebody wishes to stop. */
    Set<Long> stopsWished(Collection<Long> runs) {
        return database.once(
                "It could not be asked which runs shall stop; it is tried again.",
                session -> Set.copyOf(
                        session.sql("run.stops-wished").setAll("ids", runs).list(row -> row.longValue("id"))));
    }

    List<Letter> letters(long run, long after, int limit) {
        return database.once(
                "The parked items of run " + run + " could not be read.",
                session -> session.sql("run.letters")
                        .set("run", run)
                        .set("after_id", after)
                        .set("limit", limit)
                        .list(row -> new Letter(
                                row.longValue("id"),
                                row.text("item_key"),
                                row.text("error"),
                                row.instant("parked_at"))));
    }
}
