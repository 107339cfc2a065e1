package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TcpProxy;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The database carries out what it is asked, but for longer than the lease the only node does not hear of it. */
@Tag("processes")
@OnEveryDatabase(onServer = true)
class LostAnswersTest {

    private static final int CUTS = Scale.of(2, 10);
    private static final Duration CUT = Stage.LEASE.multipliedBy(5).dividedBy(2);
    private static final Duration BETWEEN = Duration.ofSeconds(2);

    private final FreshDatabase database;

    LostAnswersTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void what_was_taken_or_finished_without_an_answer_is_neither_stuck_nor_lost_nor_repeated() throws Exception {
        assumeTrue(
                database.kind() == TestDatabase.POSTGRESQL || Scale.isFull(),
                "on PostgreSQL, which takes in one statement; elsewhere with -Dturno.scale=full only");
        try (WebService service = WebService.start();
                TcpProxy way = TcpProxy.to(database.port());
                Stage stage = Stage.on(database);
                Producer producer = Producer.start(stage.orders())) {
            ChildProcess node = Stage.ready(stage.node(
                    "only",
                    "does=call",
                    "service=" + service.port(),
                    "inbox=" + Stage.ORDERS,
                    "url=" + database.urlThrough(way.port())));

            for (int cut = 0; cut < CUTS; cut++) {
                Thread.sleep(BETWEEN.toMillis());
                way.blackholeAnswers();
                Thread.sleep(CUT.toMillis());
                way.pass();
            }
            producer.close();
            stage.untilStates(Map.of("DONE", producer.stored().size()));

            assertThat(stage.accepted())
                    .containsOnlyKeys(producer.stored())
                    .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
            assertThat(service.calls()).hasSize(producer.stored().size());
            assertThat(Stage.count(node, "turno.claims.lost")).isZero();
            Figures.say(
                    "lost-answers",
                    database.kind(),
                    producer.stored().size() + " messages, answers cut off " + CUTS + " times for " + CUT.toMillis()
                            + " ms, taken without an answer and given back "
                            + Stage.count(node, "turno.given.back")
                            + ", lost 0, called twice 0, own finishes refused 0");
        }
    }
}
