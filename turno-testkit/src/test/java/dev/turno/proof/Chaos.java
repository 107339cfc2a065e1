package dev.turno.proof;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.RestartableServer;
import dev.turno.testkit.database.TcpProxy;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Three processes that handle messages, each behind a proxy of its own, and everything that can happen to them and to their database, as
 * the dice say: {@code ./turno chaos --db postgresql --seconds 60 --seed 1}. Effects are written in the handlers' transactions to a table
 * that has no key, and the database itself notes each acceptance.
 */
public final class Chaos implements AutoCloseable {

    /** What can happen to a node. */
    private enum Fault {
        KILL,
        FREEZE,
        PARTITION,
        LOST_ANSWERS,
        RESET,
        DELAY,
        DATABASE_KILL
    }

    /** What a run has shown. */
    record Findings(
            int items,
            Map<Fault, Integer> faults,
            int lost,
            int twice,
            int acceptedTwice,
            int gone,
            long staleRefused) {

        int count() {
            return faults.values().stream().mapToInt(n -> n).sum();
        }

        boolean isRight() {
            return lost == 0 && twice == 0 && acceptedTwice == 0 && gone == 0;
        }

        @Override
        public String toString() {
            return items + " items, " + count() + " faults " + faults + ", lost " + lost + ", effects twice " + twice
                    + ", accepted twice " + acceptedTwice + ", acknowledged and gone " + gone
                    + ", stale writes refused "
                    + staleRefused;
        }
    }

    /** The database is killed more seldom than the nodes suffer. */
    private static final List<Fault> OFTEN = List.of(
            Fault.KILL,
            Fault.FREEZE,
            Fault.FREEZE,
            Fault.PARTITION,
            Fault.PARTITION,
            Fault.LOST_ANSWERS,
            Fault.LOST_ANSWERS,
            Fault.RESET,
            Fault.RESET,
            Fault.DELAY,
            Fault.DATABASE_KILL);

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final int NODES = 3;

    private final RestartableServer server;
    private final FreshDatabase database;
    private final Stage stage;
    private final HikariDataSource own;
    private final SplittableRandom dice;
    private final List<TcpProxy> ways = new ArrayList<>();
    private final List<ChildProcess> nodes = new ArrayList<>();
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private long refusedByTheDead;
    private int started;

    private Chaos(TestDatabase kind, long seed) throws SQLException {
        this.server = kind.newServer();
        this.database = server.fresh();
        this.stage = Stage.on(database, LEASE);
        this.own = Pools.open(database.url(), database.user(), database.password(), 2);
        this.dice = new SplittableRandom(seed);
        for (int i = 0; i < NODES; i++) {
            ways.add(TcpProxy.to(server.port()));
            nodes.add(node(i));
        }
        nodes.forEach(Stage::ready);
    }

    public static void main(String[] arguments) throws Exception {
        TestDatabase kind =
                TestDatabase.valueOf(option(arguments, "--db", "postgresql").toUpperCase(Locale.ROOT));
        int seconds = Integer.parseInt(option(arguments, "--seconds", "60"));
        long seed = Long.parseLong(option(arguments, "--seed", "1"));
        System.out.printf("chaos: %s, %d s, seed %d%n", kind.name().toLowerCase(Locale.ROOT), seconds, seed);
        Findings findings = run(kind, Duration.ofSeconds(seconds), seed);
        System.out.println("chaos: " + findings);
        System.exit(findings.isRight() ? 0 : 1);
    }

    private static String option(String[] arguments, String name, String usual) {
        int place = List.of(arguments).indexOf(name);
        return place >= 0 && place + 1 < arguments.length ? arguments[place + 1] : usual;
    }

