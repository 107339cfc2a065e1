package dev.turno.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.run.Job;
import dev.turno.run.Run;
import dev.turno.run.RunRequest;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What submit, take and finish of a run cost on PostgreSQL, in pages touched: it must not depend on the history. */
@OnDatabase(TestDatabase.POSTGRESQL)
class RunHistoryTest {

    private static final int HISTORY = "full".equals(System.getProperty("turno.scale")) ? 2_000_000 : 100_000;
    private static final int ROUNDS = 20;

    private final FreshDatabase database;
    private final Turno turno;
    private final Runs runs;

    RunHistoryTest(FreshDatabase database) {
        this.database = database;
        this.turno = Turno.open(database.dataSource(), TurnoOptions.defaults());
        this.runs = turno.runs();
        runs.add(
                Job.of("harvest", Source.iterator(run -> List.<String>of().iterator()), Step.each((item, page) -> {})));
    }

    @AfterEach
    void close() {
        turno.close();
    }

    @Test
    void finished_runs_do_not_slow_down_submit_and_take() throws SQLException {
        execute("alter table turno_run set (autovacuum_enabled = off)");
        round();
        long few = pagesOfRounds();
        fill();
        round();
        long many = pagesOfRounds();

        System.out.printf(
                "PROOF run history: submit, take and finish touch %d pages with no history and %d with %,d runs in it%n",
                few / ROUNDS, many / ROUNDS, HISTORY);
        assertThat(many).isLessThan(few * 13 / 10 + 20L * ROUNDS);
    }

    private long pagesOfRounds() throws SQLException {
        long before = pages();
        for (int i = 0; i < ROUNDS; i++) {
            round();
        }
        return pages() - before;
    }

    private void round() {
        runs.submit(RunRequest.of("harvest").on("NETWORK::7")).orThrow();
        List<Taken<Run>> taken = runs.rows().take(turno.holder(), 4);
        assertThat(taken).hasSize(1);
        runs.rows().finish(turno.holder(), List.of(new Verdict.Done(taken.get(0).claim())));
    }

    private void fill() throws SQLException {
        execute("insert into turno_run (scope_id, submitted_at, not_before, lanes_ahead, state, end_state, finished_at,"
                + " incremental, job, subject, lanes, parameters, chain)"
                + " select 1, now(), now(), 0, 'DONE', 'DONE', now(), true, 'harvest', 'NETWORK::' || n % 50, '', '', ''"
                + " from generate_series(1, " + HISTORY + ") n");
        execute("vacuum analyze turno_run");
    }

    private long pages() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_stat_force_next_flush()");
            try (ResultSet result =
                    statement.executeQuery("select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)"
                            + " from pg_statio_user_tables where relname = 'turno_run'")) {
                result.next();
                return result.getLong(1);
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setNetworkTimeout(Runnable::run, 0); // two million rows take their time
            statement.execute(sql);
        }
    }
}
