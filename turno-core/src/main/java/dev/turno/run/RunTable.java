package dev.turno.run;

import dev.turno.claim.Claim;
import dev.turno.claim.ClaimableRows;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.lane.Slots;
import dev.turno.sql.Call;
import dev.turno.sql.Database;
import dev.turno.sql.Row;
import dev.turno.sql.Session;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The claims of runs: take, with a slot for each; finish; give back. */
final class RunTable implements ClaimableRows<Run> {

    private record Found(RunState state, long fence, Optional<Long> holder) {}

    private record Turned(Taken<Run> taken, Instant turnAt) {}

    private final Database database;
    private final String namespace;
    private final long scope;
    private final Duration longestClaim;
    private final Supplier<Set<String>> jobs;
    private final EndTable ends;
    private final Slots slots;
    private final Runnable wake;
    private final Watcher watcher;

    /** Claims whose end is written, though not as a verdict: stopped, parked, handed over. */
    private final Set<Claim> ended = ConcurrentHashMap.newKeySet();

    RunTable(
            Database database,
            String namespace,
            long scope,
            Duration longestClaim,
            Supplier<Set<String>> jobs,
            EndTable ends,
            Runnable wake,
            Watcher watcher) {
        this.database = database;
        this.namespace = namespace;
        this.scope = scope;
        this.longestClaim = longestClaim;
        this.jobs = jobs;
        this.ends = ends;
        this.slots = new Slots("run", scope, database.statements());
        this.wake = wake;
        this.watcher = watcher;
        database.statements().require("run.again", "run.outcome");
        database.statements().require("run.give-back", "run.until-next");
    }

    @Override
    public List<Taken<Run>> take(HolderId holder, int limit) {
        Set<String> known = jobs.get();
        if (known.isEmpty()) {
            return List.of();
        }
        return database.transaction(
                "No runs could be taken; it is tried again.", session -> takeIntoSlots(session, holder, known, limit));
    }

    private List<Taken<Run>> takeIntoSlots(Session session, HolderId holder, Set<String> known, int limit)
            throws SQLException {
        List<Long> free = slots.lockFree(session, limit);
        if (free.isEmpty()) {
            return List.of();
        }
        List<Taken<Run>> taken = take(session, holder, known, free.size());
        if (!taken.isEmpty()) {
            slots.hold(session, free, taken.stream().map(Taken::claim).toList());
        }
        return taken;
    }

    private List<Taken<Run>> take(Session session, HolderId holder, Set<String> known, int limit) throws SQLException {
        List<Turned> turned = new ArrayList<>(
                session.takesInOneStatement()
                        ? session.sql("run.take")
                                .set("scope", scope)
                                .set("holder", holder.value())
                                .set("max_run_us", longestClaim)
                                .setAllTexts("jobs", known)
                                .set("limit", limit)
                                .list(this::turned)
                        : findAndMark(session, holder, known, limit));
        // An update returns its rows in no particular order.
        turned.sort(Comparator.comparing(Turned::turnAt)
                .thenComparing(one -> one.taken().claim().id()));
        return turned.stream().map(Turned::taken).toList();
    }

    private List<Turned> findAndMark(Session session, HolderId holder, Set<String> known, int limit)
            throws SQLException {
        boolean may = session.sql("run.take-may")
                .set("scope", scope)
                .set("holder", holder.value())
                .first(row -> true)
                .isPresent();
        List<Turned> found = may
                ? session.sql("run.take-find")
                        .set("scope", scope)
                        .setAllTexts("jobs", known)
                        .set("limit", limit)
                        .list(this::turned)
                : List.of();
        if (!found.isEmpty()) {
            session.sql("run.take-mark")
                    .set("holder", holder.value())
                    .set("max_run_us", longestClaim)
                    .setAll(
                            "ids",
                            found.stream().map(one -> one.taken().claim().id()).toList())
                    .update();
        }
        return found;
    }

    private Turned turned(Row row) throws SQLException {
        long id = row.longValue("id");
        Run run = new Run(
                id,
                row.text("job"),
                row.optionalText("subject"),
                row.optionalText("action"),
                row.booleanValue("incremental"),
                Names.map(row.text("parameters")),
                row.optionalText("cursor_text"),
                row.longValue("completed"),
                row.longValue("skipped"),
                row.longValue("letters"),
                row.optionalLong("total"),
                row.optionalLong("revives"),
                row.intValue("log_lines"));
        Claim claim = new Claim(id, row.longValue("fence"));
        return new Turned(
                new Taken<>(claim, row.intValue("attempt"), namespace + "/run#" + id, run), row.instant("turn_at"));
    }

    @Override
    public List<Finish> finish(HolderId holder, List<? extends Verdict> verdicts) {
        List<Finish> finishes =
                verdicts.stream().map(verdict -> finish(holder, verdict)).toList();
        wake.run(); // a slot is free, and perhaps a lane
        return finishes;
    }

    private Finish finish(HolderId holder, Verdict verdict) {
        if (ended.remove(verdict.claim())) {
            return new Finish.Aside();
        }
        if (verdict instanceof Verdict.Again again
                && again(verdict.claim(), RunState.PENDING, again.in(), again.error())) {
            return new Finish.Kept();
        }
        return write(verdict).map(reached -> reached(verdict, reached)).orElseGet(() -> judge(holder, verdict));
    }

