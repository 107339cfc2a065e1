package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.turno.run.RunRequest;
import dev.turno.run.Runs;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("processes")
@OnEveryDatabase(onServer = true)
class RunHammerTest {

    private static final int RUNS = Scale.of(400, 6_000);
    private static final int KILLS = Scale.of(1, 12);
    private static final int PROCESSES = 3;
    private static final int LANES = 12;
    private static final int SLOTS = 4;
    private static final Duration LONG = Duration.ofMinutes(10);

    /** Whoever stands still in its lane for longer than this is found beside another one, and rightly. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    private final FreshDatabase database;

    RunHammerTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void one_run_in_a_lane_and_no_more_than_there_are_slots_in_order_and_none_lost_however_often_processes_die()
            throws Exception {
        assumeTrue(database.kind() == TestDatabase.POSTGRESQL || Scale.isFull(), "others with -Dturno.scale=full only");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (RunStage stage = RunStage.on(database, LEASE)) {
            Runs runs = stage.runs();
            runs.limitQueued(RUNS);
            runs.limitPerCluster(SLOTS);
            stage.ledger().meet(SLOTS); // however slow the machine is, all slots are taken at once
            List<String> names = new ArrayList<>();
            List<ChildProcess> nodes = new ArrayList<>();
            for (int i = 0; i < PROCESSES; i++) {
                names.add("n" + i);
                nodes.add(stage.node(names.get(i)));
            }
            Thread submitter = new Thread(() -> submit(runs, random), "submitter");
            submitter.start();
            for (int kill = 0; kill < KILLS; kill++) {
                int enough = (kill + 1) * RUNS / (KILLS + 2);
                RunStage.ready(nodes.get(kill));
                await().atMost(LONG).until(() -> finished(stage) >= enough);
                stage.kill(nodes.get(kill), names.get(kill)); // the oldest
                names.add("n" + names.size());
                nodes.add(stage.node(names.get(names.size() - 1)));
            }
            submitter.join();
            await().atMost(LONG).until(() -> finished(stage) == RUNS);

            RunStays stays = RunStays.of(stage.ledger().lines(), SLOTS);
            Figures.say(
                    "runs",
                    database.kind(),
                    RUNS + " runs, " + PROCESSES + " processes, " + LANES + " lanes, " + SLOTS + " slots, " + KILLS
                            + " kills: done " + stays.done() + ", most at once " + stays.mostAtOnce() + ", violations "
                            + stays.violations().size() + " (seed " + seed + ")");
            assertThat(stays.violations()).isEmpty();
            assertThat(stays.done()).isEqualTo(RUNS);
            assertThat(stays.mostAtOnce()).isEqualTo(SLOTS);
            assertThat(stage.number("select count(*) from turno_run where state <> 'DONE'"))
                    .isZero();
        }
    }

    private static long finished(RunStage stage) throws Exception {
        return stage.number("select count(*) from turno_run where end_state = 'DONE'");
    }

    private static void submit(Runs runs, Random random) {
        for (int i = 0; i < RUNS; i++) {
            String subject = "lane-" + random.nextInt(LANES);
            String second = "lane-" + random.nextInt(LANES);
            boolean both = random.nextInt(4) == 0 && !second.equals(subject);
            RunRequest request =
                    RunRequest.of(RunNode.HOP).on(subject).with(RunNode.LANES, both ? subject + "," + second : subject);
            runs.submit(both ? request.inLane(second) : request).orThrow();
        }
    }
}
