package dev.turno.harvester.http;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.turno.harvester.harvest.SourceCheck;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.publish.NetworkDesk;
import dev.turno.harvester.rules.RuleJson;
import dev.turno.harvester.rules.RuleSet;
import dev.turno.harvester.rules.RuleSets;
import dev.turno.run.SubmitOutcome;
import dev.turno.web.api.ConflictException;
import dev.turno.web.api.Inputs;
import dev.turno.web.api.Items;
import dev.turno.web.api.NotFoundException;
import dev.turno.web.security.Caller;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
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

/** The networks: described, checked, run, stopped, exported. */
@RestController
@RequestMapping("/api/v1/networks")
public class NetworkController {

    private static final String NETWORK =
            "{\"acronym\":\"UX\",\"name\":\"Universidad X\",\"originUrl\":\"https://repo.example.org/oai\",\"metadataPrefix\":\"oai_dc\","
                    + "\"sets\":[],\"properties\":{\"VALIDATE\":true,\"INDEX_FRONTEND\":true},\"schedule\":\"0 3 * * *\","
                    + "\"validator\":\"default\"}";

    private static final JsonMapper JSON = JsonMapper.shared();

    private final RuleJson rules = new RuleJson();
    private final Networks networks;
    private final Snapshots snapshots;
    private final RuleSets ruleSets;
    private final NetworkDesk desk;
    private final SourceCheck check;

    public NetworkController(
            Networks networks, Snapshots snapshots, RuleSets ruleSets, NetworkDesk desk, SourceCheck check) {
        this.networks = networks;
        this.snapshots = snapshots;
        this.ruleSets = ruleSets;
        this.desk = desk;
        this.check = check;
    }

    /** A network as it is shown; {@code lastGood}: its last complete snapshot. */
    record View(
            long id,
            String subject,
            @JsonUnwrapped NetworkBody network,
            @Nullable Snapshot lastGood) {}

    /** What is run: one action, or all that its schedule would run. */
    record Wish(@Nullable String action, @Nullable Boolean incremental) {}

    record ScheduleWish(@Nullable String schedule) {}

    /** A network with the rules that it names. */
    record Export(NetworkBody network, @Nullable List<JsonNode> ruleSets) {}

    private View view(StoredNetwork stored) {
        return new View(
                stored.id(),
                stored.subject(),
                NetworkBody.of(stored.network()),
                snapshots.lastGood(stored.id()).orElse(null));
    }

    private StoredNetwork require(String acronym) {
        return networks.find(acronym)
                .orElseThrow(() -> new NotFoundException("There is no network '" + acronym + "'."));
    }