    private Optional<RunState> write(Verdict verdict) {
        if (verdict instanceof Verdict.Again again) {
            return stop(verdict.claim(), Optional.of(again.error()));
        }
        return verdict instanceof Verdict.Dead dead
                ? end(verdict.claim(), RunState.DEAD, Optional.of(dead.error()))
                : end(verdict.claim(), RunState.DONE, Optional.empty());
    }

    /** A link of a chain that was to be done, but that somebody wished to stop, is not. */
    private static Finish reached(Verdict verdict, RunState state) {
        return verdict instanceof Verdict.Done && state != RunState.DONE ? new Finish.Aside() : new Finish.Kept();
    }

    private Optional<RunState> end(Claim claim, RunState state, Optional<String> error) {
        Optional<RunState> ended = ends.end(claim, state, error.orElse(null));
        ended.ifPresent(reached -> watcher.on(new WorkEvent.RunEnded(claim.id(), reached.name(), error.orElse(""))));
        return ended;
    }

    /** Instead of putting it aside: somebody wishes it to stop. */
    private Optional<RunState> stop(Claim claim, Optional<String> error) {
        return end(claim, RunState.STOPPED, error);
    }

    /** False if the claim was lost, or somebody wishes the run to stop. */
    private boolean again(Claim claim, RunState state, Duration in, String why) {
        return database.once(
                        "Run " + claim.id() + " may not have been put aside; it is tried again.",
                        session -> fenced(session.sql("run.again"), claim)
                                .set("state", state.name())
                                .set("in_us", in)
                                .set("error", why)
                                .update())
                == 1;
    }

    private Call fenced(Call call, Claim claim) {
        return call.set("run", claim.id()).set("fence", claim.fence()).set("scope", scope);
    }

    private Finish judge(HolderId holder, Verdict verdict) {
        Optional<Found> found = database.once(
                "The fate of run " + verdict.claim().id() + " could not be read; it is tried again.",
                session -> session.sql("run.outcome")
                        .set("run", verdict.claim().id())
                        .set("scope", scope)
                        .first(row -> new Found(
                                RunState.valueOf(row.text("state")),
                                row.longValue("fence"),
                                row.optionalLong("holder"))));
        if (found.isEmpty()) {
            return new Finish.Unknown();
        }
        Found row = found.get();
        boolean mine = row.fence() == verdict.claim().fence()
                && row.holder().filter(id -> id == holder.value()).isPresent();
        return mine && (row.state() == wanted(verdict) || row.state() == RunState.STOPPED)
                ? reached(verdict, row.state())
                : new Finish.Lost("It was taken over or freed by others (fence " + row.fence() + ") and is "
                        + row.state() + " now. Its pages up to the cursor stand; nothing else was stored.");
    }

    private static RunState wanted(Verdict verdict) {
        return verdict instanceof Verdict.Again
                ? RunState.PENDING
                : verdict instanceof Verdict.Dead ? RunState.DEAD : RunState.DONE;
    }

    /** The run stopped where it was; false if the claim was lost. */
    boolean stop(Claim claim) {
        return aside(claim, stop(claim, Optional.empty()).isPresent());
    }

    /** The run waits for something outside, or stops if that is wished; false if the claim was lost. */
    boolean park(Claim claim, Duration in, String why) {
        boolean parked = again(claim, RunState.PARKED, in, why);
        if (parked) {
            watcher.on(new WorkEvent.RunParked(claim.id(), in, why));
        }
        return aside(claim, parked || stop(claim, Optional.of(why)).isPresent());
    }

    /** Another process goes on; false if the claim was lost. */
    boolean handOver(Claim claim) {
        return aside(claim, giveBack(claim) == 1);
    }

    private boolean aside(Claim claim, boolean kept) {
        if (kept) {
            ended.add(claim);
        }
        return kept;
    }

    @Override
    public Finish finishIn(Connection connection, HolderId holder, Claim claim) throws SQLException {
        return ends.end(database.on(connection), claim, RunState.DONE, null).isPresent()
                ? new Finish.Kept()
                : new Finish.Lost("It was taken over or freed by others.");
    }

    @Override
    public int giveBack(HolderId holder, Collection<Claim> claims) {
        int given = claims.stream().mapToInt(this::giveBack).sum();
        wake.run();
        return given;
    }

    private int giveBack(Claim claim) {
        return database.once(
                "Run " + claim.id() + " could not be given back; it is free when the lease has passed.",
                session -> fenced(session.sql("run.give-back"), claim).update());
    }

    @Override
    public int giveBackUnknown(HolderId holder, Collection<Claim> known) {
        return database.changeUnlocked(
                "Runs whose taking was not answered could not be given back; it is tried again.",
                "run.give-back-unknown",
                call -> call.set("scope", scope)
                        .set("holder", holder.value())
                        .setAll("known", known.stream().map(Claim::id).toList()));
    }

    @Override
    public Optional<Duration> untilNextTurn() {
        return database.once(
                        "The next turn of a run could not be read; it is tried again.",
                        session -> session.sql("run.until-next")
                                .set("scope", scope)
                                .first(row -> row.optionalDuration("wait_us")))
                .flatMap(wait -> wait);
    }
}
