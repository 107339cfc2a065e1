package dev.turno.benchmarks.runners;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** In the long version only: some peers look for work every five seconds. */
@EnabledIfSystemProperty(named = "turno.scale", matches = "full")
class RunnersTest {

    private static final int ITEMS = 60;
    private static final int PATIENCE_SECONDS = 60;

    static Stream<Arguments> everybody_everywhere() {
        return Arrays.stream(TestDatabase.values())
                .flatMap(kind -> Stream.concat(Stream.of(Runners.named("turno")), Runners.peers().stream())
                        .filter(runner -> runner.runsOn(kind))
                        .map(runner -> Arguments.of(kind, runner.who())));
    }

    @ParameterizedTest
    @MethodSource("everybody_everywhere")
    void what_is_stored_before_and_after_the_start_runs_once(TestDatabase kind, String who) throws Exception {
        Runner runner = Runners.named(who);
        AtomicIntegerArray runs = new AtomicIntegerArray(ITEMS);
        try (FreshDatabase database = kind.freshOnServer();
                HikariDataSource pool = database.newPool(database.url(), Runner.CONNECTIONS)) {
            runner.create(pool, kind);
            try (Runner.Node node = runner.open(pool, kind)) {
                node.putAll(0, ITEMS / 3);
                node.put(ITEMS / 3);
                assertThat(node.left()).isEqualTo(ITEMS / 3 + 1);

                node.start(runs::incrementAndGet);
                for (int number = ITEMS / 3 + 1; number < ITEMS; number++) {
                    node.put(number);
                }

                awaitNothingLeft(node, runs);
                assertThat(IntStream.range(0, ITEMS).map(runs::get)).containsOnly(1);
                assertThat(node.left()).isZero();
            }
        }
    }

    private static void awaitNothingLeft(Runner.Node node, AtomicIntegerArray runs) throws Exception {
        long end = System.nanoTime() + PATIENCE_SECONDS * 1_000_000_000L;
        while (System.nanoTime() < end
                && (node.left() > 0 || IntStream.range(0, ITEMS).anyMatch(number -> runs.get(number) == 0))) {
            Thread.sleep(50);
        }
    }
}
