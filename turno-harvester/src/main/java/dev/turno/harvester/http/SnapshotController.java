package dev.turno.harvester.http;

import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.RecordPage;
import dev.turno.harvester.record.RecordStatus;
import dev.turno.harvester.record.Selection;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.rules.Diagnosis;
import dev.turno.harvester.store.ParquetStore;
import dev.turno.harvester.store.PartFile;
import dev.turno.run.Runs;
import dev.turno.run.SubmitOutcome;
import dev.turno.web.api.ConflictException;
import dev.turno.web.api.Inputs;
import dev.turno.web.api.Items;
import dev.turno.web.api.NotFoundException;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What harvests brought, record by record, and what the rules found in it. */
@RestController
@RequestMapping("/api/v1")
public class SnapshotController {

    /** A list that looks for records of one status gives up after so many pages, and says where to go on. */
    private static final int MOST_PAGES = 20;

    private final Networks networks;
    private final Snapshots snapshots;
    private final ParquetStore store;
    private final Diagnosis diagnosis;
    private final Runs runs;

    public SnapshotController(
            Networks networks, Snapshots snapshots, ParquetStore store, Diagnosis diagnosis, Runs runs) {
        this.networks = networks;
        this.snapshots = snapshots;
        this.store = store;
        this.diagnosis = diagnosis;
        this.runs = runs;
    }

    /** A record in a list. */
    record Line(String identifier, Instant datestamp, RecordStatus status, List<String> sets, String details) {

        static Line of(StoredRecord stored) {
            return new Line(
                    stored.identifier(),
                    stored.record().datestamp(),
                    stored.status(),
                    stored.record().sets(),
                    stored.details());
        }
    }

    /** What the rules found in a snapshot. */
    record Findings(Diagnosis.@Nullable Validation validation, List<Diagnosis.RuleCount> rules) {}

    /** Values and records of one rule. */
    record RuleFindings(
            List<Diagnosis.ValueCount> good, List<Diagnosis.ValueCount> bad, List<String> kept, List<String> broken) {}

    private Snapshot require(long id) {
        return snapshots
                .find(id)
                .orElseThrow(() -> new NotFoundException(
                        "There is no snapshot " + id + ": it never was, or it was removed by a cleaning."));
    }

    @GetMapping("/snapshots/{id}")
    @Route(role = Role.VIEWER, says = "One snapshot: its status, its counts, its error.")
    Snapshot show(@PathVariable long id) {
        return require(id);
    }

    @GetMapping("/snapshots/{id}/log")
    @Route(role = Role.VIEWER, says = "What a harvest said.", gives = "{\"items\":[],\"next\":null}")
    Items<Snapshots.LogLine> log(
            @PathVariable long id,
            @RequestParam Optional<String> after,
            @RequestParam(defaultValue = "100") int limit) {
        List<Snapshots.LogLine> lines = snapshots.log(require(id).id(), Inputs.number(after, 0), Inputs.limit(limit));
        return Items.upTo(lines, limit, Snapshots.LogLine::id);
    }

    @GetMapping("/snapshots/{id}/quarantine")
    @Route(role = Role.VIEWER, says = "What could not be used of a harvest.", gives = "{\"items\":[],\"next\":null}")
    Items<Snapshots.Quarantined> quarantine(
            @PathVariable long id,
            @RequestParam Optional<String> after,
            @RequestParam(defaultValue = "100") int limit) {
        List<Snapshots.Quarantined> found =
                snapshots.quarantined(require(id).id(), Inputs.number(after, 0), Inputs.limit(limit));
        return Items.upTo(found, limit, Snapshots.Quarantined::id);
    }

