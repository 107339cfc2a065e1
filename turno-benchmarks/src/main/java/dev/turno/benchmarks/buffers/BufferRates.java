package dev.turno.benchmarks.buffers;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Rounds;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.runners.Sql;
import dev.turno.benchmarks.server.Server;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.BufferOptions;
import dev.turno.buffer.Buffers;
import dev.turno.claim.Result;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * Adds per second on one hot key and on ten thousand keys, bursts per second, how late a burst is handed over, and the cost of one add
 * at the beginning and at the end of a long burst, and beside few and very many keys. PostgreSQL, one process.
 */
public final class BufferRates {

    private static final int THREADS = 8;
    private static final int KEYS = 10_000;
    private static final int LONG_BURST = 1_000;
    private static final String BODY = "quiero una reserva para dos personas";
    private static final String WHO = "turno";

    private record Size(
            int rounds, Duration pass, int bursts, int longBursts, int manyKeys, int addsAmongKeys, int lateness) {

        static final Size FULL = new Size(5, Duration.ofSeconds(5), 20_000, 5, 1_000_000, 5_000, 400);
        static final Size QUICK = new Size(2, Duration.ofSeconds(1), 3_000, 2, 100_000, 1_000, 100);
        static final Size TINY = new Size(2, Duration.ofMillis(100), 100, 1, 1_000, 100, 10);
    }

    private final Server server;
    private final Size size;
    private final Setup setup;
    private final Consumer<String> progress;
    private final Map<String, List<Double>> values = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();

    private BufferRates(Server server, Setup setup) {
        this.server = server;
        this.setup = setup;
        this.size = setup.scale().of(Size.FULL, Size.QUICK, Size.TINY);
        this.progress = setup.progress();
    }

    public static Report run(Setup setup) throws Exception {
        try (Server server = Server.start()) {
            return new BufferRates(server, setup).run();
        }
    }

    private Report run() throws Exception {
        List<String> notes = List.of(
                server.settings(),
                THREADS + " threads add, one message of " + BODY.length() + " characters with an id each time",
                "the cost of one add is the median over single adds of one thread");
        notes.forEach(progress);
        Rounds rounds = setup.rounds(size.rounds(), 0.6);
        while (rounds.next()) {
            on(turno -> note("adds/s, one hot key", adds(turno, 1, 1)));
            on(turno -> note("adds/s, " + KEYS + " keys", adds(turno, KEYS, 1)));
            on(turno -> note("messages/s, " + KEYS + " keys, ten to an add", adds(turno, KEYS, 10)));
            on(turno -> note("bursts/s", bursts(turno)));
            on(this::longBursts);
        }
        amongKeys();
        on(this::lateness);
        return new Report("buffers", notes, figures(), Map.of(), goals(), violations);
    }

    @FunctionalInterface
    private interface Work {
        void on(Turno turno) throws Exception;
    }

    private void on(Work work) throws Exception {
        try (FreshDatabase database = server.fresh();
                HikariDataSource pool = database.newPool(database.url(), THREADS + 8);
                Turno turno = Turno.start(pool)) {
            work.on(turno);
        }
    }

    private void note(String what, double value) {
        values.computeIfAbsent(what, key -> new ArrayList<>()).add(value);
        progress.accept(String.format(Locale.ROOT, "%s: %,.1f", what, value));
    }

    private double adds(Turno turno, int keys, int atOnce) throws InterruptedException {
        Buffers buffer = turno.buffers("b");
        adding(buffer, keys, atOnce, Duration.ofMillis(800)); // statements are prepared before the clock starts
        return adding(buffer, keys, atOnce, size.pass());
    }

