package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.buffer.BufferCounts;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.Buffers;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Buffers with two real processes that hand over, and writers beside them. */
@Tag("processes")
@OnEveryDatabase(onServer = true)
class BufferProofTest {

    private static final Duration LEASE = Duration.ofSeconds(1);

    private final FreshDatabase database;
    private final HikariDataSource pool;
    private final Gateway gateway;
    private final List<ChildProcess> nodes = new ArrayList<>();

    BufferProofTest(FreshDatabase database) {
        this.database = database;
        this.pool = Pools.openForTheTest(database, 12);
        this.gateway = new Gateway(pool);
    }

    @BeforeEach
    void prepare() throws SQLException {
        gateway.create();
    }

    @AfterEach
    void close() {
        nodes.forEach(ChildProcess::close);
        pool.close();
    }

    private ChildProcess node(String name, String... wishes) {
        ChildProcess node = Launch.main(BufferNode.class)
                .arguments("url=" + database.url(), "user=" + database.user(), "password=" + database.password())
                .arguments("node=" + name)
                .arguments(wishes)
                .start();
        nodes.add(node);
        return node;
    }

    /** It only adds and looks, and gives no sign of life: with a long lease nobody notices. */
    private Turno adding() {
        return Turno.open(pool, TurnoOptions.defaults().withNode("test").withLease(Duration.ofHours(1)));
    }

