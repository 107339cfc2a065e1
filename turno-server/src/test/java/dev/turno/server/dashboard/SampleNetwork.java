package dev.turno.server.dashboard;

import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.DemoRepository;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.NetworkProperty;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.SnapshotStatus;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.publish.NetworkDesk;
import dev.turno.harvester.rules.Purpose;
import dev.turno.harvester.rules.Rule;
import dev.turno.harvester.rules.RuleSet;
import dev.turno.harvester.rules.RuleSets;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.context.ApplicationContext;

/** A repository with invented records, harvested and judged by the server. */
final class SampleNetwork implements AutoCloseable {

    static final String ACRONYM = "DEMO";
    static final String RULE = "has a short title";

    private final DemoRepository repository = new DemoRepository("norte", 120);
    private final DemoProvider provider = DemoProvider.start(repository, 50, 0);
    private final Snapshots snapshots;
    private final StoredNetwork network;

    SampleNetwork(ApplicationContext server) throws IOException {
        snapshots = server.getBean(Snapshots.class);
        Rule year = Rule.of("has a year", "regex", Map.of("field", "dc.date", "pattern", "[0-9]{4}.*"));
        Rule title = Rule.of(RULE, "regex", Map.of("field", "dc.title", "pattern", ".{1,40}"));
        RuleSet rules = new RuleSet("sample", Purpose.VALIDATION, "What is asked of a record.", List.of(year, title));
        server.getBean(RuleSets.class).save(rules, "a test");
        NetworkDesk desk = server.getBean(NetworkDesk.class);
        network = desk.add(description(), "a test");
        var unused = desk.run(network, Optional.empty(), Optional.empty());
    }

    private Network description() {
        return new Network(
                ACRONYM,
                "Repositorio del Norte " + SampleWork.SCRIPT,
                "Universidad del Norte",
                "UN",
                provider.url(),
                "oai_dc",
                List.of(),
                Map.of(),
                EnumSet.of(NetworkProperty.VALIDATE, NetworkProperty.DETAILED_DIAGNOSE, NetworkProperty.INDEX_FRONTEND),
                true,
                Optional.empty(),
                Optional.empty(),
                Optional.of("sample"),
                Optional.empty(),
                Optional.empty());
    }

    boolean isReady() {
        return all().stream().anyMatch(one -> one.status() == SnapshotStatus.INDEXED);
    }

    private List<Snapshot> all() {
        return snapshots.list(network.id(), Optional.empty(), 100);
    }

    /** The first one, which was judged. */
    long snapshot() {
        return all().stream().mapToLong(Snapshot::id).min().orElseThrow();
    }

    int snapshots() {
        return all().size();
    }

    String record() {
        return repository.identifier(7);
    }

    @Override
    public void close() {
        provider.close();
    }
}
