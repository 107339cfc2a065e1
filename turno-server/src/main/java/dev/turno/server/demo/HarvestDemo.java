package dev.turno.server.demo;

import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.DemoRepository;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.NetworkProperty;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.publish.NetworkDesk;
import dev.turno.harvester.rules.Purpose;
import dev.turno.harvester.rules.Rule;
import dev.turno.harvester.rules.RuleSet;
import dev.turno.harvester.rules.RuleSets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Two repositories with invented records, in this process, which are harvested, judged and indexed at once. */
@Component
@ConditionalOnBooleanProperty("turno.demo")
@ConditionalOnBooleanProperty(name = "turno.harvester.enabled", matchIfMissing = true)
class HarvestDemo implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(HarvestDemo.class);
    private static final String WHO = "the demo";
    private static final String RULES = "demo-validator";
    private static final int RECORDS = 1_500;
    private static final int PAGE = 100;

    private final Networks networks;
    private final NetworkDesk desk;
    private final RuleSets ruleSets;
    private final List<DemoProvider> providers = new ArrayList<>(); // guarded by this

    HarvestDemo(Networks networks, NetworkDesk desk, RuleSets ruleSets) {
        this.networks = networks;
        this.desk = desk;
        this.ruleSets = ruleSets;
    }

    @Override
    public synchronized void start() {
        ruleSets.save(
                new RuleSet(
                        RULES,
                        Purpose.VALIDATION,
                        "What the demo asks of a record.",
                        List.of(
                                Rule.of("has a title", "occurrences", Map.of("field", "dc.title")),
                                Rule.of("has a year", "regex", Map.of("field", "dc.date", "pattern", "[0-9]{4}.*")),
                                Rule.of("is of this century", "regex", Map.of("field", "dc.date", "pattern", "20.*"))
                                        .optional())),
                WHO);
        begin("DEMO-NORTE", "Repositorio del Norte", "norte");
        begin("DEMO-SUR", "Repositorio del Sur", "sur");
    }

    private synchronized void begin(String acronym, String name, String host) {
        try {
            DemoProvider provider = DemoProvider.start(new DemoRepository(host, RECORDS), PAGE, 0);
            providers.add(provider);
            // The port is another one at every start.
            StoredNetwork network = kept(network(acronym, name, provider.url()));
            var unused = desk.run(network, Optional.empty(), Optional.empty());
        } catch (IOException e) {
            throw new UncheckedIOException("The demo's repository " + acronym + " could not be started.", e);
        } catch (RuntimeException e) {
            LOG.info("The demo goes on without {}: {}", acronym, e.toString());
        }
    }

    private StoredNetwork kept(Network network) {
        Optional<StoredNetwork> known = networks.find(network.acronym());
        return known.isPresent() ? desk.change(known.get(), network, WHO) : desk.add(network, WHO);
    }

    private static Network network(String acronym, String name, String url) {
        return new Network(
                acronym,
                name,
                "Universidad " + name.substring(name.lastIndexOf(' ') + 1),
                acronym,
                url,
                "oai_dc",
                List.of(),
                Map.of(),
                EnumSet.of(NetworkProperty.VALIDATE, NetworkProperty.INDEX_FRONTEND, NetworkProperty.INDEX_XOAI),
                true,
                Optional.empty(),
                Optional.empty(),
                Optional.of(RULES),
                Optional.empty(),
                Optional.empty());
    }

    @Override
    public synchronized void stop() {
        providers.forEach(DemoProvider::close);
        providers.clear();
    }

    @Override
    public synchronized boolean isRunning() {
        return !providers.isEmpty();
    }
}
