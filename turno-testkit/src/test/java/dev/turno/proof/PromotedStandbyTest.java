package dev.turno.proof;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.NewMessage;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.PostgreSqlPair;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The primary is killed while messages are put and handled, and its synchronous standby takes its place. */
@Tag("processes")
@OnDatabase(TestDatabase.POSTGRESQL)
class PromotedStandbyTest {

    private static final int PROMOTIONS = Scale.of(1, 6);

    /** So much is acknowledged before each kill, at least. */
    private static final int UNDER_LOAD = Scale.of(150, 1_000);

    private static final String WAITING = "from pg_stat_activity where wait_event = 'SyncRep'";

    private final PostgreSqlPair pair = PostgreSqlPair.start();
    private final FreshDatabase database;

    PromotedStandbyTest() throws SQLException {
        this.database = pair.fresh();
    }

    @AfterEach
    void close() {
        database.close();
        pair.close();
    }

    @Test
    void nothing_acknowledged_is_lost_nothing_is_accepted_twice_and_work_goes_on_by_itself() throws Exception {
        try (Stage stage = Stage.on(database);
                Producer producer = Producer.start(stage.orders());
                Sideshow sideshow = Sideshow.start(stage.bystander(), database.newPool(database.url(), 6))) {
            List<ChildProcess> nodes = List.of(node(stage, "a"), node(stage, "b"));
            nodes.forEach(Stage::ready);
            List<Long> resumed = new ArrayList<>();
            for (int round = 0; round < PROMOTIONS; round++) {
                int before = producer.stored().size();
                Stage.until(() -> producer.stored().size() > before + UNDER_LOAD);
                resumed.add(promote(stage, producer, round));
                if (round < PROMOTIONS - 1) {
                    pair.renewStandby();
                }
            }
            producer.close();
            sideshow.close();

            assertThat(producer.surprises()).isEmpty();
            assertThat(producer.failures()).isPositive();
            stage.untilStates(Map.of("DONE", producer.stored().size()));
            assertThat(stage.accepted())
                    .containsOnlyKeys(producer.stored())
                    .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
            Stage.until(() -> stage.ledger().times().keySet().containsAll(sideshow.acknowledged()));
            Map<String, Integer> effects = stage.ledger().times();
            assertThat(effects)
                    .containsKeys(producer.stored().toArray(String[]::new))
                    .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
            assertThat(sideshow.fences()).isNotEmpty().isSorted().doesNotHaveDuplicates();
            Figures.say(
                    "promoted-standby",
                    database.kind(),
                    PROMOTIONS + " promotions, " + producer.stored().size() + " messages acknowledged, "
                            + sideshow.figures() + ", " + producer.failures()
                            + " puts without an answer and repeated, lost 0, accepted twice 0, effects twice 0, back at"
                            + " work " + resumed + " ms after the promotion");
        }
    }

    @Test
    void the_check_finds_what_a_standby_that_nobody_awaits_has_lost() throws Exception {
        try (HikariDataSource pool = pool()) {
            Inbox orders = open(pool).inbox(Stage.ORDERS);
            orders.put("confirmed", "{}");
            pair.awaitNobody();
            pair.cutOffStandby();
            List<NewMessage> unconfirmed = messages("unconfirmed", 20);
            Stage.until(() -> isPut(orders, unconfirmed));

            pair.killPrimary();
            pair.promoteStandby();

            assertThat(lost(ids(unconfirmed))).isEqualTo(ids(unconfirmed));
            assertThat(lost(Set.of("confirmed"))).isEmpty();
        }
    }

    @Test
    void what_the_standby_has_not_confirmed_is_not_acknowledged_even_if_somebody_ends_the_wait() throws Exception {
        try (HikariDataSource pool = pool()) {
            Inbox orders = open(pool).inbox(Stage.ORDERS);
            pair.cutOffStandby();

            var oneStatement = CompletableFuture.supplyAsync(() -> thrownBy(() -> orders.put("one", "{}")));
            var oneTransaction =
                    CompletableFuture.supplyAsync(() -> thrownBy(() -> orders.putAll(messages("many", 2))));
            Stage.until(() -> waits() == 2);
            assertThat(List.of(oneStatement.isDone(), oneTransaction.isDone())).containsOnly(false);
            cancelWaits();

            assertThat(List.of(oneStatement.get(30, SECONDS), oneTransaction.get(30, SECONDS)))
                    .allSatisfy(thrown -> assertThat(thrown)
                            .get(InstanceOfAssertFactories.THROWABLE)
                            .isInstanceOf(DatabaseAwayException.class)
                            .hasMessageContaining("its standby has not confirmed it"));
            pair.reconnectStandby();
        }
    }

    private static Optional<Throwable> thrownBy(ThrowingCallable put) {
        return Optional.ofNullable(catchThrowable(put));
    }

    private int waits() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) " + WAITING)) {
            row.next();
            return row.getInt(1);
        }
    }

    /** As somebody would who sees that nothing goes on. PostgreSQL calls it a success then. */
    private void cancelWaits() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_cancel_backend(pid) " + WAITING);
        }
    }

    /** Answers after how many milliseconds a new message was done. */
    private long promote(Stage stage, Producer producer, int round) throws SQLException {
        pair.killPrimary();
        Set<String> acknowledged = producer.stored();
        pair.promoteStandby();
        long start = System.nanoTime();
        String probe = "probe" + round;
        producer.putUntilStored(probe);
        Stage.until(() -> stage.orders().find(probe).orElseThrow().state() == InboxState.DONE);
        long took = (System.nanoTime() - start) / 1_000_000;
        assertThat(lost(acknowledged)).isEmpty();
        return took;
    }

    private Set<String> lost(Set<String> acknowledged) throws SQLException {
        Set<String> missing = new HashSet<>(acknowledged);
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select message_id from turno_inbox")) {
            while (row.next()) {
                missing.remove(row.getString(1));
            }
        }
        return missing;
    }

    private static ChildProcess node(Stage stage, String name) {
        return stage.node(name, "does=write", "inbox=" + Stage.ORDERS, "attempts=1000");
    }

    /** The driver may remember for a moment that the new primary was none. */
    private Connection connect() {
        return await().atMost(Stage.SOON)
                .ignoreExceptions()
                .until(
                        () -> DriverManager.getConnection(database.url(), database.user(), database.password()),
                        Objects::nonNull);
    }

    private HikariDataSource pool() {
        return Pools.openPatiently(database.url(), database.user(), database.password(), 4);
    }

    /** Never closed: it has no threads, and its connections are gone with the primary. */
    private static Turno open(DataSource source) {
        return Turno.open(source, TurnoOptions.defaults().withLease(Duration.ofMinutes(5)));
    }

    private static Set<String> ids(List<NewMessage> messages) {
        return messages.stream().map(NewMessage::id).collect(Collectors.toSet());
    }

    private static List<NewMessage> messages(String idsBegin, int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> NewMessage.of(idsBegin + n, "{}"))
                .toList();
    }

    private static boolean isPut(Inbox orders, List<NewMessage> messages) {
        try {
            orders.putAll(messages);
            return true;
        } catch (DatabaseAwayException notYet) {
            return false;
        }
    }
}
