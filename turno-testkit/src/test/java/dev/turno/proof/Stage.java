package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.NewMessage;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/** A database with Turno's tables, a {@link Ledger} and {@link Acceptances}, and the processes on it, which end with it. */
final class Stage implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(2);
    static final Duration POLL = Duration.ofSeconds(1);
    static final Duration SOON = Duration.ofSeconds(60);
    static final String ORDERS = "orders";

    private final FreshDatabase database;
    private final Duration lease;
    private final HikariDataSource pool;
    private final Turno turno;
    private final Ledger ledger;
    private final List<ChildProcess> nodes = new ArrayList<>();
    private final List<Turno> bystanders = new ArrayList<>();

    private Stage(FreshDatabase database, Duration lease) throws SQLException {
        this.database = database;
        this.lease = lease;
        this.pool = Pools.openForTheTest(database, 8);
        // It only puts and looks, and gives no sign of life: with a long lease nobody notices.
        this.turno = Turno.open(pool, TurnoOptions.defaults().withNode("test").withLease(Duration.ofHours(1)));
        this.ledger = new Ledger(pool);
        ledger.create();
        Acceptances.note(database);
    }

    static Stage on(FreshDatabase database) throws SQLException {
        return on(database, LEASE);
    }

    static Stage on(FreshDatabase database, Duration lease) throws SQLException {
        return new Stage(database, lease);
    }

    Inbox orders() {
        return inbox(ORDERS);
    }

    Inbox inbox(String name) {
        return turno.inbox(name);
    }

    Ledger ledger() {
        return ledger;
    }

    /** Puts that many orders, with one body for all and ids that begin alike. */
    void put(int count, String body, String idsBegin) {
        orders().putAll(IntStream.range(0, count)
                .mapToObj(n -> NewMessage.of(idsBegin + n, body))
                .toList());
    }

    /** Starts a process; call {@link #ready} before relying on it. */
    ChildProcess node(String name, String... wishes) {
        ChildProcess node = Launch.main(ProofNode.class)
                .arguments("url=" + database.url(), "user=" + database.user(), "password=" + database.password())
                .arguments("node=" + name, "lease=" + lease.toMillis())
                .arguments(wishes)
                .start();
        nodes.add(node);
        return node;
    }

    static ChildProcess ready(ChildProcess node) {
        node.awaitLine(ProofNode.READY::equals, SOON);
        return node;
    }

    /** A node without handlers in this process, which notices the dead. */
    Turno bystander() {
        Turno bystander =
                Turno.start(pool, TurnoOptions.defaults().withNode("bystander").withLease(lease));
        bystanders.add(bystander);
        return bystander;
    }

    /** What a node has counted. */
    static long count(ChildProcess node, String name) {
        String asked = "count " + name;
        node.send(asked);
        String said = node.awaitLine(line -> line.startsWith(asked + " "), SOON);
        return Long.parseLong(said.substring(asked.length() + 1));
    }

    static void until(Callable<Boolean> condition) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(20)).until(condition);
    }

    /** Waits until all messages are in these states; if they are not, the failure tells in which they are. */
    void untilStates(Map<String, Integer> wanted) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> assertThat(states()).isEqualTo(wanted));
    }

    static void untilCounted(ChildProcess node, String name, long wanted) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(count(node, name)).as(name).isEqualTo(wanted));
    }

    /** How many messages are in which state, counted without the product, e.g. {@code {DONE=200}}. */
    Map<String, Integer> states() throws SQLException {
        return counted("select state, count(*) from turno_inbox group by state");
    }

    /** How many messages are in whose hands, e.g. {@code {DOING a=200}}. */
    Map<String, Integer> hands() throws SQLException {
        return counted("select concat(m.state, ' ', h.node), count(*) from turno_inbox m"
                + " join turno_holder h on h.id = m.holder where m.state = 'DOING' group by m.state, h.node");
    }

    Map<String, Integer> accepted() throws SQLException {
        return Acceptances.times(pool);
    }

    int doneIn(String inbox) throws SQLException {
        return number("select count(*) from turno_inbox m join turno_inbox_setting s on s.id = m.inbox_id"
                + " where s.inbox = '" + inbox + "' and m.state = 'DONE'");
    }

    int number(String query) throws SQLException {
        return Rows.number(pool, query);
    }

    private Map<String, Integer> counted(String query) throws SQLException {
        return Rows.counted(pool, query);
    }

    @Override
    public void close() {
        nodes.forEach(ChildProcess::close);
        bystanders.forEach(Turno::close);
        turno.close();
        pool.close();
    }
}