    private double adding(Buffers buffer, int keys, int atOnce, Duration pass) throws InterruptedException {
        AtomicLong added = new AtomicLong();
        long start = System.nanoTime();
        List<Thread> threads = IntStream.range(0, THREADS)
                .mapToObj(i -> new Thread(() -> {
                    SplittableRandom random = new SplittableRandom(i);
                    for (int n = 0; System.nanoTime() - start < pass.toNanos(); n++) {
                        buffer.add("key-" + random.nextInt(keys), messages(start + "-" + i + "-" + n, atOnce));
                        added.addAndGet(atOnce);
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        return added.get() * 1e9 / (System.nanoTime() - start);
    }

    private static List<BufferMessage> messages(String id, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> BufferMessage.of(id + "-" + i, BODY))
                .toList();
    }

    /** Two messages for each of many keys, all due when the handler begins, which does nothing. */
    private double bursts(Turno turno) throws Exception {
        Buffers buffer = turno.buffers(
                "b", BufferOptions.of(o -> o.quiet(Duration.ofMillis(1)).batch(500)));
        AtomicInteger next = new AtomicInteger();
        List<Thread> threads = IntStream.range(0, THREADS)
                .mapToObj(i -> new Thread(() -> {
                    for (int key = next.getAndIncrement(); key < size.bursts(); key = next.getAndIncrement()) {
                        buffer.add("key-" + key, List.of(BufferMessage.of("1", BODY), BufferMessage.of("2", BODY)));
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        AtomicInteger handed = new AtomicInteger();
        long start = System.nanoTime();
        turno.handle(buffer, (burst, turn) -> {
            handed.incrementAndGet();
            return Result.done();
        });
        while (buffer.counts().pending() + buffer.counts().doing() > 0) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        double rate = handed.get() * 1e9 / (System.nanoTime() - start);
        if (handed.get() != size.bursts()) {
            violations.add(handed.get() + " bursts were handed over instead of " + size.bursts());
        }
        return rate;
    }

    private void longBursts(Turno turno) {
        Buffers buffer = turno.buffers(
                "b", BufferOptions.of(o -> o.maxCount(10_000).maxBytes(1L << 40).quiet(Duration.ofMinutes(5))));
        timed(buffer, "warm-up", LONG_BURST);
        List<Long> first = new ArrayList<>();
        List<Long> last = new ArrayList<>();
        for (int i = 0; i < size.longBursts(); i++) {
            long[] nanos = timed(buffer, "key-" + i, LONG_BURST);
            Arrays.stream(nanos, 1, 101).forEach(first::add);
            Arrays.stream(nanos, LONG_BURST - 100, LONG_BURST).forEach(last::add);
        }
        note("us an add, the first hundred of a burst", median(first) / 1e3);
        note("us an add, after nine hundred", median(last) / 1e3);
    }

    private static long[] timed(Buffers buffer, String key, int count) {
        long[] nanos = new long[count];
        for (int n = 0; n < count; n++) {
            long before = System.nanoTime();
            buffer.add(key, BufferMessage.of("id-" + n, BODY));
            nanos[n] = System.nanoTime() - before;
        }
        return nanos;
    }

    private static double median(List<Long> nanos) {
        return nanos.stream().sorted().toList().get(nanos.size() / 2);
    }

    /** Two databases at once, one with ten keys and one with very many, so that both meet the same moments of the machine. */
    private void amongKeys() throws Exception {
        try (FreshDatabase database = server.fresh();
                HikariDataSource pool = database.newPool(database.url(), THREADS);
                Turno many = Turno.start(pool)) {
            Buffers among = many.buffers("b");
            fill(pool, size.manyKeys());
            on(few -> compare(few.buffers("b"), among));
        }
    }

    private void compare(Buffers alone, Buffers among) {
        timedAmong(alone, 10, 500, 1);
        timedAmong(among, size.manyKeys(), 500, 1);
        for (int round = 2; round < size.rounds() + 2; round++) {
            note("us an add, 10 keys", timedAmong(alone, 10, size.addsAmongKeys(), round));
            note(
                    "us an add, " + size.manyKeys() + " keys",
                    timedAmong(among, size.manyKeys(), size.addsAmongKeys(), round));
        }
    }

    private double timedAmong(Buffers buffer, int keys, int adds, int round) {
        SplittableRandom random = new SplittableRandom(round);
        List<Long> nanos = new ArrayList<>(adds);
        for (int n = 0; n < adds; n++) {
            BufferMessage message = BufferMessage.of("r" + round + "-" + n, BODY);
            String key = "key-" + random.nextInt(keys);
            long before = System.nanoTime();
            buffer.add(key, message);
            nanos.add(System.nanoTime() - before);
        }
        return median(nanos) / 1e3;
    }

    /** As if each key had one message that waits. */
    private void fill(DataSource pool, int keys) throws SQLException {
        progress.accept("filling in " + keys + " keys");
        try (Connection connection = Sql.patient(pool);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "insert into turno_buffer (buffer_id, state, seq, waiting_bytes, turn_at, next_at, latest_at,"
                            + " buffer_key) select 1, 'PENDING', 1, 30, now() + interval '1 hour', now() + interval '1 hour',"
                            + " now() + interval '1 hour', 'key-' || i from generate_series(0, " + (keys - 1) + ") i");
            statement.execute("insert into turno_buffer_message (header_id, seq, added_at, type, body)"
                    + " select id, 1, now(), 'text', '" + BODY + "' from turno_buffer");
            statement.execute("insert into turno_buffer_id (buffer_id, buffer_key, message_id, added_at)"
                    + " select 1, buffer_key, 'first', now() from turno_buffer");
            statement.execute("vacuum analyze turno_buffer");
            statement.execute("vacuum analyze turno_buffer_id");
            statement.execute("vacuum analyze turno_buffer_message");
        }
        server.checkpoint();
    }

    /** How late bursts begin on an otherwise idle machine; keys come one after the other. */
    private void lateness(Turno turno) throws InterruptedException {
        Buffers buffer = turno.buffers("b", BufferOptions.of(o -> o.quiet(Duration.ofMillis(1_500))));
        Map<String, Long> due = new ConcurrentHashMap<>();
        List<Long> late = Collections.synchronizedList(new ArrayList<>());
        turno.handle(buffer, (burst, turn) -> {
            late.add(System.currentTimeMillis() - due.getOrDefault(burst.key(), 0L));
            return Result.done();
        });
        for (int n = 0; n < size.lateness(); n++) {
            String key = "key-" + n;
            due.put(key, System.currentTimeMillis() + 1_500);
            due.put(key, buffer.add(key, BODY).flushAt().orElseThrow().toEpochMilli());
            LockSupport.parkNanos(Duration.ofMillis(25).toNanos());
        }
        while (late.size() < size.lateness()) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        List<Long> sorted = late.stream().sorted().toList();
        note("ms late, median", sorted.get(sorted.size() / 2));
        note("ms late, p99", sorted.get(sorted.size() * 99 / 100));
    }

    private List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        values.forEach((what, all) -> {
            String unit = what.contains("/s") ? what.substring(0, what.indexOf("/s") + 2) : what.substring(0, 2);
            figures.add(new Figure(what, WHO, unit, all));
        });
        return figures;
    }

    private Figure figure(String what) {
        return figures().stream()
                .filter(figure -> figure.workload().equals(what))
                .findFirst()
                .orElseThrow();
    }

    private List<Goal> goals() {
        return List.of(
                Goal.atMost(
                        "add-after-nine-hundred-to-first-hundred",
                        1.25,
                        figure("us an add, after nine hundred")
                                .ratioTo(figure("us an add, the first hundred of a burst"))
                                .median()),
                Goal.atMost(
                        "add-among-" + size.manyKeys() + "-keys-to-10",
                        1.5,
                        figure("us an add, " + size.manyKeys() + " keys")
                                .ratioTo(figure("us an add, 10 keys"))
                                .median()),
                Goal.atMost("burst-lateness-p99-ms", 250, figure("ms late, p99").median()));
    }
}