    @GetMapping("/snapshots/{id}/records")
    @Route(
            role = Role.VIEWER,
            says =
                    "The records that a snapshot shows, or those of one status. A page may have fewer than asked for, and more follow.",
            gives = "{\"items\":[],\"next\":null}")
    Items<Line> records(
            @PathVariable long id,
            @RequestParam Optional<RecordStatus> status,
            @RequestParam Optional<String> after,
            @RequestParam(defaultValue = "100") int limit)
            throws IOException {
        Selection selection = new Selection(
                OptionalLong.empty(),
                status.filter(RecordStatus.DELETED::equals).isPresent());
        List<Line> lines = new ArrayList<>();
        Optional<String> cursor = after;
        for (int pages = 0; pages < MOST_PAGES && lines.size() < Inputs.limit(limit); pages++) {
            Optional<RecordPage> page = store.page(require(id).id(), selection, cursor, limit - lines.size());
            if (page.isEmpty()) {
                return Items.of(lines, Optional.empty());
            }
            page.get().records().stream()
                    .filter(record -> status.isEmpty() || record.status() == status.get())
                    .map(Line::of)
                    .forEach(lines::add);
            cursor = Optional.of(page.get().cursor());
        }
        return Items.of(lines, cursor);
    }

    @GetMapping("/snapshots/{id}/parts")
    @Route(
            role = Role.VIEWER,
            says = "The Parquet files that hold what a snapshot shows, newest first, for tools that read them.",
            gives =
                    "{\"items\":[{\"file\":\"network-1/snap-3/part-15-1.parquet\",\"rows\":1500,\"deletions\":0,\"results\":null}],"
                            + "\"next\":null}")
    Items<PartFile> parts(@PathVariable long id) {
        return Items.of(store.files(require(id).id()), Optional.empty());
    }

    @GetMapping("/networks/{acronym}/records/{identifier}")
    @Route(role = Role.VIEWER, says = "One record of a network's last complete snapshot, with its XML.")
    StoredRecord record(@PathVariable String acronym, @PathVariable String identifier) throws IOException {
        StoredNetwork network = networks.find(acronym)
                .orElseThrow(() -> new NotFoundException("There is no network '" + acronym + "'."));
        Optional<Snapshot> good = snapshots.lastGood(network.id());
        return (good.isPresent() ? store.find(good.get().id(), identifier) : Optional.<StoredRecord>empty())
                .orElseThrow(() -> new NotFoundException(
                        "Network '" + acronym + "' has no record '" + identifier + "' in its last complete snapshot."));
    }

    @GetMapping("/snapshots/{id}/diagnosis")
    @Route(role = Role.VIEWER, says = "How many records of a snapshot kept and broke each rule.")
    Findings diagnosis(@PathVariable long id) {
        return new Findings(diagnosis.validation(require(id).id()).orElse(null), diagnosis.rules(id));
    }

    @GetMapping("/snapshots/{id}/diagnosis/rule")
    @Route(role = Role.VIEWER, says = "The most frequent values of one rule, and some records that kept or broke it.")
    RuleFindings rule(@PathVariable long id, @RequestParam String name, @RequestParam(defaultValue = "100") int limit) {
        long snapshot = require(id).id();
        return new RuleFindings(
                diagnosis.values(snapshot, name, true, Inputs.limit(limit)),
                diagnosis.values(snapshot, name, false, limit),
                diagnosis.samples(snapshot, name, true),
                diagnosis.samples(snapshot, name, false));
    }

    @PostMapping("/snapshots/{id}/accept")
    @Route(
            role = Role.OPERATOR,
            says = "A person's word that a harvest may be so small: its run goes on and publishes it.",
            gives = "{\"id\":812,\"state\":\"PENDING\"}")
    Map<String, Object> accept(@PathVariable long id) {
        Snapshot snapshot = require(id);
        if (snapshot.status().isGood() || !snapshots.accept(id)) {
            throw new ConflictException("Snapshot " + id + " is " + snapshot.status()
                    + "; only one whose harvest waits for a person can be accepted. Nothing was changed.");
        }
        SubmitOutcome outcome = runs.resume(snapshot.run());
        if (outcome instanceof SubmitOutcome.Refused refused) {
            throw new ConflictException(refused.because());
        }
        return Map.of("id", snapshot.run(), "state", "PENDING");
    }
}
