package dev.turno.run;

import dev.turno.claim.Claim;
import dev.turno.sql.Database;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ends runs: they leave their lanes to those behind them, and the next link of the chain is submitted, all at once. */
final class EndTable {

    private record Chained(
            Optional<String> subject, Map<String, String> parameters, List<Link> chain, Optional<Long> first) {}

    private static final int TRIES = 10;

    private final Database database;
    private final long scope;
    private final RunLanes lanes;
    private final SubmitTable submits;

    EndTable(Database database, long scope, RunLanes lanes, SubmitTable submits) {
        this.database = database;
        this.scope = scope;
        this.lanes = lanes;
        this.submits = submits;
        database.statements().require("run.end", "run.end-waiting", "run.cancel-ended", "run.find", "run.lock");
    }

    /**
     * Ends a run that this holder has, and answers how: a link of a chain that is to be DONE is STOPPED if somebody wishes that,
     * so that the next one does not begin. Empty if its fence is no longer good.
     */
    Optional<RunState> end(Claim claim, RunState state, @Nullable String error) {
        return database.transaction(
                "Run " + claim.id() + " may not have been ended as " + state + "; it is tried again.",
                session -> end(session, claim, state, error));
    }

    Optional<RunState> end(Session session, Claim claim, RunState state, @Nullable String error) throws SQLException {
        Optional<Chained> chained = state == RunState.DONE ? chain(session, claim.id()) : Optional.empty();
        RunLanes.Locked locked = lanes.lock(
                session,
                Optional.of(claim.id()),
                chained.map(next -> next.chain().get(0).lanes()).orElse(Collections.emptyNavigableSet()));
        boolean ended = session.sql("run.end")
                        .set("run", claim.id())
                        .set("fence", claim.fence())
                        .set("scope", scope)
                        .set("state", state.name())
                        .set("if_stopped", chained.isPresent() ? RunState.STOPPED.name() : state.name())
                        .set("error", error)
                        .update()
                == 1;
        if (!ended) {
            return Optional.empty();
        }
        lanes.leave(session, claim.id(), locked);
        RunState reached = chained.isPresent() ? stateOf(session, claim.id()) : state;
        if (chained.isPresent() && reached == RunState.DONE) {
            submits.insert(session, next(claim.id(), chained.get()), locked);
        }
        lanes.promote(session, locked);
        return Optional.of(reached);
    }

    private RunState stateOf(Session session, long run) throws SQLException {
        return session.sql("run.outcome")
                .set("run", run)
                .set("scope", scope)
                .first(row -> RunState.valueOf(row.text("state")))
                .orElseThrow();
    }

    private Optional<Chained> chain(Session session, long run) throws SQLException {
        return session.sql("run.find")
                .set("run", run)
                .set("scope", scope)
                .first(row -> new Chained(
                        row.optionalText("subject"),
                        Names.map(row.text("parameters")),
                        Link.read(row.text("chain")),
                        row.optionalLong("first_id")))
                .filter(found -> !found.chain().isEmpty());
    }

    private static SubmitTable.Ticket next(long run, Chained chained) {
        List<Link> chain = chained.chain();
        return new SubmitTable.Ticket(
                chain.get(0),
                chained.subject(),
                chained.parameters(),
                Duration.ZERO,
                chain.subList(1, chain.size()),
                Optional.of(chained.first().orElse(run)),
                Optional.empty());
    }

    /** Ends a run that nobody has; false if it does not wait. */
    boolean endWaiting(long run, RunState state) {
        for (int tries = 1; tries <= TRIES; tries++) {
            Optional<Boolean> ended = tryToEndWaiting(run, state);
            if (ended.isPresent()) {
                return ended.get();
            }
        }
        return false;
    }

    /** Empty if it was put into its lanes meanwhile, or left them: they must be locked before it is. */
    private Optional<Boolean> tryToEndWaiting(long run, RunState state) {
        return database.transaction("Run " + run + " was not changed.", session -> {
            RunLanes.Locked locked = lanes.lock(session, Optional.of(run), List.of());
            session.sql("run.lock").set("run", run).set("scope", scope).list(row -> row.longValue("id"));
            if (!lanes.areThoseOf(session, run, locked)) {
                return Optional.empty();
            }
            boolean ended = session.sql("run.end-waiting")
                            .set("run", run)
                            .set("scope", scope)
                            .set("state", state.name())
                            .update()
                    == 1;
            if (ended) {
                lanes.leave(session, run, locked);
                lanes.promote(session, locked);
            }
            return Optional.of(ended);
        });
    }

    /** Gives up a run that was stopped or failed. */
    boolean cancelEnded(long run) {
        return database.once(
                        "Run " + run + " was not cancelled.",
                        session -> session.sql("run.cancel-ended")
                                .set("run", run)
                                .set("scope", scope)
                                .update())
                == 1;
    }
}
