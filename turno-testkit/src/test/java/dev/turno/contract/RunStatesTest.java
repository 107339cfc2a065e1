package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.claim.Claim;
import dev.turno.claim.HolderId;
import dev.turno.claim.Verdict;
import dev.turno.run.Job;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.run.StoredRun;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Walks every state with every act: no act moves a run along an arrow that the enum does not have. */
@OnEveryDatabase
class RunStatesTest {

    @FunctionalInterface
    private interface Act {
        void on(Claim claim) throws SQLException;
    }

    private final FreshDatabase database;
    private final Cluster cluster;
    private final Node node;
    private final Runs runs;
    private final Map<String, Act> acts = new LinkedHashMap<>();

    RunStatesTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.stepwise(database);
        this.node = cluster.node("a");
        this.runs = node.turno().runs();
        runs.limitPerCluster(1_000);
        runs.limitQueued(1_000);
        runs.add(Job.of("job", Source.iterator(run -> List.<String>of().iterator()), Step.each((item, page) -> {})));
        HolderId holder = node.turno().holder();
        acts.put("take", claim -> runs.rows().take(holder, 100));
        acts.put("take after lapse", claim -> {
            cluster.time().forward(Duration.ofDays(1));
            runs.rows().take(holder, 100);
        });
        acts.put("done", claim -> finish(new Verdict.Done(claim)));
        acts.put("again", claim -> finish(new Verdict.Again(claim, Duration.ZERO, "e")));
        acts.put("dead", claim -> finish(new Verdict.Dead(claim, "e")));
        acts.put("give back", claim -> runs.rows().giveBack(holder, List.of(claim)));
        acts.put("give back unknown", claim -> runs.rows().giveBackUnknown(holder, List.of()));
        acts.put("stop", claim -> runs.stop(claim.id()));
        acts.put("cancel", claim -> runs.cancel(claim.id()));
        acts.put("resume", claim -> runs.resume(claim.id()));
        acts.put("finish in a transaction", claim -> {
            try (Connection connection = database.dataSource().getConnection()) {
                runs.rows().finishIn(connection, holder, claim);
            }
        });
        acts.put("prune", claim -> runs.prune());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private void finish(Verdict verdict) {
        runs.rows().finish(node.turno().holder(), List.of(verdict));
    }

    @Test
    void every_act_on_every_state_follows_an_arrow_and_leaves_the_lane_to_the_next_when_it_is_over()
            throws SQLException {
        int number = 0;
        for (RunState from : RunState.values()) {
            for (Map.Entry<String, Act> act : acts.entrySet()) {
                String subject = "S" + number++;
                Claim claim = bring(from, subject);

                act.getValue().on(claim);

                StoredRun after = runs.find(claim.id()).orElseThrow();
                String what = act.getKey() + " on " + from + " made it " + after.state();
                if (after.state() != from) {
                    assertThat(from.next()).as(what).contains(after.state());
                }
                assertThat(after.fence()).as(what).isGreaterThanOrEqualTo(claim.fence());
                boolean waits = List.of(RunState.PENDING, RunState.PARKED, RunState.DOING)
                        .contains(after.state());
                assertThat(after.turnAt().isPresent()).as(what).isEqualTo(waits);
                // Whoever comes next in this lane has its turn exactly if this run has left it.
                long next = runs.submit(RunRequest.of("job").on(subject)).orThrow();
                assertThat(runs.find(next).orElseThrow().turnAt().isPresent())
                        .as(what)
                        .isEqualTo(!waits);
                runs.cancel(next);
                sweep();
            }
        }
    }

    /** A fresh run in this state, with the claim that led there. */
    private Claim bring(RunState state, String subject) throws SQLException {
        long id = runs.submit(RunRequest.of("job").on(subject)).orThrow();
        if (state == RunState.PENDING) {
            return new Claim(id, 0);
        }
        if (state == RunState.CANCELLED) {
            runs.cancel(id);
            return new Claim(id, 0);
        }
        Claim claim = runs.rows().take(node.turno().holder(), 1).get(0).claim();
        switch (state) {
            case DONE -> finish(new Verdict.Done(claim));
            case DEAD -> finish(new Verdict.Dead(claim, "e"));
            case PARKED, STOPPED -> {
                finish(new Verdict.Again(claim, Duration.ZERO, "e"));
                if (state == RunState.STOPPED) {
                    runs.stop(id);
                } else {
                    execute("update turno_run set state = 'PARKED' where id = " + id);
                }
            }
            default -> assertThat(state).isEqualTo(RunState.DOING);
        }
        return claim;
    }

    /** Nothing of this try is in the way of the next. */
    private void sweep() throws SQLException {
        execute("delete from turno_run");
        execute("delete from turno_run_lane");
        execute("delete from turno_lane");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
