package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.turno.run.Job;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.run.StoredRun;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("processes")
@OnEveryDatabase(onServer = true)
class KilledRunTest {

    private static final int ROWS = Scale.of(100_000, 1_000_000);
    private static final int KILLS = Scale.of(2, 20);
    private static final int PAGES = ROWS / RunNode.COPY_PAGE;

    private final FreshDatabase database;

    KilledRunTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void a_run_goes_on_after_its_last_stored_page_however_often_its_process_is_killed() throws Exception {
        assumeTrue(database.kind() == TestDatabase.POSTGRESQL || Scale.isFull(), "others with -Dturno.scale=full only");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (RunStage stage = RunStage.on(database, Stage.LEASE)) {
            stage.execute("create table proof_item (id bigint primary key)");
            stage.execute("create table proof_copy (id bigint)");
            fill(stage);
            stage.runs()
                    .add(Job.of(
                            RunNode.COPY,
                            Source.iterator(run -> List.<Long>of().iterator()),
                            Step.each((item, page) -> {})));
            long id =
                    stage.runs().submit(RunRequest.of(RunNode.COPY).on("rows")).orThrow();
            for (int kill = 0; kill < KILLS; kill++) {
                String name = "n" + kill;
                ChildProcess node = RunStage.ready(stage.node(name));
                long before = run(stage, id).progress().completed();
                // A few pages further on, at a random point; not so far that there is nothing left for the last ones.
                long enough = before + 1 + random.nextInt(ROWS / (KILLS + 1) / 2);
                await().atMost(Duration.ofMinutes(3))
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> run(stage, id).progress().completed() >= enough);
                Thread.sleep(random.nextInt(10));
                node.kill9();
            }
            stage.node("last");
            await().atMost(Duration.ofMinutes(5)).until(() -> run(stage, id).state() == RunState.DONE);

            long pages = stage.ledger().lines().stream()
                    .filter(line -> line.startsWith("page "))
                    .count();
            long copied = stage.number("select count(*) from proof_copy");
            long distinct = stage.number("select count(distinct id) from proof_copy");
            long fence = run(stage, id).fence();
            Figures.say(
                    "run-kill",
                    database.kind(),
                    ROWS + " rows, killed " + KILLS + " times (" + (fence - 1) + " while it had the run): skipped "
                            + (ROWS - distinct) + ", twice " + (copied - distinct) + ", pages redone "
                            + (pages - PAGES) + " (seed " + seed + ")");
            assertThat(distinct).isEqualTo(ROWS);
            assertThat(copied).isEqualTo(ROWS);
            // One for each time that it was taken anew: a machine that stands still may add to the kills.
            assertThat(pages - PAGES).isLessThanOrEqualTo(Math.max(KILLS, fence - 1));
            assertThat(fence - 1).isPositive();
            assertThat(run(stage, id).progress().completed()).isEqualTo(ROWS);
        }
    }

    private static StoredRun run(RunStage stage, long id) {
        return stage.runs().find(id).orElseThrow();
    }

    private static void fill(RunStage stage) throws SQLException {
        try (Connection connection = stage.pool().getConnection();
                PreparedStatement insert = connection.prepareStatement("insert into proof_item (id) values (?)")) {
            connection.setAutoCommit(false);
            for (long row = 1; row <= ROWS; row++) {
                insert.setLong(1, row);
                insert.addBatch();
                if (row % 10_000 == 0) {
                    insert.executeBatch();
                }
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }
}
