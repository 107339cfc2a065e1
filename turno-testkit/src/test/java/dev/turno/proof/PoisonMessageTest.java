package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.inbox.InboxState;
import dev.turno.inbox.StoredMessage;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("processes")
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

            for (int death = 0; death < ATTEMPTS; death++) {
                assertThat(start(stage, death).awaitExit(Stage.SOON)).isEqualTo(HaltHandler.HALTED);
            }
            ChildProcess last = start(stage, ATTEMPTS);
            stage.untilStates(Map.of("DEAD", 1, "DONE", INNOCENT));

            StoredMessage poison = stage.orders().find(HaltHandler.POISON).orElseThrow();
            Map<String, Integer> begun = stage.ledger().times();
            assertThat(begun.remove(HaltHandler.POISON)).isEqualTo(ATTEMPTS);
            assertThat(poison.state()).isEqualTo(InboxState.DEAD);
            assertThat(poison.error().orElse("")).contains("All 3 attempts ended without a result");
            assertThat(last.isAlive()).isTrue();
            Figures.say(
                    "poison",
                    database.kind(),
                    "killed its process " + ATTEMPTS + " times, then DEAD and not run again; " + INNOCENT
                            + " beside it done, begun at most " + Collections.max(begun.values()) + " times");
        }
    }

    private static ChildProcess start(Stage stage, int number) {
        return stage.node("n" + number, "does=halt", "threads=4", "attempts=" + ATTEMPTS, "inbox=" + Stage.ORDERS);
    }
}
