package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.run.Job;
import dev.turno.run.RunRequest;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("alone")
@OnEveryDatabase
class RunStartTest {

    private static final int RUNS = Scale.of(400, 2_000);
    private static final int SLOTS = 2;
    private static final int WARM_UP = 20;
    private static final int SHARE =
            Scale.of(90, 99); // a machine that builds something else meanwhile stalls now and then
    private static final long BOUND_MS = 50;

    private final FreshDatabase database;

    RunStartTest(FreshDatabase database) {
        this.database = database;
    }

    /** From the end of a run's last item until the first item of another: the end is stored in between. */
    @Test
    void a_queued_run_starts_soon_after_a_slot_came_free() {
        List<Long> begins = new CopyOnWriteArrayList<>();
        List<Long> ends = new CopyOnWriteArrayList<>();
        HikariDataSource pool = database.newPool(database.url(), 10);
        try (pool;
                Turno turno = Turno.start(pool)) {
            Runs runs = turno.runs();
            runs.limitQueued(RUNS);
            runs.limitPerCluster(SLOTS);
            runs.add(Job.of(
                    "short",
                    Source.iterator(run -> List.of(1).iterator()),
                    Step.outside(Step.each((item, page) -> begins.add(System.nanoTime()))),
                    choices -> choices.afterRun(run -> {
                        Thread.sleep(5);
                        ends.add(System.nanoTime());
                    })));
            for (int i = 0; i < RUNS; i++) {
                runs.submit(RunRequest.of("short").on("S" + i)).orThrow();
            }
            turno.work(runs);
            await().atMost(Duration.ofMinutes(2)).until(() -> ends.size() == RUNS);
        }
        List<Long> millis = new ArrayList<>();
        for (int i = WARM_UP; i + SLOTS < RUNS; i++) {
            millis.add(Math.max(0, begins.get(i + SLOTS) - ends.get(i)) / 1_000_000);
        }
        Figures.say("run-start", database.kind(), "from a free slot to the next run " + Figures.spread(millis));
        List<Long> sorted = millis.stream().sorted().toList();
        assertThat(sorted.get(sorted.size() * SHARE / 100)).isLessThan(BOUND_MS);
    }
}
