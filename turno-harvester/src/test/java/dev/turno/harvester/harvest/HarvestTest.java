package dev.turno.harvester.harvest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.harvester.demo.Mischief;
import dev.turno.harvester.demo.Reply;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.SnapshotStatus;
import dev.turno.harvester.record.RecordStatus;
import dev.turno.harvester.record.Selection;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.run.RunState;
import dev.turno.run.StoredRun;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a harvest survives. */
@OnDatabase(TestDatabase.H2)
class HarvestTest {

    private static final int RECORDS = 95;
    private static final int PAGE = 10;

    @TempDir
    private Path folder = Path.of("set by JUnit");

    private final FreshDatabase database;
    private Optional<Stage> opened = Optional.empty();

    HarvestTest(FreshDatabase database) {
        this.database = database;
    }

    private Stage stage() throws IOException {
        return stage(Stage.options(), network -> network);
    }

    private Stage stage(HarvestOptions options, UnaryOperator<Network> change) throws IOException {
        Stage stage = new Stage(database.dataSource(), folder, RECORDS, PAGE, options, change);
        opened = Optional.of(stage);
        return stage;
    }

    @AfterEach
    void close() {
        opened.ifPresent(Stage::close);
    }

    private static void await(Callable<Boolean> state) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(state);
    }

    @Test
    void nothing_new_is_a_success() throws IOException {
        Stage stage = stage();
        stage.harvest(false);

        StoredRun run = stage.harvest(true);

        assertThat(run.state()).isEqualTo(RunState.DONE);
        assertThat(stage.last().status()).isEqualTo(SnapshotStatus.EMPTY);
        assertThat(stage.last().total()).isEqualTo(RECORDS);
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
    }

    @Test
    void from_and_until_follow_the_granularity_of_the_source() throws IOException {
        Stage stage = stage();
        stage.provider.countDays();
        stage.harvest(false);
        stage.repository.change(3, Instant.now());

        stage.harvest(true);

        assertThat(stage.last().size()).isEqualTo(1);
        assertThat(stage.provider.asked().keySet())
                .anyMatch(query -> query.matches(".*from=\\d{4}-\\d\\d-\\d\\d&until=\\d{4}-\\d\\d-\\d\\d"));
    }

    @Test
    void a_record_in_two_sets_is_there_once() throws IOException {
        Stage stage = stage(Stage.options(), network -> network.withSets(List.of("articles", "theses", "open")));

        stage.harvest(false);

        assertThat(stage.identifiers()).isEqualTo(stage.expected());
        assertThat(stage.last().size()).isEqualTo(RECORDS);
    }

    @Test
    void deletions_of_a_full_harvest_are_known() throws IOException {
        Stage stage = stage();
        stage.repository.delete(7, Instant.now());

        stage.harvest(false);

        assertThat(stage.last().deleted()).isEqualTo(1);
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
    }

    @Test
    void what_a_source_without_memory_lost_is_found_by_a_full_harvest() throws IOException {
        Stage stage = stage();
        stage.provider.rememberDeletions("no");
        stage.harvest(false);
        Snapshot before = stage.last();
        stage.repository.shrinkTo(80);

        stage.harvest(false);

        assertThat(stage.last().total()).isEqualTo(80);
        assertThat(stage.last().deleted()).isEqualTo(15);
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
        assertThat(stage.records(Selection.changedSince(before.id())))
                .filteredOn(record -> record.status() == RecordStatus.DELETED)
                .hasSize(15);
    }

    @Test
    void a_source_that_forgets_deletions_is_asked_for_everything_now_and_then() throws IOException {
        Stage stage = stage(Stage.options().withFullEvery(Duration.ZERO), network -> network);
        for (String memory : List.of("no", "transient", "persistent")) {
            stage.provider.rememberDeletions(memory);
            stage.harvest(false);

            stage.harvest(true);

            assertThat(stage.last().full()).as(memory).isEqualTo(!memory.equals("persistent"));
        }
    }

    @Test
    void a_source_that_forgets_deletions_is_asked_for_what_is_new_in_between() throws IOException {
        Stage stage = stage();
        stage.provider.rememberDeletions("no");
        stage.harvest(false);

        stage.harvest(true);

        assertThat(stage.last().full()).isFalse();
    }

    @Test
    void a_source_need_not_be_asked_who_it_is() throws IOException {
        Stage stage = stage(Stage.options().withoutIdentify(), network -> network);
        stage.harvest(false);
        // The end of the window is an hour ago, as a day: soon after midnight that is yesterday.
        stage.repository.change(3, Instant.now().minus(Duration.ofHours(1)));

        stage.harvest(true);

        assertThat(stage.last().full()).isFalse();
        assertThat(stage.last().size()).isEqualTo(1);
        assertThat(stage.provider.asked().keySet())
                .noneMatch(query -> query.contains("Identify"))
                .anyMatch(query -> query.matches(".*from=\\d{4}-\\d\\d-\\d\\d&until=.*"));
    }

    @Test
    void a_source_that_does_not_say_who_it_is_is_harvested_whatever_words_it_finds_for_that() throws IOException {
        Stage stage = stage();
        stage.provider.misbehave(Mischief.when(
                question -> question.verb().equals("Identify"),
                Mischief.text(xml -> xml.replaceAll(
                        "<Identify>.*</Identify>", "<error code=\"badVerb\">not here: status 404</error>"))));

        assertThat(stage.harvest(false).state()).isEqualTo(RunState.DONE);
    }

    @Test
    void a_source_that_is_not_there_is_not_harvested() throws IOException {
        Stage stage = stage();
        stage.provider.misbehave(Mischief.when(question -> true, Mischief.status(404)));

        StoredRun run = stage.harvest(false);

        assertThat(run.state()).isEqualTo(RunState.DEAD);
        assertThat(run.error().orElseThrow()).contains("status 404").contains("Nothing was fetched");
    }

    @Test
    void a_source_that_has_much_less_than_before_needs_a_persons_word() throws IOException {
        Stage stage = stage();
        stage.harvest(false);
        Snapshot good = stage.last();
        stage.repository.shrinkTo(9);

        StoredRun run = stage.harvest(false);

        assertThat(run.state()).isEqualTo(RunState.DEAD);
        assertThat(run.error().orElseThrow()).contains("9 records where there were 95");
        assertThat(stage.last().id()).isEqualTo(good.id());
        Snapshot small = stage.snapshots.ofRun(run.id()).orElseThrow();
        assertThat(small.status()).isEqualTo(SnapshotStatus.HARVEST_FAILED);

        stage.snapshots.accept(small.id());
        stage.runs.resume(run.id());
        assertThat(stage.awaitEnd(run.id()).state()).isEqualTo(RunState.DONE);
        assertThat(stage.last().id()).isEqualTo(small.id());
        assertThat(stage.identifiers()).hasSize(9);
    }

    @Test
    void a_lost_token_costs_neither_records_nor_duplicates() throws IOException {
        Stage stage = stage();
        stage.provider.misbehave(Mischief.onPage(5, 1, lost()));

        stage.harvest(false);

        assertThat(stage.identifiers()).isEqualTo(stage.expected());
        assertThat(stage.last().size()).isEqualTo(RECORDS);
        assertThat(stage.log(stage.last())).anyMatch(line -> line.contains("goes on from 2020-01-01T00:39:00Z"));
    }

    @Test
    void a_lost_token_of_a_source_without_order_begins_the_window_anew() throws IOException {
        Stage stage = stage();
        stage.repository.change(2, Instant.parse("2021-01-01T00:00:00Z"));
        stage.provider.misbehave(Mischief.onPage(5, 1, lost()));

        stage.harvest(false);

        assertThat(stage.identifiers()).isEqualTo(stage.expected());
        assertThat(stage.log(stage.last())).anyMatch(line -> line.contains("goes on from the beginning"));
    }

    private static UnaryOperator<Reply> lost() {
        return Mischief.text(xml ->
                xml.replaceAll("<ListRecords>.*</ListRecords>", "<error code=\"badResumptionToken\">expired</error>"));
    }

    @Test
    void a_source_that_goes_in_circles_is_stopped_and_told() throws IOException {
        Stage stage = stage();
        stage.provider.misbehave(Mischief.when(
                question -> question.page() == 3,
                Mischief.text(
                        xml -> xml.replaceAll(">[^<]*</resumptionToken>", ">&amp;+&amp;+/20</resumptionToken>"))));

        StoredRun run = stage.harvest(false);

        assertThat(run.state()).isEqualTo(RunState.DEAD);
        assertThat(run.error().orElseThrow()).contains("goes in circles");
        assertThat(stage.snapshots.lastGood(stage.network.id())).isEmpty();
    }

    @Test
    void a_source_that_wants_patience_gets_it_and_the_slot_is_free_meanwhile() throws IOException {
        Stage stage = stage();
        stage.provider.misbehave(Mischief.onPage(4, Mischief.retryAfter(503, "1")));

        long run = stage.submit(false);

        await(() -> stage.runs.find(run).orElseThrow().state() == RunState.PARKED);
        await(() -> stage.snapshots.ofRun(run).orElseThrow().status() == SnapshotStatus.RETRYING);
        stage.provider.misbehave(Mischief.none());
        assertThat(stage.awaitEnd(run).state()).isEqualTo(RunState.DONE);
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
    }

    @Test
    void a_source_that_fails_now_and_then_is_harvested_all_the_same() throws IOException {
        Stage stage = stage();
        stage.provider.misbehave(Mischief.onPage(3, 7, Mischief.status(500)));

        assertThat(stage.harvest(false).state()).isEqualTo(RunState.DONE);
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
    }

    @Test
    void a_source_that_fails_for_good_ends_the_run_and_nothing_is_published() throws IOException {
        Stage stage = stage();
        stage.harvest(false);
        Snapshot good = stage.last();
        stage.provider.misbehave(Mischief.onPage(3, Mischief.webPage()));

        StoredRun run = stage.harvest(false);

        assertThat(run.state()).isEqualTo(RunState.DEAD);
        assertThat(run.error().orElseThrow()).contains("Maintenance").contains("failure 5 in a row");
        assertThat(stage.last().id()).isEqualTo(good.id());

        stage.provider.misbehave(Mischief.none());
        stage.runs.resume(run.id());
        assertThat(stage.awaitEnd(run.id()).state()).isEqualTo(RunState.DONE);
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
    }

    @Test
    void a_refused_format_ends_the_run_at_once() throws IOException {
        Stage stage = stage(
                Stage.options(),
                network -> new Network(
                        "DEMO",
                        "n",
                        "",
                        "",
                        network.originUrl(),
                        "marc21",
                        List.of(),
                        Map.of(),
                        Set.of(),
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));

        StoredRun run = stage.harvest(false);

        assertThat(run.state()).isEqualTo(RunState.DEAD);
        assertThat(run.error().orElseThrow()).contains("cannotDisseminateFormat");
    }

    @Test
    void a_stopped_harvest_is_never_the_last_good_one_and_can_be_resumed() throws IOException {
        Stage stage = stage();
        stage.harvest(false);
        Snapshot good = stage.last();
        stage.provider.misbehave(Mischief.onPage(6, Mischief.slow(Duration.ofSeconds(50))));
        long run = stage.submit(false);
        await(() -> stage.snapshots.ofRun(run).map(Snapshot::size).orElse(0L) >= 50);

        stage.runs.stop(run);

        assertThat(stage.awaitEnd(run).state()).isEqualTo(RunState.STOPPED);
        assertThat(stage.last().id()).isEqualTo(good.id());
        assertThat(stage.snapshots.ofRun(run).orElseThrow().status()).isEqualTo(SnapshotStatus.STOPPED);
        stage.provider.misbehave(Mischief.none());
        stage.runs.resume(run);
        assertThat(stage.awaitEnd(run).state()).isEqualTo(RunState.DONE);
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
    }

    @Test
    void a_bad_record_is_put_aside_with_its_text() throws IOException {
        Stage stage = stage();
        stage.provider.misbehave(Mischief.onPage(2, Mischief.text(xml -> xml.replaceFirst("no\\. 14", "p < 0.05"))));

        stage.harvest(false);

        Snapshot snapshot = stage.last();
        assertThat(snapshot.size()).isEqualTo(RECORDS - 1);
        assertThat(snapshot.quarantined()).isEqualTo(1);
        var bad = stage.snapshots.quarantined(snapshot.id(), 0, 10).get(0);
        assertThat(bad.identifier()).isEqualTo("oai:demo.example:14");
        assertThat(stage.store.folder(snapshot).resolve(bad.file())).content().contains("p < 0.05");
    }

    @Test
    void a_record_that_came_broken_in_a_full_harvest_stays_as_it_was() throws IOException {
        Stage stage = stage();
        stage.provider.rememberDeletions("no");
        stage.harvest(false);
        Snapshot before = stage.last();
        stage.repository.shrinkTo(90);
        stage.provider.misbehave(Mischief.onPage(2, Mischief.text(xml -> xml.replaceFirst("no\\. 14", "p < 0.05"))));

        stage.harvest(false);

        assertThat(stage.last().quarantined()).isEqualTo(1);
        assertThat(stage.last().total()).isEqualTo(90);
        assertThat(stage.last().deleted()).isEqualTo(5);
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
        StoredRecord kept =
                stage.store.find(stage.last().id(), "oai:demo.example:14").orElseThrow();
        assertThat(kept.snapshot()).as("it did not change").isEqualTo(before.id());
        assertThat(kept.record().xml()).contains("no. 14");
        assertThat(stage.log(stage.last()))
                .anyMatch(line -> line.contains("stay as they were") && line.endsWith(": 1."));
    }

    @Test
    void nothing_counts_as_deleted_if_something_without_a_name_was_put_aside() throws IOException {
        Stage stage = stage();
        stage.provider.rememberDeletions("no");
        stage.harvest(false);
        List<String> all = stage.identifiers();
        stage.repository.shrinkTo(90);
        stage.provider.misbehave(Mischief.onPage(
                2, Mischief.text(xml -> xml.replace("<identifier>oai:demo.example:14</identifier>", ""))));

        stage.harvest(false);

        assertThat(stage.identifiers()).isEqualTo(all);
        assertThat(stage.last().total()).isEqualTo(RECORDS);
        stage.provider.misbehave(Mischief.none());
        stage.harvest(false);
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
        assertThat(stage.last().total()).isEqualTo(90);
    }

    @Test
    void nothing_counts_as_deleted_if_more_was_broken_than_could_be_put_aside() throws IOException {
        Stage stage = stage();
        stage.harvest(false);
        List<String> all = stage.identifiers();
        String broken = "<record><header><identifier>oai:demo.example:x</identifier></header></record>".repeat(1_100);
        stage.provider.misbehave(
                Mischief.onPage(2, Mischief.text(xml -> xml.replaceFirst("<record>", broken + "<record>"))));
        stage.repository.shrinkTo(90);

        stage.harvest(false);

        assertThat(stage.last().quarantined()).isEqualTo(1_001);
        assertThat(stage.identifiers()).isEqualTo(all);
    }

    @Test
    void a_record_nested_without_end_is_one_records_problem() throws IOException {
        Stage stage = stage();
        String deep = "<b>".repeat(200_000) + "</b>".repeat(200_000);
        stage.provider.misbehave(
                Mischief.onPage(2, Mischief.text(xml -> xml.replaceFirst("<dc:title>", "<dc:title>" + deep))));

        assertThat(stage.harvest(false).state()).isEqualTo(RunState.DONE);

        assertThat(stage.last().size() + stage.last().quarantined()).isEqualTo(RECORDS);
    }

    @Test
    void a_source_that_ignores_from_is_harvested_with_a_warning() throws IOException {
        Stage stage = stage();
        stage.harvest(false);
        stage.provider.ignoreFrom();

        stage.harvest(true);

        assertThat(stage.identifiers()).isEqualTo(stage.expected());
        assertThat(stage.log(stage.last())).anyMatch(line -> line.contains("ignores 'from'"));
    }

    @Test
    void the_prefix_is_sent_with_the_token_to_sources_that_want_it() throws IOException {
        Stage stage = stage(Stage.options().withPrefixAndToken(), network -> network);

        stage.harvest(false);

        assertThat(stage.provider.asked().keySet())
                .filteredOn(query -> query.contains("resumptionToken"))
                .allMatch(query -> query.endsWith("&metadataPrefix=oai_dc"));
    }

    @Test
    void other_sets_than_before_are_asked_for_from_the_beginning() throws IOException {
        Stage stage = stage(Stage.options(), network -> network.withSets(List.of("theses")));
        stage.harvest(false);
        stage.networks.change(
                stage.network.id(), stage.network.network().withSets(List.of("theses", "articles")), "test");

        stage.harvest(true);

        assertThat(stage.last().full()).isTrue();
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
    }

    @Test
    void a_lost_token_behind_a_datestamp_of_the_future_begins_the_window_anew() throws IOException {
        Stage stage = stage();
        stage.provider.misbehave(Mischief.onPage(
                        4,
                        Mischief.text(xml ->
                                xml.replaceFirst("(?s)(.*)<datestamp>[^<]*", "$1<datestamp>9999-12-31T00:00:00Z")))
                .and(Mischief.onPage(5, 1, lost())));

        stage.harvest(false);

        assertThat(stage.identifiers()).isEqualTo(stage.expected());
        assertThat(stage.log(stage.last())).anyMatch(line -> line.contains("goes on from the beginning"));
    }

    @Test
    void a_datestamp_outside_of_all_calendars_is_one_records_problem() throws IOException {
        Stage stage = stage();
        stage.provider.misbehave(Mischief.onPage(
                2,
                Mischief.text(xml -> xml.replaceFirst("<datestamp>[^<]*", "<datestamp>+999999999-01-01T00:00:00Z"))));

        assertThat(stage.harvest(false).state()).isEqualTo(RunState.DONE);
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
    }

    @Test
    void a_source_that_gives_empty_pages_without_end_is_stopped_and_told() throws IOException {
        Stage stage = stage();
        AtomicInteger count = new AtomicInteger();
        stage.provider.misbehave(Mischief.when(
                question -> question.page() > 0,
                Mischief.text(xml -> xml.replaceAll(
                        "(?s)<(ListRecords|error).*</(ListRecords|error)>",
                        "<ListRecords><resumptionToken>t" + count.incrementAndGet()
                                + "</resumptionToken></ListRecords>"))));

        StoredRun run = stage.harvest(false);

        assertThat(run.state()).isEqualTo(RunState.DEAD);
        assertThat(run.error().orElseThrow()).contains("pages without a record");
    }

    @Test
    void a_source_whose_clock_was_set_back_is_asked_for_a_window_that_exists() throws IOException {
        Stage stage = stage();
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        stage.provider.misbehave(clock(now.plus(Duration.ofHours(5))));
        stage.harvest(false);
        stage.provider.misbehave(clock(now));
        stage.repository.change(3, now);

        stage.harvest(true);

        assertThat(stage.last().size()).isEqualTo(1);
        assertThat(stage.last().full()).isFalse();
    }

    @Test
    void a_source_whose_clock_is_years_off_loses_nothing() throws IOException {
        Stage stage = stage();
        for (Duration off : List.of(Duration.ofDays(3_000), Duration.ofDays(-3_000))) {
            stage.provider.misbehave(clock(Instant.now().plus(off)));
            stage.harvest(false);
            stage.repository.change(3, Instant.now());

            stage.harvest(true);

            assertThat(stage.records(
                            Selection.changedSince(stage.last().previous().orElseThrow())))
                    .extracting(record -> record.identifier())
                    .contains(stage.repository.identifier(3));
        }
    }

    /** The time that the source says it has, however long anything takes. */
    private static Mischief clock(Instant said) {
        return Mischief.when(
                question -> true,
                Mischief.text(xml -> xml.replaceFirst(
                        "<responseDate>[^<]*", "<responseDate>" + said.truncatedTo(ChronoUnit.SECONDS))));
    }

    @Test
    void snapshots_do_not_lie_over_each_other_without_end() throws IOException {
        Stage stage = stage(Stage.options().withLongestChain(3), network -> network);
        stage.harvest(false);
        stage.harvest(true);
        stage.harvest(true);
        assertThat(stage.snapshots.chain(stage.last().id())).hasSize(3);

        stage.harvest(true);

        assertThat(stage.last().full()).isTrue();
        assertThat(stage.identifiers()).isEqualTo(stage.expected());
    }
}
