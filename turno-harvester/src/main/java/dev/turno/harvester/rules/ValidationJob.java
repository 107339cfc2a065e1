package dev.turno.harvester.rules;

import dev.turno.claim.Claim;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.NetworkProperty;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.SnapshotStatus;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.patience.Patience;
import dev.turno.harvester.record.OaiRecord;
import dev.turno.harvester.record.RecordResult;
import dev.turno.harvester.record.RecordStatus;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.sql.Sql;
import dev.turno.harvester.walk.SnapshotWalk;
import dev.turno.harvester.walk.Walk;
import dev.turno.harvester.walk.Walked;
import dev.turno.run.Job;
import dev.turno.run.PageTurn;
import dev.turno.run.RetryLaterException;
import dev.turno.run.RunTurn;
import dev.turno.run.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.springframework.dao.DuplicateKeyException;

/**
 * Makes the job that judges the records of a network: {@code runs.add(new ValidationJob(...).job())}. An incremental run judges what
 * was harvested since the last complete validation, unless the rules have changed since. Shared by threads.
 */
public final class ValidationJob {

    public static final String NAME = "validate";
    private static final Duration SOON = Duration.ofSeconds(1);

    private final SnapshotWalk walks;
    private final RuleSets ruleSets;
    private final Diagnosis diagnosis;
    private final UrlTable urls;
    private final Sql sql;
    private final FieldXml xml = new FieldXml();
    private final Patience patience = Patience.usual();
    private final Map<Long, Judge> judges = new ConcurrentHashMap<>(); // by run, while it is under way here

    public ValidationJob(DataSource source, SnapshotWalk walks, RuleSets ruleSets) {
        this.walks = walks;
        this.ruleSets = ruleSets;
        this.diagnosis = new Diagnosis(source);
        this.urls = new UrlTable(source);
        this.sql = new Sql(source, "rules");
    }

    /** What judges in one run, with what is known of the URLs of its page. */
    private static final class Judge {

        private final Pipeline pipeline;
        private volatile Map<String, UrlStates.UrlState> urls = Map.of();

        Judge(RuleSets ruleSets, Network network) {
            this.pipeline = ruleSets.pipeline(network, url -> urls.getOrDefault(url, UrlStates.UrlState.UNKNOWN));
        }
    }

    public Job<?> job() {
        return Job.of(
                NAME,
                walks.source(this::beginning, run -> judges.remove(run.id())),
                Step.whole(this::judge),
                choices -> choices.pageSize(1_000)
                        .key(walked -> walked.record().identifier())
                        .beforeRun(this::before)
                        .afterRun(this::after));
    }

    private void before(RunTurn run) {
        judges.put(run.id(), new Judge(ruleSets, walks.network(run).network()));
    }

    private Walk beginning(RunTurn run, StoredNetwork network, Snapshot snapshot) {
        String fingerprint = judgeOf(run).pipeline.fingerprint();
        Optional<Long> since = run.isIncremental()
                ? diagnosis
                        .lastFinished(network.id())
                        .filter(last -> last.fingerprint().equals(fingerprint) && last.snapshot() <= snapshot.id())
                        .map(Diagnosis.Validation::snapshot)
                : Optional.empty();
        return since.map(older -> Walk.since(snapshot.id(), older)).orElseGet(() -> Walk.all(snapshot.id()));
    }

    private Judge judgeOf(RunTurn run) {
        return judges.computeIfAbsent(
                run.id(), id -> new Judge(ruleSets, walks.network(run).network()));
    }

    private void judge(List<Walked> items, PageTurn page) throws Exception {
        if (items.isEmpty()) {
            return;
        }
        Walked.Batch batch = items.get(0).batch();
        Judge judge = judgeOf(page.run());
        Connection connection = page.connection();
        if (page.run().cursor().isEmpty()) {
            begin(connection, batch.at(), batch.network(), judge);
        }
        lookUp(connection, judge, items);
        PageFindings found = new PageFindings(
                judge.pipeline.ruleNames(), batch.network().network().has(NetworkProperty.DETAILED_DIAGNOSE));
        List<RecordResult> results = new ArrayList<>();
        for (Walked item : items) {
            if (!item.record().record().deleted()) {
                results.add(result(judge, batch.network().network(), item.record(), found));
            }
        }
        Claim claim = new Claim(page.run().id(), page.run().fence());
        keep(connection, page.run(), claim, batch, results);
        long snapshot = batch.at().snapshot();
        diagnosis.add(connection, snapshot, found);
        Diagnosis.Validation so = diagnosis.validation(connection, snapshot);
        walks.snapshots().judged(connection, snapshot, so.valid(), so.transformed());
    }