    /** The same seed is the same schedule of faults. */
    static Findings run(TestDatabase kind, Duration time, long seed) throws Exception {
        try (Chaos chaos = new Chaos(kind, seed)) {
            Set<String> stored;
            try (Producer producer = Producer.start(chaos.stage.orders())) {
                long until = System.nanoTime() + time.toNanos();
                while (System.nanoTime() - until < 0) {
                    chaos.befall();
                }
                producer.close();
                stored = producer.stored();
                if (!producer.surprises().isEmpty()) {
                    throw new AssertionError(
                            "A put failed in an unexpected way.",
                            producer.surprises().get(0));
                }
            }
            chaos.awaitEnd(stored);
            return chaos.findings(stored);
        }
    }

    private ChildProcess node(int index) {
        return stage.node(
                "node-" + index + "-" + started++,
                "url=" + database.urlThrough(ways.get(index).port()),
                "does=write",
                "inbox=" + Stage.ORDERS,
                "attempts=1000");
    }

    /** One fault, and its healing. */
    private void befall() throws InterruptedException {
        int victim = dice.nextInt(NODES);
        Fault fault = OFTEN.get(dice.nextInt(OFTEN.size()));
        Duration pause = Duration.ofMillis(dice.nextLong(100, 700));
        Duration length = dice.nextInt(4) == 0 ? LEASE.plus(pause) : pause;
        faults.merge(fault, 1, Integer::sum);
        begin(fault, victim, length);
        Thread.sleep(pause.toMillis());
    }

    private void begin(Fault fault, int victim, Duration length) throws InterruptedException {
        TcpProxy way = ways.get(victim);
        switch (fault) {
            case KILL -> {
                refusedByTheDead += refused(nodes.get(victim));
                nodes.get(victim).kill9();
                nodes.set(victim, node(victim));
            }
            case FREEZE -> {
                nodes.get(victim).stop();
                Thread.sleep(length.toMillis());
                nodes.get(victim).cont();
            }
            case PARTITION -> heal(way, length, way::blackhole);
            case LOST_ANSWERS -> heal(way, length, way::blackholeAnswers);
            case RESET -> heal(way, Duration.ofMillis(50), way::reset);
            case DELAY -> heal(way, length, () -> way.delay(Duration.ofMillis(30)));
            case DATABASE_KILL -> {
                server.kill9();
                Thread.sleep(length.toMillis());
                server.restart();
            }
        }
    }

    private static void heal(TcpProxy way, Duration length, Runnable fault) throws InterruptedException {
        fault.run();
        Thread.sleep(length.toMillis());
        way.pass();
    }

    /** A node that cannot answer now has counted nothing that we know of. */
    private static long refused(ChildProcess node) {
        try {
            return Stage.count(node, "turno.claims.lost");
        } catch (AssertionError | RuntimeException e) {
            return 0;
        }
    }

    private void awaitEnd(Set<String> stored) throws Exception {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (stage.doneIn(Stage.ORDERS) < stored.size() && System.nanoTime() - until < 0) {
            Thread.sleep(100);
        }
    }

    private Findings findings(Set<String> stored) throws SQLException {
        Map<String, Integer> effects = stage.ledger().times();
        Map<String, String> states = states();
        Set<String> lost = new HashSet<>(stored);
        lost.removeAll(effects.keySet());
        Set<String> gone = new HashSet<>(stored);
        gone.removeAll(states.keySet());
        stored.stream().filter(id -> !"DONE".equals(states.get(id))).forEach(lost::add);
        long refused =
                refusedByTheDead + nodes.stream().mapToLong(Chaos::refused).sum();
        return new Findings(
                stored.size(),
                new TreeMap<>(faults),
                lost.size(),
                (int) effects.values().stream().filter(times -> times > 1).count(),
                (int) stage.accepted().values().stream()
                        .filter(times -> times > 1)
                        .count(),
                gone.size(),
                refused);
    }

    private Map<String, String> states() throws SQLException {
        Map<String, String> states = new TreeMap<>();
        try (Connection connection = own.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select message_id, state from turno_inbox")) {
            while (row.next()) {
                states.put(row.getString(1), row.getString(2));
            }
        }
        return states;
    }

    @Override
    public void close() {
        stage.close();
        own.close();
        ways.forEach(TcpProxy::close);
        database.close();
        server.close();
    }
}
