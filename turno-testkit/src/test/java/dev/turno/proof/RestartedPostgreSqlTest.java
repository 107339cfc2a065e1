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
import dev.turno.testkit.database.TcpProxy;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The server is killed, and stopped in order for much longer than the lease, while messages are put and handled. */
@Tag("alone")
@OnDatabase(TestDatabase.POSTGRESQL)
class RestartedPostgreSqlTest {

    /** A pool may rest for five seconds between its tries; with less than that, who is late is declared dead, and rightly. */
    private static final Duration LEASE = Duration.ofSeconds(8);

    private static final int KILLS = Scale.of(1, 10);
    private static final Duration AWAY = LEASE.plusSeconds(Scale.of(2, 52));
    private static final Duration BACK_WITHIN = Duration.ofSeconds(10);
    private static final Duration UNDER_LOAD = Duration.ofMillis(1_500);
    private static final List<String> SLOW =
            IntStream.range(0, 6).mapToObj(n -> "slow" + n).toList();

    private final RestartableServer server = TestDatabase.POSTGRESQL.newServer();
    private final FreshDatabase database = server.fresh();

    /** The way of node b, which finds back later than node a. */
    private final TcpProxy detour = TcpProxy.to(server.port());

    @AfterEach
    void close() {
        detour.close();
        database.close();
        server.close();
    }

    @Test
    void effects_in_the_handlers_transaction_happen_once_and_none_is_lost() throws Exception {
        // A short lease, so that whoever is late is declared dead into the bargain.
        try (Stage stage = Stage.on(database);
                Producer producer = Producer.start(stage.orders())) {
            List.of(a(stage, "does=write"), b(stage, "does=write")).forEach(Stage::ready);

            List<Long> resumed = sufferOutages(stage, producer);
            assertAllDone(stage, producer);

            assertOnce(stage.ledger().times(), producer);
            Figures.say(
                    "restart-in-transaction",
                    database.kind(),
                    figures(producer, resumed) + ", effects lost 0, effects twice 0, accepted twice 0");
        }
    }

    @Test
    void batched_finishes_are_accepted_once_and_an_outage_makes_nobody_repeat_anything() throws Exception {
        try (WebService service = WebService.start();
                Stage stage = Stage.on(database, LEASE);
                Producer producer = Producer.start(stage.orders())) {
            String port = "service=" + service.port();
            SLOW.forEach(service::hold);
            SLOW.forEach(producer::putUntilStored);
            ChildProcess b = b(stage, "does=call", port);
            Stage.until(() -> SLOW.stream().allMatch(service::wasCalledFor));
            List<ChildProcess> nodes = List.of(Stage.ready(a(stage, "does=call", port)), b);

            List<Long> resumed = sufferOutages(stage, producer);
            // Nobody may be declared dead for what the server did, so these are still in the hands of b.
            Thread.sleep(LEASE.toMillis());
            SLOW.forEach(service::letGo);
            assertAllDone(stage, producer);

            int repeated = service.calls().size() - service.times().size();
            Figures.say(
                    "restart-batched",
                    database.kind(),
                    figures(producer, resumed) + ", " + SLOW.size() + " handlers under way throughout, calls lost 0,"
                            + " calls repeated " + repeated + ", accepted twice 0");
            assertOnce(service.times(), producer);
            Stage.until(() -> counted(nodes, "turno.done") == producer.stored().size());
            assertThat(counted(nodes, "turno.holder.declared.dead")).isZero();
        }
    }

    private static ChildProcess a(Stage stage, String... wishes) {
        return node(stage, "a", wishes);
    }

    private ChildProcess b(Stage stage, String... wishes) {
        List<String> all = new ArrayList<>(List.of(wishes));
        all.add("url=" + database.urlThrough(detour.port()));
        return node(stage, "b", all.toArray(String[]::new));
    }

    private static ChildProcess node(Stage stage, String name, String... wishes) {
        List<String> all = new ArrayList<>(List.of(wishes));
        all.addAll(List.of("inbox=" + Stage.ORDERS, "attempts=100"));
        return stage.node(name, all.toArray(String[]::new));
    }

    private static long counted(List<ChildProcess> nodes, String name) {
        return nodes.stream().mapToLong(node -> Stage.count(node, name)).sum();
    }

    /** Answers after how many milliseconds a new message was done, each time that the server was back. */
    private List<Long> sufferOutages(Stage stage, Producer producer) throws Exception {
        List<Long> resumed = new ArrayList<>();
        for (int kill = 0; kill < KILLS; kill++) {
            Thread.sleep(UNDER_LOAD.toMillis());
            server.kill9();
            Thread.sleep(500);
            resumed.add(back(stage, producer, "killed" + kill));
        }
        Thread.sleep(UNDER_LOAD.toMillis());
        server.shutDown();
        detour.reset();
        long until = System.nanoTime() + AWAY.toNanos();
        assertSaysWhatToDo(stage);
        Thread.sleep(Math.max(0, (until - System.nanoTime()) / 1_000_000));
        resumed.add(back(stage, producer, "stopped"));
        Thread.sleep(UNDER_LOAD.toMillis());
        assertThat(resumed)
                .allSatisfy(millis -> assertThat(Duration.ofMillis(millis)).isLessThan(BACK_WITHIN));
        return resumed;
    }

    private long back(Stage stage, Producer producer, String probe) throws SQLException {
        server.restart();
        long start = System.nanoTime();
        untilBackAtWork("a");
        detour.pass();
        producer.putUntilStored(probe);
        Stage.until(() -> stage.orders().find(probe).orElseThrow().state() == InboxState.DONE);
        return (System.nanoTime() - start) / 1_000_000;
    }

    private void untilBackAtWork(String node) throws SQLException {
        String alive = "select count(*) from turno_holder where node = '" + node + "' and lease_until > now()";
        try (Connection connection = DriverManager.getConnection(database.url(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            Stage.until(() -> {
                try (ResultSet row = statement.executeQuery(alive)) {
                    return row.next() && row.getInt(1) == 1;
                }
            });
        }
    }

    private void assertSaysWhatToDo(Stage stage) {
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

    private static void assertAllDone(Stage stage, Producer producer) throws Exception {
        producer.close();
        assertThat(producer.surprises()).isEmpty();
        assertThat(producer.failures()).isPositive();
        stage.untilStates(Map.of("DONE", producer.stored().size()));
        assertOnce(stage.accepted(), producer);
    }

    private static void assertOnce(Map<String, Integer> times, Producer producer) {
        assertThat(times)
                .containsOnlyKeys(producer.stored())
                .allSatisfy((id, each) -> assertThat(each).isEqualTo(1));
    }

    private static String figures(Producer producer, List<Long> resumed) {
        return producer.stored().size() + " messages, " + producer.failures()
                + " puts refused and repeated, server killed " + KILLS + " times and stopped for " + AWAY.toSeconds()
                + " s, resumed after " + resumed + " ms";
    }
}