    @GetMapping
    @Route(role = Role.VIEWER, says = "The networks, each with its last complete snapshot.")
    Items<View> list(@RequestParam Optional<String> after, @RequestParam(defaultValue = "50") int limit) {
        List<View> found = networks.list(Inputs.number(after, 0), Inputs.limit(limit) + 1).stream()
                .map(this::view)
                .toList();
        return Items.of(found, limit, View::id);
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Route(
            role = Role.ADMIN,
            says = "Adds a network and keeps its schedule.",
            takes = NETWORK,
            gives = "{\"id\":7,\"subject\":\"NETWORK::7\",\"acronym\":\"UX\"}",
            status = 201)
    View add(@RequestBody NetworkBody body, HttpServletRequest request) {
        Network network = body.network();
        if (networks.find(network.acronym()).isPresent()) {
            throw new ConflictException("There is a network '" + network.acronym() + "' already. Nothing was stored.");
        }
        return view(desk.add(network, Caller.of(request).name()));
    }

    @GetMapping("/{acronym}")
    @Route(role = Role.VIEWER, says = "One network.")
    View show(@PathVariable String acronym) {
        return view(require(acronym));
    }

    @PutMapping("/{acronym}")
    @Route(role = Role.ADMIN, says = "Describes a network anew; what is left out has its usual value.", takes = NETWORK)
    View change(@PathVariable String acronym, @RequestBody NetworkBody body, HttpServletRequest request) {
        return view(
                desk.change(require(acronym), body.network(), Caller.of(request).name()));
    }

    @PutMapping("/{acronym}/schedule")
    @Route(
            role = Role.ADMIN,
            says = "When its actions run: a cron expression, a period such as PT6H, or null for never.",
            takes = "{\"schedule\":\"0 3 * * *\"}")
    View schedule(@PathVariable String acronym, @RequestBody ScheduleWish wish, HttpServletRequest request) {
        StoredNetwork known = require(acronym);
        Network changed = known.network().withSchedule(Optional.ofNullable(wish.schedule()));
        return view(desk.change(known, changed, Caller.of(request).name()));
    }

    @DeleteMapping("/{acronym}")
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Route(
            role = Role.ADMIN,
            says = "Removes a network with its records and documents, by a run.",
            gives = "{\"id\":812,\"state\":\"PENDING\"}",
            status = 202)
    Map<String, Object> remove(@PathVariable String acronym) {
        return queued(desk.remove(require(acronym)));
    }

    @PostMapping("/check")
    @Route(role = Role.ADMIN, says = "Looks at a source before anything is stored.", takes = NETWORK)
    SourceCheck.Finding checkUnknown(@RequestBody NetworkBody body) {
        return check.check(body.network());
    }

    @PostMapping("/{acronym}/check")
    @Route(
            role = Role.OPERATOR,
            says = "Looks at the source of a network: who it is, its formats, sets and first page.")
    SourceCheck.Finding check(@PathVariable String acronym) {
        return check.check(require(acronym).network());
    }

    @PostMapping("/{acronym}/run")
    @ResponseStatus(HttpStatus.CREATED)
    @Route(
            role = Role.OPERATOR,
            says =
                    "Runs one action on a network, or without one all that its schedule would; 409 if as many wait as may.",
            takes = "{\"action\":\"HARVESTING_ACTION\",\"incremental\":true}",
            gives = "{\"id\":812,\"state\":\"PENDING\"}",
            status = 201)
    Map<String, Object> run(@PathVariable String acronym, @RequestBody(required = false) @Nullable Wish wish) {
        StoredNetwork network = require(acronym);
        Optional<String> action = Optional.ofNullable(wish).map(Wish::action);
        Optional<Boolean> incremental = Optional.ofNullable(wish).map(Wish::incremental);
        return queued(desk.run(network, action, incremental));
    }

    private static Map<String, Object> queued(SubmitOutcome outcome) {
        if (outcome instanceof SubmitOutcome.Refused refused) {
            throw new ConflictException(refused.because());
        }
        return Map.of("id", outcome.orThrow(), "state", "PENDING");
    }

    @PostMapping("/{acronym}/stop")
    @Route(
            role = Role.OPERATOR,
            says = "Stops what is under way on a network and cancels what waits.",
            gives = "{\"runs\":1}")
    Map<String, Object> stop(@PathVariable String acronym) {
        return Map.of("runs", desk.stop(require(acronym)));
    }

    @GetMapping("/{acronym}/history")
    @Route(role = Role.VIEWER, says = "Who changed a network, newest first.")
    Items<Networks.Change> history(@PathVariable String acronym, @RequestParam(defaultValue = "50") int limit) {
        return Items.of(networks.history(require(acronym).id(), Inputs.limit(limit)), Optional.empty());
    }

    @GetMapping("/{acronym}/snapshots")
    @Route(role = Role.VIEWER, says = "The snapshots of a network, newest first.")
    Items<Snapshot> snapshots(
            @PathVariable String acronym,
            @RequestParam Optional<String> after,
            @RequestParam(defaultValue = "50") int limit) {
        List<Snapshot> found = snapshots.list(
                require(acronym).id(), after.map(text -> Inputs.number(after, 0)), Inputs.limit(limit) + 1);
        return Items.of(found, limit, Snapshot::id);
    }

    @GetMapping("/{acronym}/export")
    @Route(role = Role.VIEWER, says = "A network with the rules it names, to be imported elsewhere.")
    Export export(@PathVariable String acronym) {
        Network network = require(acronym).network();
        List<JsonNode> sets = Stream.of(
                        network.preValidator(),
                        network.validator(),
                        network.transformer(),
                        network.secondaryTransformer())
                .flatMap(Optional::stream)
                .distinct()
                .flatMap(name -> ruleSets.exportJson(name).stream())
                .map(JSON::readTree)
                .toList();
        return new Export(NetworkBody.of(network), sets);
    }

    @PostMapping("/import")
    @Route(
            role = Role.ADMIN,
            says = "Stores an exported network and its rules; what has the same names gives way.",
            takes = "{\"network\":" + NETWORK + ",\"ruleSets\":[]}")
    View importNetwork(@RequestBody Export export, HttpServletRequest request) {
        String who = Caller.of(request).name();
        Network network = Inputs.required("network", export.network()).network();
        List<RuleSet> sets = Optional.ofNullable(export.ruleSets()).orElseGet(ArrayList::new).stream()
                .map(set -> rules.read(set.toString()))
                .toList();
        return view(desk.importWith(sets, network, who));
    }
}
