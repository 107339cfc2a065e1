package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.inbox.InboxState;
import dev.turno.inbox.StoredMessage;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;

@OnEveryDatabase(onServer = true)
class PoisonMessageTest {

    private static final int ATTEMPTS = 3;
    private static final int INNOCENT = 50;

    private final FreshDatabase database;

    PoisonMessageTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void a_message_that_kills_its_process_each_time_ends_dead_and_those_beside_it_are_done() throws Exception {
        try (Stage stage = Stage.on(database)) {
            stage.bystander();
            stage.put(INNOCENT / 2, "{}", "before-");
            stage.orders().put(HaltHandler.POISON, "{}");
            stage.put(INNOCENT / 2, "{}", "after-");

            int deaths = 0;
            ChildProcess node = start(stage, deaths);
            while (isAlive(stage)) {
                assertThat(node.awaitExit(Stage.SOON)).isEqualTo(HaltHandler.HALTED);
                node = start(stage, ++deaths);
                if (deaths == ATTEMPTS) {
                    Stage.until(() -> !isAlive(stage));
                }
            }

            StoredMessage poison = stage.orders().find(HaltHandler.POISON).orElseThrow();
            Map<String, Integer> times = stage.ledger().times();
            stage.untilStates(Map.of("DEAD", 1, "DONE", INNOCENT));
            assertThat(deaths).isEqualTo(ATTEMPTS);
            assertThat(times.get(HaltHandler.POISON)).isEqualTo(ATTEMPTS);
            assertThat(poison.error().orElse("")).contains("All 3 attempts ended without a result");
            assertThat(node.isAlive()).isTrue();
            Figures.say(
                    "poison",
                    database.kind(),
                    "killed its process " + deaths + " times, then DEAD and not run again; " + INNOCENT
                            + " beside it done, begun at most " + Collections.max(times.values()) + " times");
        }
    }

    private static ChildProcess start(Stage stage, int number) {
        return stage.node("n" + number, "does=halt", "threads=4", "attempts=" + ATTEMPTS, "inbox=" + Stage.ORDERS);
    }

    private static boolean isAlive(Stage stage) {
        return stage.orders().find(HaltHandler.POISON).orElseThrow().state() != InboxState.DEAD;
    }
}
