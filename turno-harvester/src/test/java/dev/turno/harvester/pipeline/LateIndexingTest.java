package dev.turno.harvester.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.DemoRepository;
import dev.turno.harvester.harvest.HarvestJob;
import dev.turno.harvester.harvest.HarvestOptions;
import dev.turno.harvester.index.FrontendCrosswalk;
import dev.turno.harvester.index.IndexJob;
import dev.turno.harvester.index.IndexKind;
import dev.turno.harvester.index.IndexStates;
import dev.turno.harvester.index.IndexTarget;
import dev.turno.harvester.index.LuceneTarget;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.RecordStore;
import dev.turno.harvester.rules.RuleSets;
import dev.turno.harvester.store.ParquetStore;
import dev.turno.harvester.walk.SnapshotWalk;
import dev.turno.run.RunOptions;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.run.Runs;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

@OnDatabase(TestDatabase.H2)
final class LateIndexingTest {

    private static final String INDEXING = IndexJob.nameOf(IndexKind.FRONTEND);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @TempDir
    private Path folder = Path.of("set by JUnit");

    private final CountDownLatch wakesUp = new CountDownLatch(1);
    private final AtomicReference<Optional<Thread>> frozen = new AtomicReference<>(Optional.empty());

    /** What the index was told, by whom. */
    private record Told(String what, Thread by) {}

    private final List<Told> told = new CopyOnWriteArrayList<>();

    /** Stands still at the end of the first walk, whatever interrupts it: as a process does that was suspended. */
    private RecordStore freezing(RecordStore store) {
        return spied(RecordStore.class, store, (method, answer) -> {
            boolean end = method.equals("page") && Optional.empty().equals(answer);
            if (end && frozen.compareAndSet(Optional.empty(), Optional.of(Thread.currentThread()))) {
                while (wakesUp.getCount() > 0) {
                    boolean unused = Thread.interrupted();
                    LockSupport.parkNanos(1_000_000);
                }
            }
        });
    }

    @FunctionalInterface
    private interface Spy {
        void saw(String method, Object answer);
    }

    private static <T> T spied(Class<T> type, T real, Spy spy) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            try {
                Object answer = method.invoke(real, given);
                spy.saw(method.getName(), answer);
                return answer;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    @Test
    void one_who_lost_its_run_before_the_end_sweeps_and_keeps_nothing(FreshDatabase database) throws Exception {
        Networks networks = new Networks(database.dataSource());
        Snapshots snapshots = new Snapshots(database.dataSource());
        IndexStates states = new IndexStates(database.dataSource());
        networks.createTables();
        states.createTables();
        new RuleSets(database.dataSource()).createTables();
        ParquetStore store = new ParquetStore(folder.resolve("store"), database.dataSource(), snapshots);
        DemoRepository repository = new DemoRepository("demo", 30);
        try (DemoProvider provider = DemoProvider.start(repository, 100, 0);
                LuceneTarget index = LuceneTarget.open(IndexKind.FRONTEND, folder.resolve("index"));
                Turno turno = Turno.start(
                        database.dataSource(), TurnoOptions.defaults().withDrain(Duration.ofSeconds(1)))) {
            IndexTarget watched = spied(
                    IndexTarget.class, index, (method, answer) -> told.add(new Told(method, Thread.currentThread())));
            Runs runs = turno.runs(RunOptions.of(o ->
                    o.poll(Duration.ofMillis(20)).maxPage(Duration.ofSeconds(3)).maxAttempts(100)));
            runs.add(new HarvestJob(HarvestOptions.defaults(), networks, snapshots, store).job())
                    .add(new IndexJob(
                                    database.dataSource(),
                                    watched,
                                    new SnapshotWalk(networks, snapshots, freezing(store)),
                                    new FrontendCrosswalk())
                            .job());
            turno.work(runs);
            StoredNetwork network = networks.add(Network.of("N", provider.url()), "test");
            done(runs, RunRequest.of("harvest").on(network.subject()));

            done(runs, RunRequest.of(INDEXING).on(network.subject())); // by another one, when the first has lost it
            Thread late = frozen.get().orElseThrow();
            assertThat(told.stream().filter(one -> one.what().equals("sweep"))).hasSize(1);
            wakesUp.countDown();
            Awaitility.await()
                    .atMost(LONGEST)
                    .until(() -> told.stream().anyMatch(one -> one.what().equals("rest") && one.by() == late));

            Awaitility.await()
                    .during(Duration.ofMillis(500))
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> told.stream().filter(one -> one.by() == late).noneMatch(LateIndexingTest::isOfTheEnd));
            assertThat(told.stream().filter(one -> one.what().equals("sweep"))).hasSize(1);
        }
    }

    @Test
    void an_old_run_does_not_write_over_a_newer_snapshot(FreshDatabase database) throws Exception {
        wakesUp.countDown();
        try (DemoProvider provider = DemoProvider.start(new DemoRepository("demo", 30), 100, 0);
                Publishing all = new Publishing(database.dataSource(), folder, Duration.ofSeconds(15))) {
            StoredNetwork network = all.networks.add(Network.of("N", provider.url()), "test");
            done(all.runs, RunRequest.of("harvest").on(network.subject()));
            done(all.runs, RunRequest.of(INDEXING).on(network.subject()));
            assertThat(JdbcClient.create(database.dataSource())
                            .sql("update turno_index_state set snapshot_id = snapshot_id + 5")
                            .update())
                    .isEqualTo(1);

            long run = all.runs
                    .submit(RunRequest.of(INDEXING).on(network.subject()))
                    .orThrow();

            Awaitility.await()
                    .atMost(LONGEST)
                    .until(() -> all.runs.find(run).orElseThrow().error().isPresent());
            assertThat(all.runs.find(run).orElseThrow().error().orElseThrow()).contains("Nothing was written");
        }
    }

    private static boolean isOfTheEnd(Told one) {
        return List.of("sweep", "publish", "count").contains(one.what());
    }

    private static void done(Runs runs, RunRequest request) {
        long run = runs.submit(request).orThrow();
        Awaitility.await()
                .atMost(LONGEST)
                .until(() -> runs.find(run).orElseThrow().state() == RunState.DONE);
    }
}
