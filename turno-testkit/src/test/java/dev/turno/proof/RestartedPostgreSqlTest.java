package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.inbox.InboxState;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.RestartableServer;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The server is killed, and stopped in order for much longer than the lease, while messages are put and handled. */
@OnDatabase(TestDatabase.POSTGRESQL)
class RestartedPostgreSqlTest {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final int KILLS = Scale.of(1, 10);
    private static final Duration AWAY = Duration.ofSeconds(Scale.of(8, 60));
    private static final Duration BACK_WITHIN = Duration.ofSeconds(10);

    /** What came of it: everything that was stored, and how long after each return a new message was done. */
    private record Outcome(Producer producer, List<Long> resumedAfterMillis) {

        int total() {
            return producer.stored().size();
        }

        String figures() {
            return total() + " messages, " + producer.failures() + " puts refused and repeated, server killed " + KILLS
                    + " times and stopped for " + AWAY.toSeconds() + " s, resumed after "
                    + resumedAfterMillis + " ms";
        }
    }

    @Test
    void effects_in_the_handlers_transaction_happen_once_and_none_is_lost() throws Exception {
        try (RestartableServer server = TestDatabase.POSTGRESQL.newServer();
                FreshDatabase database = server.fresh();
                Stage stage = Stage.on(database, LEASE)) {
            List.of(writer(stage, "a"), writer(stage, "b")).forEach(Stage::ready);

            Outcome outcome = restart(stage, server, database);

            assertThat(stage.ledger().times())
                    .containsOnlyKeys(outcome.producer().stored())
                    .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
            assertAcceptedOnce(stage, outcome);
            Figures.say(
                    "restart-in-transaction",
                    database.kind(),
                    outcome.figures() + ", effects lost 0, effects twice 0, accepted twice 0");
        }
    }

    @Test
    void batched_finishes_are_accepted_once_and_an_outage_makes_nobody_repeat_anything() throws Exception {
        try (WebService service = WebService.start();
                RestartableServer server = TestDatabase.POSTGRESQL.newServer();
                FreshDatabase database = server.fresh();
                Stage stage = Stage.on(database, LEASE)) {
            List<ChildProcess> nodes = List.of(caller(stage, "a", service), caller(stage, "b", service));
            nodes.forEach(Stage::ready);

            Outcome outcome = restart(stage, server, database);

            assertAcceptedOnce(stage, outcome);
            assertThat(service.times()).containsOnlyKeys(outcome.producer().stored());
            int repeated = service.calls().size() - outcome.total();
            Figures.say(
                    "restart-batched",
                    database.kind(),
                    outcome.figures() + ", calls lost 0, calls repeated " + repeated + ", accepted twice 0");
            assertThat(repeated).isZero();
            Stage.until(() -> nodes.stream()
                            .mapToLong(node -> Stage.count(node, "turno.done"))
                            .sum()
                    == outcome.total());
        }
    }

    private static ChildProcess writer(Stage stage, String name) {
        return stage.node(name, "does=write", "inbox=" + Stage.ORDERS, "attempts=100");
    }

    private static ChildProcess caller(Stage stage, String name, WebService service) {
        return stage.node(name, "does=call", "service=" + service.port(), "inbox=" + Stage.ORDERS, "attempts=100");
    }

    private static Outcome restart(Stage stage, RestartableServer server, FreshDatabase database) throws Exception {
        Producer producer = Producer.start(stage.orders());
        List<Long> resumed = new ArrayList<>();
        try (producer) {
            for (int kill = 0; kill < KILLS; kill++) {
                Thread.sleep(1_500);
                server.kill9();
                Thread.sleep(500);
                resumed.add(back(stage, server, producer, "killed-" + kill));
            }
            Thread.sleep(1_500);
            server.shutDown();
            long until = System.nanoTime() + AWAY.toNanos();
            assertSaysWhatToDo(stage, database);
            Thread.sleep(Math.max(0, (until - System.nanoTime()) / 1_000_000));
            resumed.add(back(stage, server, producer, "stopped"));
            Thread.sleep(1_000);
        }
        Stage.until(() -> Map.of("DONE", producer.stored().size()).equals(stage.states()));
        assertThat(producer.surprises()).isEmpty();
        assertThat(producer.failures()).isPositive();
        assertThat(resumed)
                .allSatisfy(millis -> assertThat(Duration.ofMillis(millis)).isLessThan(BACK_WITHIN));
        return new Outcome(producer, resumed);
    }

    /** Starts the server again; answers after how long a message that was put since then was done. */
    private static long back(Stage stage, RestartableServer server, Producer producer, String probe) {
        server.restart();
        long start = System.nanoTime();
        producer.putUntilStored(probe);
        Stage.until(() -> stage.orders().find(probe).orElseThrow().state() == InboxState.DONE);
        return (System.nanoTime() - start) / 1_000_000;
    }

    private static void assertSaysWhatToDo(Stage stage, FreshDatabase database) {
        assertThatThrownBy(() -> stage.orders().put("away", "{}"))
                .isInstanceOf(DatabaseAwayException.class)
                .hasMessageContaining("Message 'away' may not have been stored. Put it again with the same id")
                .hasMessageContaining("The database said: ");
        try (HikariDataSource pool = Pools.open(database.url(), database.user(), database.password(), 1)) {
            assertThatThrownBy(() -> Turno.start(pool))
                    .isInstanceOf(DatabaseAwayException.class)
                    .hasMessageContaining("could not reach the database at start-up")
                    .hasMessageContaining("Check the URL, the account and that the server runs");
        }
    }

    private static void assertAcceptedOnce(Stage stage, Outcome outcome) throws Exception {
        assertThat(stage.accepted())
                .containsOnlyKeys(outcome.producer().stored())
                .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
    }
}
