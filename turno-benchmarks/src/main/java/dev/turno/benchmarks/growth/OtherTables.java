package dev.turno.benchmarks.growth;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.run.Rounds;
import dev.turno.benchmarks.server.Server;
import dev.turno.buffer.BufferOptions;
import dev.turno.buffer.Buffers;
import dev.turno.claim.Result;
import dev.turno.task.NewTask;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Tasks, buffers and locks among as many rows as the inbox had: what one of them costs from its beginning to its end. */
final class OtherTables {

    private static final int CONNECTIONS = 12;
    private static final String NAME = "bench";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** What is done, and which rows are in its way. */
    private enum Feature {
        TASKS("task", """
                insert into turno_task (put_at, task_at, type_id, class, state, turn_at, body)
                select now(), now() + interval '1 day', y.id, 4, 'PENDING', now() + interval '1 day', '{}'
                  from turno_task_type y, generate_series(1, ?) n""", "turno_task") {
            @Override
            void doAll(Turno turno, int first, int count, int rows) throws Exception {
                CountDownLatch ran = new CountDownLatch(count);
                turno.handleTasks(NAME, (task, turn) -> {
                    ran.countDown();
                    return Result.done();
                });
                turno.tasks()
                        .scheduleAll(IntStream.range(0, count)
                                .mapToObj(n -> NewTask.in(NAME, "{}", Duration.ZERO))
                                .toList());
                await(ran);
            }
        },
        BUFFERS("burst of one message", """
                insert into turno_buffer (buffer_id, state, seq, waiting_bytes, turn_at, next_at, latest_at, buffer_key)
                select b.id, 'PENDING', 1, 2, now() + interval '1 day', now() + interval '1 day', now() + interval '2 days', 'waiting-' || n
                  from turno_buffer_setting b, generate_series(1, ?) n""", "turno_buffer") {
            @Override
            void doAll(Turno turno, int first, int count, int rows) throws Exception {
                CountDownLatch ran = new CountDownLatch(count);
                Buffers buffers = buffers(turno);
                turno.handle(buffers, (burst, turn) -> {
                    ran.countDown();
                    return Result.done();
                });
                for (int n = first; n < first + count; n++) {
                    buffers.add("new-" + n, "hello");
                }
                await(ran);
            }
        },
        LOCKS("lock taken and released", """
                insert into turno_lock (namespace, name, fence, lease_us, taken_at, expires_at, holder, node, service, user_name)
                select 'default', 'lock-' || n, 1, 1000000, now(), now(), 0, '', '', '' from generate_series(1, ?) n""", "turno_lock") {
            @Override
            void doAll(Turno turno, int first, int count, int rows) {
                SplittableRandom random = new SplittableRandom(first);
                for (int i = 0; i < count; i++) {
                    turno.locks().whileHolding("lock-" + random.nextInt(1, rows + 1), lease -> true);
                }
            }
        };

        private final String what;
        private final String fill;
        private final String table;

        Feature(String what, String fill, String table) {
            this.what = what;
            this.fill = fill;
            this.table = table;
        }

        /** @param first the first number that was not used for a name yet */
        abstract void doAll(Turno turno, int first, int count, int rows) throws Exception;

        private static void await(CountDownLatch ran) throws InterruptedException {
            if (!ran.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(ran.getCount() + " did not run within " + PATIENCE + ".");
            }
        }
    }

    private final Server server;
    private final Growth.Size size;
    private final Growth growth;

    OtherTables(Server server, Growth.Size size, Growth growth) {
        this.server = server;
        this.size = size;
        this.growth = growth;
    }

    private static Buffers buffers(Turno turno) {
        return turno.buffers(NAME, BufferOptions.of(choices -> choices.quiet(Duration.ofMillis(1))));
    }

    /** The tables of one size. */
    private final class Tables implements AutoCloseable {

        private final int rows;
        private final FreshDatabase database = server.fresh();
        private final HikariDataSource pool = database.newPool(database.url(), CONNECTIONS);
        private final Map<Feature, List<Double>> micros = new EnumMap<>(Feature.class);
        private int next;

        Tables(int rows) throws SQLException {
            this.rows = rows;
            try (Turno turno = Turno.open(pool, TurnoOptions.defaults())) {
                buffers(turno);
                turno.tasks().canRun(NAME, turno.holder());
            }
            for (Feature feature : Feature.values()) {
                Rows.execute(pool, feature.fill, rows);
                Rows.execute(pool, "vacuum analyze " + feature.table);
            }
            growth.say("filled in %,d tasks, buffers and locks".formatted(rows));
        }

        void round() throws Exception {
            for (Feature feature : Feature.values()) {
                double each = micros(feature, size.others());
                micros.computeIfAbsent(feature, key -> new ArrayList<>()).add(each);
                growth.say(String.format(Locale.ROOT, "among %,d: %.0f us a %s", rows, each, feature.what));
            }
        }

        double micros(Feature feature, int count) throws Exception {
            try (Turno turno = Turno.start(pool)) {
                long started = System.nanoTime();
                feature.doAll(turno, next, count, rows);
                next += count;
                return (System.nanoTime() - started) / 1e3 / count;
            }
        }

        Figure figure(Feature feature) {
            return growth.figure(
                    "among %,d".formatted(rows), "us per " + feature.what, micros.getOrDefault(feature, List.of()));
        }

        @Override
        public void close() {
            pool.close();
            database.close();
        }
    }

    void run() throws Exception {
        try (Tables small = new Tables(size.rows().get(0));
                Tables middle = new Tables(size.rows().get(1));
                Tables large = new Tables(size.rows().get(2))) {
            for (Feature feature : Feature.values()) {
                small.micros(feature, size.others()); // compiles
            }
            Rounds rounds = growth.setup().rounds(size.rounds(), 0.2);
            while (rounds.next()) {
                for (Tables tables : rounds.inTurns(List.of(small, middle, large))) {
                    tables.round();
                }
            }
            for (Feature feature : Feature.values()) {
                Figure few = small.figure(feature);
                middle.figure(feature);
                Figure many = large.figure(feature);
                String name = feature.name().toLowerCase(Locale.ROOT);
                growth.ratio("cost per " + feature.what + ", large / small table", many.ratioTo(few));
                growth.goal("growth-cost-" + name, 1.3, many.ratioTo(few).median());
            }
        }
    }
}
