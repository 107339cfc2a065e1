package dev.turno.harvester.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.DemoRepository;
import dev.turno.harvester.demo.Mischief;
import dev.turno.harvester.digest.Sha256;
import dev.turno.harvester.entity.EntityKind;
import dev.turno.harvester.index.IndexJob;
import dev.turno.harvester.index.IndexKind;
import dev.turno.harvester.index.IndexQuery;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.NetworkProperty;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.SnapshotStatus;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.RecordPage;
import dev.turno.harvester.record.RecordStatus;
import dev.turno.harvester.record.Selection;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.rules.Diagnosis;
import dev.turno.harvester.rules.Purpose;
import dev.turno.harvester.rules.Rule;
import dev.turno.harvester.rules.RuleSet;
import dev.turno.harvester.rules.ValidationJob;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** From a provider through the store and the rules into both indexes. */
@OnDatabase(value = TestDatabase.POSTGRESQL, onServer = true)
final class PipelineTest {

    private static final boolean FULL = "full".equals(System.getProperty("turno.scale"));
    private static final List<RunState> OVER = List.of(RunState.DONE, RunState.DEAD, RunState.STOPPED);

    @TempDir
    private Path folder = Path.of("set by JUnit");

    static StoredNetwork network(Publishing all, String url) {
        all.ruleSets.save(
                new RuleSet(
                        "validator",
                        Purpose.VALIDATION,
                        "",
                        List.of(
                                Rule.of("has a title", "occurrences", Map.of("field", "dc.title")),
                                // Identifiers of the demo end in a number: one record of ten breaks this.
                                Rule.of("not a ten", "expression", Map.of("expression", "NOT test.id =% '.*0'")))),
                "test");
        all.ruleSets.save(
                new RuleSet(
                        "transformer",
                        Purpose.TRANSFORMATION,
                        "",
                        List.of(Rule.of(
                                "id",
                                "identifier-regex",
                                Map.of("field", "test.id", "pattern", "^.*$", "replacement", "$0")))),
                "test");
        Network plain = Network.of("A:B*", url);
        Network network = new Network(
                plain.acronym(),
                plain.name(),
                "Inst",
                "I",
                url,
                "oai_dc",
                List.of(),
                Map.of(),
                EnumSet.of(NetworkProperty.VALIDATE, NetworkProperty.TRANSFORM, NetworkProperty.DETAILED_DIAGNOSE),
                true,
                Optional.empty(),
                Optional.empty(),
                Optional.of("validator"),
                Optional.of("transformer"),
                Optional.empty());
        return all.networks.add(network, "test");
    }

    private static Network withdrawn(Network network) {
        return new Network(
                network.acronym(),
                network.name(),
                network.institutionName(),
                network.institutionAcronym(),
                network.originUrl(),
                network.metadataPrefix(),
                network.sets(),
                network.attributes(),
                network.properties(),
                false,
                network.schedule(),
                network.preValidator(),
                network.validator(),
                network.transformer(),
                network.secondaryTransformer());
    }

    private static RunRequest publish(StoredNetwork network, boolean incremental) {
        return RunRequest.of(ValidationJob.NAME)
                .on(network.subject())
                .incrementally(incremental)
                .then(IndexJob.nameOf(IndexKind.FRONTEND))
                .then(IndexJob.nameOf(IndexKind.XOAI))
                .then("entities");
    }

