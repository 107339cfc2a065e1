package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("alone")
@OnEveryDatabase(onServer = true)
class FrozenNodeTest {

    private static final int MESSAGES = Scale.of(40, 400);

    private final FreshDatabase database;

    FrozenNodeTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void a_node_that_wakes_up_too_late_is_told_and_its_results_are_refused() throws Exception {
        try (Stage stage = Stage.on(database)) {
            ChildProcess sleeper = gate(stage, "sleeper");
            ChildProcess survivor = gate(stage, "survivor");
            stage.put(MESSAGES / 2, GateHandler.HURRIED, "hurried-");
            stage.put(MESSAGES / 2, GateHandler.PATIENT, "patient-");
            Stage.ready(sleeper).send("handle " + Stage.ORDERS);
            Stage.until(() -> stage.ledger().of("sleeper").size() == MESSAGES);
            Stage.ready(survivor).send("handle " + Stage.ORDERS);

            sleeper.stop();
            Stage.until(() -> stage.ledger().of("survivor").size() == MESSAGES);
            sleeper.cont();

            // All of these were under way in both processes; only the newest claim counts.
            Stage.untilCounted(sleeper, "turno.claims.lost", MESSAGES);
            assertThat(stage.hands()).isEqualTo(Map.of("DOING survivor", MESSAGES));
            assertThat(stage.accepted()).isEmpty();
            long told = told(sleeper);
            assertThat(told).isGreaterThanOrEqualTo(MESSAGES / 2);

            survivor.send("open");
            stage.untilStates(Map.of("DONE", MESSAGES));
            Stage.untilCounted(survivor, "turno.done", MESSAGES);
            assertThat(stage.accepted())
                    .hasSize(MESSAGES)
                    .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
            assertThat(Stage.count(sleeper, "turno.done")).isZero();
            assertThat(Stage.count(survivor, "turno.claims.lost")).isZero();
            Figures.say(
                    "freeze",
                    database.kind(),
                    MESSAGES + " under way in a frozen node, stale finishes refused "
                            + Stage.count(sleeper, "turno.claims.lost") + ", handlers told " + told
                            + ", stale accepted 0, accepted twice 0, lost 0");

            assertWorksAgain(stage, sleeper, survivor);
        }
    }

    private static ChildProcess gate(Stage stage, String name) {
        return stage.node(name, "does=gate", "threads=" + MESSAGES);
    }

    private static long told(ChildProcess node) {
        List<String> told =
                node.lines().stream().filter(line -> line.startsWith("told ")).toList();
        assertThat(told)
                .doesNotHaveDuplicates()
                .allSatisfy(line -> assertThat(line).endsWith("lost=true"));
        return told.size();
    }

    /** Under its new id it is a node like any other. */
    private static void assertWorksAgain(Stage stage, ChildProcess sleeper, ChildProcess survivor) throws SQLException {
        survivor.kill9();
        sleeper.send("open");
        stage.put(10, GateHandler.PATIENT, "later-");
        stage.untilStates(Map.of("DONE", MESSAGES + 10));
        Stage.untilCounted(sleeper, "turno.done", 10);
    }
}