    @Test
    void nothing_is_lost_reordered_or_handed_over_under_two_keys_however_often_processes_die() throws Exception {
        int keys = 100;
        int writers = 4;
        String[] wishes = {"lease=" + LEASE.toMillis(), "quiet=300", "threads=3", "crash-within=" + Scale.of(80, 400)};
        try (Turno turno = adding()) {
            Buffers buffer = turno.buffers(BufferNode.BUFFER, BufferNode.options(Wishes.of(wishes)));
            List<ChildProcess> alive = new ArrayList<>(List.of(node("a-0", wishes), node("b-0", wishes)));
            Map<String, List<String>> added = new ConcurrentHashMap<>();
            long until = System.nanoTime() + Duration.ofSeconds(Scale.of(6, 60)).toNanos();
            List<Thread> threads = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                String name = "w" + writer;
                Thread thread = new Thread(() -> write(buffer, name, keys, until, added), name);
                thread.start();
                threads.add(thread);
            }
            int crashes = 0;
            while (threads.stream().anyMatch(Thread::isAlive)
                    || !buffer.counts().equals(new BufferCounts(0, 0, 0))) {
                for (int i = 0; i < alive.size(); i++) {
                    if (!alive.get(i).isAlive()) {
                        ChildProcess dead = alive.get(i);
                        assertThat(dead.awaitExit(Stage.SOON))
                                .as(() -> "died otherwise: " + String.join("\n", dead.errors()))
                                .isEqualTo(BufferNode.HALTED);
                        crashes++;
                        // The last ones come to an end.
                        boolean late = System.nanoTime() - until > 0;
                        String name = (i == 0 ? "a-" : "b-") + crashes;
                        alive.set(i, late ? node(name, "lease=" + LEASE.toMillis(), "threads=3") : node(name, wishes));
                    }
                }
                assertThat(System.nanoTime() - until)
                        .isLessThan(Duration.ofMinutes(3).toNanos());
                Thread.sleep(50);
            }
            judge(added, gateway.calls(), crashes);
        }
    }

    /** Each writer numbers its messages for a key; now and then it sends one again. */
    private static void write(Buffers buffer, String writer, int keys, long until, Map<String, List<String>> added) {
        Map<Integer, Integer> numbers = new HashMap<>();
        while (System.nanoTime() - until < 0) {
            int key = ThreadLocalRandom.current().nextInt(keys);
            int number = numbers.merge(key, 1, Integer::sum);
            BufferMessage message = BufferMessage.of(writer + "-" + number, writer + "-" + number);
            addUntilAdded(buffer, "key-" + key, message);
            added.computeIfAbsent(key + "/" + writer, unused -> new ArrayList<>())
                    .add(message.body());
            if (number % 5 == 0) {
                addUntilAdded(buffer, "key-" + key, message);
            }
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(10));
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** With its id it can be added again whenever it is not known whether it was. */
    private static void addUntilAdded(Buffers buffer, String key, BufferMessage message) {
        while (true) {
            try {
                buffer.add(key, message);
                return;
            } catch (DatabaseAwayException busy) {
                LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            }
        }
    }

    private void judge(Map<String, List<String>> added, List<Gateway.Call> calls, int crashes) {
        Map<String, List<String>> bursts = new LinkedHashMap<>(); // what a gateway keeps that honours the key
        Map<String, Set<String>> keysOfMessage = new HashMap<>();
        for (Gateway.Call call : calls) {
            List<String> before = bursts.putIfAbsent(call.as(), call.bodies());
            assertThat(call.bodies())
                    .as("the same messages under %s", call.as())
                    .isEqualTo(before == null ? call.bodies() : before);
            call.bodies()
                    .forEach(body -> keysOfMessage
                            .computeIfAbsent(call.key() + "/" + body, unused -> new HashSet<>())
                            .add(call.as()));
        }
        assertThat(keysOfMessage.values()).allSatisfy(all -> assertThat(all).hasSize(1));
        Map<String, List<String>> received = new TreeMap<>();
        Set<String> seen = new HashSet<>();
        for (Gateway.Call call : calls) {
            if (seen.add(call.as())) {
                call.bodies()
                        .forEach(body -> received.computeIfAbsent(
                                        call.key().substring("key-".length()) + "/"
                                                + body.substring(0, body.indexOf('-')),
                                        unused -> new ArrayList<>())
                                .add(body));
            }
        }
        assertThat(received).isEqualTo(new TreeMap<>(added));
        assertThat(crashes).isPositive();
        assertThat(calls.size() - bursts.size()).isGreaterThanOrEqualTo(crashes);
        int messages = added.values().stream().mapToInt(List::size).sum();
        Figures.say(
                "buffers",
                database.kind(),
                messages + " messages in " + bursts.size() + " bursts, " + crashes + " crashes after the gateway, "
                        + (calls.size() - bursts.size())
                        + " repeated under the same key; lost 0, reordered 0, twice 0");
    }

    @Test
    void with_two_processes_and_a_slow_gateway_each_burst_is_handed_over_once() throws Exception {
        // The seed's timing: quiet for 10 s, the gateway takes 3 to 5 s. In short, a tenth of it.
        int bursts = Scale.of(400, 10_000);
        int quiet = Scale.of(1_000, 10_000);
        String[] wishes = {
            "lease=15000", "quiet=" + quiet, "work=" + Scale.of(400, 4_000), "threads=" + Scale.of(100, 600)
        };
        node("a", wishes).awaitLine(line -> line.startsWith(BufferNode.READY), Stage.SOON);
        node("b", wishes).awaitLine(line -> line.startsWith(BufferNode.READY), Stage.SOON);
        try (Turno turno = adding()) {
            Buffers buffer = turno.buffers(BufferNode.BUFFER, BufferNode.options(Wishes.of(wishes)));
            addToAll(buffer, bursts, "hola");
            addToAll(buffer, bursts, "quiero-reserva");

            long until =
                    System.nanoTime() + Duration.ofSeconds(Scale.of(120, 300)).toNanos();
            while (!buffer.counts().equals(new BufferCounts(0, 0, 0)) && System.nanoTime() - until < 0) {
                Thread.sleep(50);
            }

            List<Gateway.Call> calls = gateway.calls();
            Set<String> keys = new HashSet<>();
            calls.forEach(call -> keys.add(call.as()));
            long byA = calls.stream().filter(call -> call.node().equals("a")).count();
            Figures.say(
                    "buffers once",
                    database.kind(),
                    keys.size() + " bursts, " + calls.size() + " calls of the gateway, " + byA
                            + " by the first process");
            assertThat(calls).hasSameSizeAs(keys);
            assertThat(keys.size()).isGreaterThanOrEqualTo(bursts);
            assertThat(calls.stream().mapToInt(call -> call.bodies().size()).sum())
                    .isEqualTo(2 * bursts);
            assertThat(byA).isBetween(1L, calls.size() - 1L);
        }
    }

    private static void addToAll(Buffers buffer, int keys, String text) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Thread thread = new Thread(() -> {
                for (int key = next.getAndIncrement(); key < keys; key = next.getAndIncrement()) {
                    buffer.add("key-" + key, text);
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