    /** Runs a chain to the end of its last job. */
    private static void run(Publishing all, StoredNetwork network, RunRequest request, String last) {
        long before =
                all.runs.lastDone(last, network.subject()).map(run -> run.id()).orElse(0L);
        all.runs.submit(request).orThrow();
        Awaitility.await()
                .atMost(FULL ? Duration.ofMinutes(60) : Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    all.runs.ofSubject(network.subject(), Optional.empty(), 20).stream()
                            .filter(run -> run.state() == RunState.DEAD)
                            .findFirst()
                            .ifPresent(dead -> {
                                throw new AssertionError(dead.toString());
                            });
                    return all.runs
                                    .lastDone(last, network.subject())
                                    .map(run -> run.id())
                                    .orElse(0L)
                            > before;
                });
    }

    static Set<String> valid(Publishing all, Snapshot snapshot) throws IOException {
        Set<String> found = new HashSet<>();
        Optional<String> cursor = Optional.empty();
        while (true) {
            Optional<RecordPage> page = all.store.page(snapshot.id(), Selection.live(), cursor, 1_000);
            if (page.isEmpty()) {
                return found;
            }
            for (StoredRecord record : page.get().records()) {
                assertThat(record.status()).isIn(RecordStatus.VALID, RecordStatus.INVALID);
                if (record.status() == RecordStatus.VALID) {
                    assertThat(found.add(record.identifier())).isTrue();
                }
            }
            cursor = Optional.of(page.get().cursor());
        }
    }

    static Set<String> indexed(Publishing all, StoredNetwork network) {
        Set<String> found = new HashSet<>();
        all.frontend
                .find(IndexQuery.orderedBy("id", IndexQuery.LARGEST)
                        .with("network_id_str", Long.toString(network.id())))
                .forEach(document -> assertThat(
                                found.add(document.first("oai_identifier_str").orElseThrow()))
                        .isTrue());
        return found;
    }

    @Test
    void what_is_harvested_is_judged_and_indexed_and_only_what_changed_is_done_again(FreshDatabase database)
            throws Exception {
        DemoRepository repository = new DemoRepository("demo", 500);
        try (DemoProvider provider = DemoProvider.start(repository, 100, 0);
                Publishing all = new Publishing(database.dataSource(), folder, Duration.ofSeconds(15))) {
            StoredNetwork network = network(all, provider.url());
            run(all, network, RunRequest.of("harvest").on(network.subject()), "harvest");
            run(all, network, publish(network, true), "entities");

            Snapshot first = all.snapshots.lastGood(network.id()).orElseThrow();
            Set<String> valid = valid(all, first);
            Diagnosis diagnosis = new Diagnosis(database.dataSource());
            assertThat(first.status()).isEqualTo(SnapshotStatus.INDEXED);
            assertThat(valid).hasSize((int) first.valid()).isNotEmpty();
            assertThat(indexed(all, network)).isEqualTo(valid);
            assertThat(all.xoai.count(network.id())).isEqualTo(valid.size());
            assertThat(diagnosis.rules(first.id()).get(1))
                    .isEqualTo(new Diagnosis.RuleCount("not a ten", valid.size(), first.total() - valid.size()));
            assertThat(diagnosis.samples(first.id(), "not a ten", false))
                    .hasSize(20)
                    .doesNotContainAnyElementsOf(valid);
            assertThat(all.entities.search(EntityKind.PERSON, "", "", 10)).isNotEmpty();

            Instant later = Instant.now().minusSeconds(1);
            repository.change(1, later);
            repository.delete(3, later);
            repository.growTo(503, later);
            run(all, network, RunRequest.of("harvest").on(network.subject()).incrementally(), "harvest");
            run(all, network, publish(network, true), "entities");

            Snapshot second = all.snapshots.lastGood(network.id()).orElseThrow();
            assertThat(second.id()).isGreaterThan(first.id());
            assertThat(indexed(all, network)).isEqualTo(valid(all, second)).doesNotContain(repository.identifier(3));
            assertThat(all.frontend.count(
                            IndexQuery.orderedBy("id", 1).with("snapshot_id_str", Long.toString(second.id()))))
                    .isBetween(1L, 10L);
            assertThat(all.xoai.count(
                            IndexQuery.orderedBy("item.lastmodified", 1).with("item.deleted", "true")))
                    .isEqualTo(1);

            all.networks.change(network.id(), withdrawn(network.network()), "test");
            run(all, network, publish(network, true), "entities");
            assertThat(all.xoai.count(IndexQuery.orderedBy("item.lastmodified", 1)
                            .with("item.deleted", "false")
                            .with("item.public", "true")))
                    .isZero();

            run(
                    all,
                    network,
                    RunRequest.of(IndexJob.deletionOf(IndexKind.FRONTEND)).on(network.subject()),
                    "delete-frontend");
            assertThat(all.frontend.count(network.id())).isZero();
        }
    }

    /** The lock holds the run where it is until somebody has wished it to stop. */
    private static void stopped(FreshDatabase database, Publishing all, StoredNetwork network, String job)
            throws Exception {
        long run;
        try (Connection lock = database.dataSource().getConnection();
                Statement statement = lock.createStatement()) {
            lock.setAutoCommit(false);
            statement.executeUpdate("update turno_snapshot set valid = valid");
            run = all.runs
                    .submit(RunRequest.of(job).on(network.subject()).incrementally())
                    .orThrow();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> all.runs.find(run).orElseThrow().state() == RunState.DOING);
            all.runs.stop(run);
            lock.rollback();
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> all.runs.find(run).orElseThrow().state() == RunState.STOPPED);
    }

    @Test
    void a_stopped_validation_or_indexing_does_not_count(FreshDatabase database) throws Exception {
        String indexing = IndexJob.nameOf(IndexKind.FRONTEND);
        DemoRepository repository = new DemoRepository("demo", 2_500);
        try (DemoProvider provider = DemoProvider.start(repository, 500, 0);
                Publishing all = new Publishing(database.dataSource(), folder, Duration.ofSeconds(15))) {
            StoredNetwork network = network(all, provider.url());
            Diagnosis diagnosis = new Diagnosis(database.dataSource());
            run(all, network, RunRequest.of("harvest").on(network.subject()), "harvest");

            stopped(database, all, network, ValidationJob.NAME);

            assertThat(all.snapshots.lastGood(network.id()).orElseThrow().status())
                    .isEqualTo(SnapshotStatus.HARVESTED);
            assertThat(diagnosis.lastFinished(network.id())).isEmpty();

            run(
                    all,
                    network,
                    RunRequest.of(ValidationJob.NAME).on(network.subject()).incrementally(),
                    ValidationJob.NAME);
            stopped(database, all, network, indexing);

            assertThat(all.snapshots.lastGood(network.id()).orElseThrow().status())
                    .isNotEqualTo(SnapshotStatus.INDEXED);

            run(all, network, RunRequest.of(indexing).on(network.subject()).incrementally(), indexing);
            Snapshot snapshot = all.snapshots.lastGood(network.id()).orElseThrow();
            assertThat(snapshot.status()).isEqualTo(SnapshotStatus.INDEXED);
            assertThat(indexed(all, network)).hasSize((int) snapshot.valid()).isEqualTo(valid(all, snapshot));
        }
    }

    @Test
    void a_full_validation_passes_a_part_of_deletions_alone(FreshDatabase database) throws Exception {
        DemoRepository repository = new DemoRepository("demo", 100);
        try (DemoProvider provider = DemoProvider.start(repository, 50, 0);
                Publishing all = new Publishing(database.dataSource(), folder, Duration.ofSeconds(15))) {
            provider.rememberDeletions("no");
            StoredNetwork network = network(all, provider.url());
            run(all, network, RunRequest.of("harvest").on(network.subject()), "harvest");
            repository.shrinkTo(80);
            run(all, network, RunRequest.of("harvest").on(network.subject()), "harvest");

            run(all, network, publish(network, false), "entities");
            run(all, network, publish(network, false), "entities");

            Snapshot snapshot = all.snapshots.lastGood(network.id()).orElseThrow();
            Diagnosis.Validation validation = new Diagnosis(database.dataSource())
                    .validation(snapshot.id())
                    .orElseThrow();
            assertThat(snapshot.deleted()).isEqualTo(20);
            assertThat(validation.valid() + validation.invalid()).isEqualTo(80);
            assertThat(valid(all, snapshot)).hasSize((int) validation.valid()).isEqualTo(indexed(all, network));
        }
    }

    @Test
    void a_record_that_came_broken_keeps_what_the_rules_said_and_its_place_in_the_index(FreshDatabase database)
            throws Exception {
        DemoRepository repository = new DemoRepository("demo", 100);
        try (DemoProvider provider = DemoProvider.start(repository, 50, 0);
                Publishing all = new Publishing(database.dataSource(), folder, Duration.ofSeconds(15))) {
            StoredNetwork network = network(all, provider.url());
            run(all, network, RunRequest.of("harvest").on(network.subject()), "harvest");
            run(all, network, publish(network, true), "entities");
            Set<String> before = indexed(all, network);
            provider.misbehave(Mischief.onPage(1, Mischief.text(xml -> xml.replaceFirst("no\\. 14", "p < 0.05"))));
            run(all, network, RunRequest.of("harvest").on(network.subject()), "harvest");

            for (boolean incremental : List.of(true, false)) {
                run(all, network, publish(network, incremental), "entities");

                Snapshot snapshot = all.snapshots.lastGood(network.id()).orElseThrow();
                assertThat(snapshot.quarantined()).isEqualTo(1);
                assertThat(valid(all, snapshot)).isEqualTo(before).contains(repository.identifier(14));
                assertThat(indexed(all, network)).isEqualTo(before);
            }
        }
    }

    @Test
    void a_harvest_that_is_stopped_on_its_last_page_is_stopped_and_can_be_resumed(FreshDatabase database)
            throws Exception {
        try (DemoProvider provider = DemoProvider.start(new DemoRepository("demo", 100), 50, 0);
                Publishing all = new Publishing(database.dataSource(), folder, Duration.ofSeconds(15))) {
            StoredNetwork network = network(all, provider.url());
            long run;
            try (Connection lock = database.dataSource().getConnection();
                    Statement statement = lock.createStatement()) {
                lock.setAutoCommit(false);
                statement.execute("lock table turno_snapshot_log in share mode"); // what it writes just before its end
                run = all.runs
                        .submit(RunRequest.of("harvest").on(network.subject()))
                        .orThrow();
                awaitSomebodyWhoWaits(database);
                all.runs.stop(run);
                lock.rollback();
            }

            awaitState(all, run, RunState.STOPPED);
            assertThat(all.snapshots.ofRun(run).orElseThrow().status()).isEqualTo(SnapshotStatus.STOPPED);
            all.runs.resume(run);
            awaitState(all, run, RunState.DONE);
            assertThat(all.snapshots.lastGood(network.id()).orElseThrow().total())
                    .isEqualTo(100);
        }
    }

    private static void awaitSomebodyWhoWaits(FreshDatabase database) {
        JdbcClient jdbc = JdbcClient.create(database.dataSource());
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> jdbc.sql("select count(*) from pg_stat_activity"
                                        + " where datname = current_database() and wait_event_type = 'Lock'")
                                .query(Integer.class)
                                .single()
                        > 0);
    }

    private static void awaitState(Publishing all, long run, RunState state) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> all.runs.find(run).orElseThrow().state() == state);
    }

    @Test
    void two_validations_that_meet_the_same_new_url_at_once_both_get_through(FreshDatabase database) throws Exception {
        String url = "https://repository.example/handle/1000/7";
        try (DemoProvider provider = DemoProvider.start(new DemoRepository("demo", 100), 50, 0);
                Publishing all = new Publishing(database.dataSource(), folder, Duration.ofSeconds(15))) {
            StoredNetwork network = network(all, provider.url());
            all.ruleSets.save(
                    new RuleSet(
                            "validator",
                            Purpose.VALIDATION,
                            "",
                            List.of(Rule.of("is there", "url-exists", Map.of("field", "dc.identifier")))),
                    "test");
            run(all, network, RunRequest.of("harvest").on(network.subject()), "harvest");
            long run;
            try (Connection another = database.dataSource().getConnection();
                    Statement statement = another.createStatement()) {
                another.setAutoCommit(false);
                statement.execute("insert into turno_url (url_hash, url, state) values ('" + Sha256.of(url) + "', '"
                        + url + "', 'UNKNOWN')");
                run = all.runs
                        .submit(RunRequest.of(ValidationJob.NAME).on(network.subject()))
                        .orThrow();
                awaitSomebodyWhoWaits(database);
                another.commit();
            }

            awaitState(all, run, RunState.DONE);
            Snapshot snapshot = all.snapshots.lastGood(network.id()).orElseThrow();
            assertThat(valid(all, snapshot)).hasSize(100);
            assertThat(new Diagnosis(database.dataSource()).rules(snapshot.id()))
                    .containsExactly(new Diagnosis.RuleCount("is there", 100, 0));
        }
    }

    /** What one pass through all jobs cost. */
    private record Cost(int pages, long harvested, long judged, long indexed, double seconds) {}

    private static Cost cost(Publishing all, StoredNetwork network, DemoProvider provider, boolean incremental) {
        int before = pages(provider);
        long start = System.nanoTime();
        RunRequest request = RunRequest.of("harvest")
                .on(network.subject())
                .incrementally(incremental)
                .then(ValidationJob.NAME)
                .then(IndexJob.nameOf(IndexKind.FRONTEND));
        run(all, network, request, IndexJob.nameOf(IndexKind.FRONTEND));
        return new Cost(
                pages(provider) - before,
                all.snapshots.lastGood(network.id()).orElseThrow().size(),
                handled(all, network, ValidationJob.NAME),
                handled(all, network, IndexJob.nameOf(IndexKind.FRONTEND)),
                (System.nanoTime() - start) / 1e9);
    }

    private static int pages(DemoProvider provider) {
        return provider.asked().entrySet().stream()
                .filter(asked -> asked.getKey().contains("ListRecords"))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    private static long handled(Publishing all, StoredNetwork network, String job) {
        return all.runs
                .lastDone(job, network.subject())
                .orElseThrow()
                .progress()
                .completed();
    }

    @Test
    void an_incremental_run_costs_as_much_as_what_changed(FreshDatabase database) throws Exception {
        int records = FULL ? 1_000_000 : 2_000;
        int changed = records / 100;
        int page = FULL ? 200 : 10;
        DemoRepository repository = new DemoRepository("demo", records);
        try (DemoProvider provider = DemoProvider.start(repository, page, 0);
                Publishing all = new Publishing(database.dataSource(), folder, Duration.ofSeconds(15))) {
            StoredNetwork network = network(all, provider.url());
            Cost full = cost(all, network, provider, false);
            for (int number = 0; number < changed; number++) {
                repository.change(number * 100 + 1, Instant.now());
            }

            Cost incremental = cost(all, network, provider, true);

            System.out.println("full: " + full + "\nincremental, 1 % changed: " + incremental);
            assertThat(full.judged()).isEqualTo(full.indexed()).isEqualTo(records);
            assertThat(incremental.pages()).isEqualTo(changed / page);
            assertThat(incremental.harvested()).isEqualTo(changed);
            assertThat(incremental.judged()).isEqualTo(changed);
            assertThat(incremental.indexed()).isEqualTo(changed);
            assertThat(all.frontend.count(network.id()))
                    .isEqualTo(valid(all, all.snapshots.lastGood(network.id()).orElseThrow())
                            .size());
        }
    }

    @Test
    void a_process_killed_while_it_validates_and_indexes_loses_nothing_and_doubles_nothing(FreshDatabase database)
            throws Exception {
        int records = FULL ? 100_000 : 4_000;
        int kills = FULL ? 20 : 2;
        DemoRepository repository = new DemoRepository("demo", records);
        StoredNetwork network;
        try (DemoProvider provider = DemoProvider.start(repository, 500, 0);
                Publishing all = new Publishing(database.dataSource(), folder, Duration.ofSeconds(15))) {
            network = network(all, provider.url());
            run(all, network, RunRequest.of("harvest").on(network.subject()), "harvest");
            all.turno.stopTaking();
            all.runs.submit(publish(network, false)).orThrow();
        }

        kill(database, network, kills);

        try (Publishing all = new Publishing(database.dataSource(), folder, Duration.ofSeconds(2))) {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(FULL ? 10 : 2))
                    .until(() ->
                            all.runs.lastDone("entities", network.subject()).isPresent());
            Snapshot snapshot = all.snapshots.lastGood(network.id()).orElseThrow();
            Diagnosis.Validation validation = new Diagnosis(database.dataSource())
                    .validation(snapshot.id())
                    .orElseThrow();
            assertThat(validation.valid() + validation.invalid()).isEqualTo(records);
            Set<String> valid = valid(all, snapshot);
            assertThat(valid).hasSize((int) validation.valid());
            assertThat(all.frontend.count(network.id())).isEqualTo(valid.size());
            if (!FULL) {
                assertThat(indexed(all, network)).isEqualTo(valid);
            }
            assertThat(all.runs.ofSubject(network.subject(), Optional.empty(), 20))
                    .allMatch(run -> OVER.contains(run.state()));
        }
    }

    /** Each process stores a page before it dies: ten that store none would end the run, which is not what is tried here. */
    private void kill(FreshDatabase database, StoredNetwork network, int kills) throws InterruptedException {
        Random dice = new Random(5);
        try (Turno looking = Turno.open(database.dataSource(), TurnoOptions.defaults())) {
            for (int i = 0; i < kills; i++) {
                List<String> before = places(looking, network);
                try (ChildProcess node = start(database)) {
                    Awaitility.await()
                            .atMost(Duration.ofMinutes(2))
                            .pollInterval(Duration.ofMillis(20))
                            .until(() -> !places(looking, network).equals(before) || isThrough(looking, network));
                    Thread.sleep(dice.nextInt(1_500));
                    node.kill9();
                }
            }
        }
    }

    /** How far each run is. */
    private static List<String> places(Turno turno, StoredNetwork network) {
        return turno.runs().ofSubject(network.subject(), Optional.empty(), 20).stream()
                .map(run -> run.id() + " " + run.cursor().orElse(""))
                .toList();
    }

    private static boolean isThrough(Turno turno, StoredNetwork network) {
        return turno.runs().lastDone("entities", network.subject()).isPresent();
    }

    private ChildProcess start(FreshDatabase database) {
        return Launch.main(PublishNode.class)
                .jvmOptions("-Xmx256m")
                .arguments(database.url(), database.user(), database.password(), folder.toString())
                .start();
    }
}
