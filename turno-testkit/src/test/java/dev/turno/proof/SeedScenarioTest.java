package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two instances of an application and a web service that must not be called twice for the same presentation. */
@Tag("alone")
@OnEveryDatabase(onServer = true)
class SeedScenarioTest {

    private static final int MESSAGES = 1_000;
    private static final int THREADS = 8;
    private static final int TAKES = 9;
    private static final long NOT_BLOCKED_MS = 100;

    /** Nobody dies here, and nobody is to be declared dead because the machine stands still for a moment. */
    private static final Duration LEASE = Duration.ofSeconds(15);

    private final FreshDatabase database;

    SeedScenarioTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void two_processes_call_the_service_once_for_each_of_a_thousand_messages() throws Exception {
        try (WebService service = WebService.start();
                Stage stage = Stage.on(database, LEASE)) {
            List<ChildProcess> nodes =
                    List.of(caller(stage, service, "a", THREADS), caller(stage, service, "b", THREADS));
            nodes.forEach(Stage::ready);
            // As many as one process has threads: it cannot do all before the other one has begun.
            List<String> held =
                    IntStream.range(0, THREADS).mapToObj(n -> "m" + n).toList();
            held.forEach(service::hold);

            long before = System.nanoTime();
            stage.put(MESSAGES, "{}", "m");
            nodes.forEach(node -> node.send("handle " + Stage.ORDERS));
            Stage.until(() -> service.calls().stream()
                            .map(WebService.Call::node)
                            .distinct()
                            .count()
                    == 2);
            held.forEach(service::letGo);
            stage.untilStates(Map.of("DONE", MESSAGES));
            long millis = (System.nanoTime() - before) / 1_000_000;

            // A call that had no answer may have come in, and is made again: that much nobody can promise.
            List<String> unanswered = saying(nodes, CallHandler.FAILED);
            assertThat(service.calls())
                    .as("calls, while %s and %s", unanswered, saying(nodes, "WARN"))
                    .hasSizeBetween(MESSAGES, MESSAGES + unanswered.size());
            assertThat(service.times()).hasSize(MESSAGES);
            assertThat(stage.accepted())
                    .hasSize(MESSAGES)
                    .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
            Map<String, Long> shares = service.calls().stream()
                    .collect(Collectors.groupingBy(WebService.Call::node, Collectors.counting()));
            assertThat(shares).containsOnlyKeys("a", "b");
            Figures.say(
                    "seed",
                    database.kind(),
                    MESSAGES + " messages, " + service.calls().size() + " calls, of them without an answer "
                            + unanswered.size() + ", shared " + shares + " in "
                            + millis + " ms");
        }
    }

    @Test
    void a_claim_is_seen_from_outside_and_blocks_nobody_while_its_handler_runs() throws Exception {
        try (WebService service = WebService.start();
                Stage stage = Stage.on(database, LEASE)) {
            ChildProcess a = caller(stage, service, "a", 1);
            ChildProcess b = stage.node("b");
            Stage.ready(a).send("handle " + Stage.ORDERS);
            Stage.ready(b).send("take nothing-here"); // the first of everything is slow
            service.hold("held");
            stage.orders().put("held", "{}");
            Stage.until(() -> service.wasCalledFor("held"));
            stage.put(TAKES, "{}", "m");

            List<Long> micros = new ArrayList<>();
            for (int i = 0; i < TAKES; i++) {
                micros.add(takeBy(b));
            }

            assertThat(stage.hands()).isEqualTo(Map.of("DOING a", 1, "DOING b", TAKES));
            List<Long> sorted = micros.stream().sorted().toList();
            // The middle one, because this machine may have other things to do; a blocked one would wait for the
            // service.
            assertThat(sorted.get(TAKES / 2) / 1_000).isLessThan(NOT_BLOCKED_MS);
            service.letGo("held");
            Stage.until(() -> stage.states().getOrDefault("DONE", 0) == 1);
            Figures.say(
                    "seed-claim",
                    database.kind(),
                    "seen as DOING by a while its handler ran; " + TAKES + " takes by b beside it: median "
                            + sorted.get(TAKES / 2) + " max " + sorted.get(TAKES - 1) + " us");
        }
    }

    private static List<String> saying(List<ChildProcess> nodes, String what) {
        return nodes.stream()
                .flatMap(node -> Stream.concat(node.lines().stream(), node.errors().stream()))
                .filter(line -> line.contains(what))
                .toList();
    }

    private static ChildProcess caller(Stage stage, WebService service, String name, int threads) {
        return stage.node(name, "does=call", "service=" + service.port(), "threads=" + threads);
    }

    private static long takeBy(ChildProcess node) {
        node.send("take " + Stage.ORDERS);
        String said = node.awaitLine(line -> line.startsWith("took 1 "), Stage.SOON);
        return Long.parseLong(said.substring("took 1 ".length()));
    }
}
