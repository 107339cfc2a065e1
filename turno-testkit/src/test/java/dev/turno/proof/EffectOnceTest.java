package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("processes")
@OnEveryDatabase(onServer = true)
class EffectOnceTest {

    private static final int KILLS = Scale.of(10, 100);
    private static final int WAITING = 300;
    private static final int LONGEST_LIFE_MS = 600;

    private final FreshDatabase database;

    EffectOnceTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void an_effect_in_the_handlers_transaction_happens_once_however_often_the_process_is_killed() throws Exception {
        assumeTrue(database.kind() != TestDatabase.H2 || Scale.isFull(), "H2 with -Dturno.scale=full only");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (Stage stage = Stage.on(database)) {
            stage.bystander();
            int messages = 0;
            for (int kill = 0; kill < KILLS; kill++) {
                messages += fill(stage, kill);
                ChildProcess node = Stage.ready(start(stage, kill));
                Thread.sleep(random.nextInt(LONGEST_LIFE_MS));
                node.kill9();
            }
            start(stage, KILLS);
            stage.untilStates(Map.of("DONE", messages));

            assertThat(stage.ledger().times())
                    .hasSize(messages)
                    .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
            assertThat(stage.accepted())
                    .hasSize(messages)
                    .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
            int interrupted = stage.number("select count(*) from turno_inbox where attempt > 1");
            assertThat(interrupted).isPositive();
            Figures.say(
                    "effect",
                    database.kind(),
                    messages + " messages, killed " + KILLS + " times, " + interrupted
                            + " were in the hands of a killed process, effects lost 0, effects twice 0 (seed " + seed
                            + ")");
        }
    }

    /** So that each process has enough to do until it is killed. */
    private static int fill(Stage stage, int round) throws SQLException {
        int missing = Math.max(0, WAITING - stage.states().getOrDefault("PENDING", 0));
        stage.put(missing, "{}", "k" + round + "-");
        return missing;
    }

    private static ChildProcess start(Stage stage, int number) {
        return stage.node("n" + number, "does=write", "inbox=" + Stage.ORDERS, "attempts=1000");
    }
}