    /** A disk that is full now may have room later. */
    private void keep(Connection connection, RunTurn run, Claim claim, Walked.Batch batch, List<RecordResult> results)
            throws Exception {
        try {
            walks.store().keep(connection, claim, batch.at().after(), batch.page(), results);
            patience.succeeded(run);
        } catch (IOException e) {
            throw patience.failed(
                    run,
                    "What the rules found could not be written: " + e + ". Nothing of this page was stored.",
                    why -> new UncheckedIOException(why, e));
        }
    }

    /** Validated again with nothing new: what was found before stays. */
    private void begin(Connection connection, Walk walk, StoredNetwork network, Judge judge) {
        diagnosis.begin(connection, walk.snapshot(), network.id(), judge.pipeline.fingerprint());
    }

    private void lookUp(Connection connection, Judge judge, List<Walked> items) {
        Set<String> fields = judge.pipeline.urlFields();
        if (fields.isEmpty()) {
            return;
        }
        Set<String> all = new HashSet<>();
        for (Walked item : items) {
            read(item.record())
                    .ifPresent(found -> fields.forEach(field ->
                            found.of(field).stream().filter(Validators::isUrl).forEach(all::add)));
        }
        try {
            judge.urls = urls.states(connection, all);
        } catch (DuplicateKeyException e) {
            // No record's fault: the page is tried again as a whole, and knows them then.
            throw new RetryLaterException(
                    SOON,
                    "Another validation wrote down the same URLs at this moment. Nothing of this page was stored.");
        }
    }

    private Optional<Fields> read(StoredRecord record) {
        try {
            return record.record().deleted()
                    ? Optional.empty()
                    : Optional.of(xml.read(record.record().xml()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** One bad record is one invalid record, and nothing worse. */
    private RecordResult result(Judge judge, Network network, StoredRecord record, PageFindings found) {
        Fields fields;
        try {
            fields = xml.read(record.record().xml());
        } catch (IllegalArgumentException e) {
            found.addUnreadable();
            return new RecordResult(
                    record.identifier(), RecordStatus.INVALID, Optional.empty(), String.valueOf(e.getMessage()));
        }
        Judgement judgement =
                judge.pipeline.judge(new Draft(record.identifier(), origin(network, record.record()), fields));
        found.add(record.identifier(), judgement);
        return new RecordResult(
                record.identifier(),
                judgement.valid() ? RecordStatus.VALID : RecordStatus.INVALID,
                judgement.changed() ? Optional.of(xml.write(judgement.fields())) : Optional.empty(),
                broken(judge.pipeline.ruleNames(), judgement.findings()));
    }

    private static Origin origin(Network network, OaiRecord record) {
        return new Origin(
                network.acronym(),
                network.name(),
                network.institutionAcronym(),
                network.institutionName(),
                network.originUrl(),
                record.metadataPrefix(),
                record.datestamp(),
                record.sets());
    }

    private static String broken(List<String> names, List<Finding> findings) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < findings.size(); i++) {
            if (!findings.get(i).holds()) {
                text.append(text.isEmpty() ? "Broken: " : ", ").append(names.get(i));
            }
        }
        return text.toString();
    }

    /** A run that was stopped or failed never comes here, so its snapshot is not validated. */
    private void after(RunTurn run) throws Exception {
        StoredNetwork network = walks.network(run);
        Walk walk = walks.walk(run, network, this::beginning);
        Judge judge = judgeOf(run);
        sql.transaction(connection -> {
            if (run.cursor().isEmpty() && diagnosis.validation(walk.snapshot()).isEmpty()) {
                begin(connection, walk, network, judge);
            }
            diagnosis.finish(connection, walk.snapshot());
            return walks.snapshots().mark(connection, walk.snapshot(), SnapshotStatus.VALIDATED, Optional.empty());
        });
        walks.store().settle(walk.snapshot());
        diagnosis.sweep();
        judges.remove(run.id());
    }
}
