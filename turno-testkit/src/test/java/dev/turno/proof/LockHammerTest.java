package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.lock.Lease;
import dev.turno.lock.LockTerms;
import dev.turno.lock.Locks;
import dev.turno.lock.TakeOutcome;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("processes")
@OnEveryDatabase(onServer = true)
class LockHammerTest {

    private static final int THREADS = 8;
    private static final Duration LONG = Duration.ofSeconds(Scale.of(4, 25));
    private static final Duration SHORT = Duration.ofSeconds(Scale.of(1, 5));
    private static final int NAMES = Scale.of(100, 300);

    private final FreshDatabase database;

    LockHammerTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void no_two_hold_one_lock_at_once_and_fences_only_grow_also_through_restart_and_clean_up() throws Exception {
        try (LockStage stage = LockStage.on(database)) {
            ChildProcess one = stage.node("one", LONG);
            ChildProcess two = stage.node("two", LONG);
            hammer(LONG, one, two);
            two.kill9();
            Thread.sleep(1_500);
            int removed = stage.locks().cleanUp();
            hammer(SHORT, one, stage.node("two-again", LONG));

            LockStays stays = LockStays.read(stage.ledger().lines());
            Figures.say(
                    "lock hammer",
                    database.kind(),
                    stays + ", overlaps " + stays.overlaps().size());
            assertThat(stays.overlaps()).isEmpty();
            assertThat(stays.fences()).isSorted().doesNotHaveDuplicates();
            // So that there was something to see, also on a machine that has much else to do.
            assertThat(stays.allFences()).doesNotHaveDuplicates().hasSizeGreaterThan(Scale.of(30, 200));
            assertThat(removed).isEqualTo(1);
        }
    }

    private static void hammer(Duration time, ChildProcess... nodes) {
        List.of(nodes).forEach(node -> node.send("hammer report " + time.toMillis() + " " + THREADS));
        List.of(nodes).forEach(node -> node.awaitLine("hammered"::equals, time.plus(Stage.SOON)));
    }

    @Test
    void of_sixteen_threads_exactly_one_gets_each_fresh_name() throws Exception {
        LockTerms terms = LockTerms.of(t -> t.lease(Duration.ofHours(1)).renewing(false));
        ExecutorService threads = Executors.newFixedThreadPool(2 * THREADS);
        try (LockStage stage = LockStage.on(database);
                LockStage other = LockStage.beside(stage)) {
            var barrier = new CyclicBarrier(2 * THREADS);
            List<Callable<Integer>> takers = IntStream.range(0, 2 * THREADS)
                    .<Callable<Integer>>mapToObj(i -> () -> wins((i % 2 == 0 ? stage : other).locks(), terms, barrier))
                    .toList();
            int wins = 0;
            for (Future<Integer> future : threads.invokeAll(takers)) {
                wins += future.get();
            }

            Figures.say(
                    "lock fresh names", database.kind(), NAMES + " names x " + 2 * THREADS + " threads, wins " + wins);
            assertThat(wins).isEqualTo(NAMES);
            assertThat(stage.locks().list(Optional.empty(), 1_000).items()).hasSize(NAMES);
        } finally {
            threads.shutdownNow();
        }
    }

    private static int wins(Locks locks, LockTerms terms, CyclicBarrier barrier) throws Exception {
        int wins = 0;
        for (int i = 0; i < NAMES; i++) {
            barrier.await(Stage.SOON.toSeconds(), TimeUnit.SECONDS); // else all wait for one that has failed
            TakeOutcome<Lease> outcome = locks.tryTake("name-" + i, terms);
            assertThat(outcome).isNotInstanceOf(TakeOutcome.Unavailable.class);
            wins += outcome instanceof TakeOutcome.Taken ? 1 : 0;
        }
        return wins;
    }
}
