package dev.turno.harvester.http;

import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.RecordStore;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.rules.Draft;
import dev.turno.harvester.rules.FieldXml;
import dev.turno.harvester.rules.Origin;
import dev.turno.harvester.rules.RuleJson;
import dev.turno.harvester.rules.RuleSet;
import dev.turno.harvester.rules.RuleSets;
import dev.turno.web.api.ConflictException;
import dev.turno.web.api.Inputs;
import dev.turno.web.api.Items;
import dev.turno.web.api.NotFoundException;
import dev.turno.web.security.Caller;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sets of rules: their forms, their texts, and what they would make of a record. */
@RestController
@RequestMapping("/api/v1")
public class RuleController {

    private static final String SET =
            "{\"name\":\"default\",\"purpose\":\"VALIDATION\",\"description\":\"\",\"rules\":[{\"name\":\"has a title\","
                    + "\"type\":\"occurrences\",\"mandatory\":true,\"quantifier\":\"ONE_OR_MORE\",\"settings\":{\"field\":\"dc.title\"}}]}";

    private static final JsonMapper JSON = JsonMapper.shared();

    private final RuleSets ruleSets;
    private final Networks networks;
    private final Snapshots snapshots;
    private final RecordStore store;
    private final RuleJson json = new RuleJson();
    private final FieldXml xml = new FieldXml();

    public RuleController(RuleSets ruleSets, Networks networks, Snapshots snapshots, RecordStore store) {
        this.ruleSets = ruleSets;
        this.networks = networks;
        this.snapshots = snapshots;
        this.store = store;
    }

    record CopyWish(@Nullable String as) {}

    /** A record to be judged for a trial: one of the network's, or any XML. */
    record TryWish(
            @Nullable String network,
            @Nullable String identifier,
            @Nullable String xml) {}

    @GetMapping("/rule-kinds")
    @Route(role = Role.VIEWER, says = "All kinds of rules, each with the JSON Schema of its settings.")
    JsonNode kinds() {
        return JSON.readTree(json.forms());
    }

    @GetMapping("/rule-sets")
    @Route(role = Role.VIEWER, says = "The sets of rules.")
    Items<RuleSets.Entry> list(
            @RequestParam(defaultValue = "") String after, @RequestParam(defaultValue = "50") int limit) {
        List<RuleSets.Entry> found = ruleSets.list(after, Inputs.limit(limit) + 1);
        return Items.of(found, limit, RuleSets.Entry::name);
    }

    @GetMapping("/rule-sets/{name}")
    @Route(role = Role.VIEWER, says = "One set of rules, as it is imported elsewhere.", gives = SET)
    JsonNode show(@PathVariable String name) {
        return JSON.readTree(ruleSets.exportJson(name).orElseThrow(() -> noSuchSet(name)));
    }

    private static NotFoundException noSuchSet(String name) {
        return new NotFoundException("There is no set of rules '" + name + "'.");
    }

    @PutMapping("/rule-sets/{name}")
    @Route(
            role = Role.ADMIN,
            says = "Stores a set of rules; one of the same name gives way. 400 if one of them cannot work.",
            takes = SET)
    JsonNode put(@PathVariable String name, @RequestBody JsonNode body, HttpServletRequest request) {
        RuleSet set = json.read(body.toString());
        if (!set.name().equals(name)) {
            throw new IllegalArgumentException("The set is called '" + set.name() + "' and the path says '" + name
                    + "'. Nothing was stored; use one name.");
        }
        ruleSets.save(set, Caller.of(request).name());
        return show(name);
    }

    @PostMapping("/rule-sets/{name}/clone")
    @ResponseStatus(HttpStatus.CREATED)
    @Route(
            role = Role.ADMIN,
            says = "Stores the same rules under another name.",
            takes = "{\"as\":\"stricter\"}",
            gives = SET,
            status = 201)
    JsonNode copy(@PathVariable String name, @RequestBody CopyWish wish, HttpServletRequest request) {
        if (ruleSets.exportJson(name).isEmpty()) {
            throw noSuchSet(name);
        }
        String as = Inputs.required("as", wish.as());
        ruleSets.copy(name, as, Caller.of(request).name());
        return show(as);
    }

    @DeleteMapping("/rule-sets/{name}")
    @Route(role = Role.ADMIN, says = "Removes a set of rules; 409 while a network names it.", status = 204)
    ResponseEntity<Void> remove(@PathVariable String name) {
        Optional<StoredNetwork> user = networks.naming(name);
        if (user.isPresent()) {
            throw new ConflictException("Network '" + user.get().network().acronym() + "' uses the set '" + name
                    + "'. Nothing was removed; give the network another set first.");
        }
        if (!ruleSets.remove(name)) {
            throw noSuchSet(name);
        }
        return ResponseEntity.noContent().build();
    }

    @PostMapping("/rule-sets/try")
    @Route(
            role = Role.OPERATOR,
            says = "What a network's rules would make of one of its records, or of any XML; nothing is stored.",
            takes = "{\"network\":\"UX\",\"identifier\":\"oai:repo.example.org:1\"}")
    RuleSets.DryRun dryRun(@RequestBody TryWish wish) throws IOException {
        String acronym = Inputs.required("network", wish.network());
        StoredNetwork network = networks.find(acronym)
                .orElseThrow(() -> new NotFoundException("There is no network '" + acronym + "'."));
        String given = wish.xml();
        if (given != null) {
            Origin origin = origin(network.network(), java.time.Instant.now(), List.of());
            return ruleSets.dryRun(network.network(), new Draft("a trial", origin, xml.read(given)));
        }
        StoredRecord record = record(network, Inputs.required("identifier", wish.identifier()));
        Origin origin = origin(
                network.network(), record.record().datestamp(), record.record().sets());
        return ruleSets.dryRun(
                network.network(),
                new Draft(record.identifier(), origin, xml.read(record.record().xml())));
    }

    private StoredRecord record(StoredNetwork network, String identifier) throws IOException {
        Optional<Snapshot> good = snapshots.lastGood(network.id());
        return (good.isPresent() ? store.find(good.get().id(), identifier) : Optional.<StoredRecord>empty())
                .filter(found -> !found.record().deleted())
                .orElseThrow(() -> new NotFoundException("Network '"
                        + network.network().acronym() + "' has no record '" + identifier + "' that could be tried."));
    }

    private static Origin origin(Network network, java.time.Instant datestamp, List<String> sets) {
        return new Origin(
                network.acronym(),
                network.name(),
                network.institutionAcronym(),
                network.institutionName(),
                network.originUrl(),
                network.metadataPrefix(),
                datestamp,
                sets);
    }
}
