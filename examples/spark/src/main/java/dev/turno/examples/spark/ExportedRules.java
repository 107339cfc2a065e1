package dev.turno.examples.spark;

import dev.turno.harvester.rules.Pipeline;
import dev.turno.harvester.rules.RuleJson;
import dev.turno.harvester.rules.RuleSet;
import dev.turno.harvester.rules.UrlStates;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A network with its rules, as {@code turno network export} writes it. */
final class ExportedRules {

    private final JsonNode network;
    private final List<RuleSet> sets;

    ExportedRules(String export) {
        JsonNode all = JsonMapper.shared().readTree(export);
        RuleJson json = new RuleJson();
        this.network = all.get("network");
        this.sets = all.get("ruleSets")
                .valueStream()
                .map(set -> json.read(set.toString()))
                .toList();
    }

    String text(String field) {
        return network.path(field).asString("");
    }

    /** What judges its records, as the harvester does. */
    Pipeline pipeline() {
        return Pipeline.of(
                set("preValidator", "VALIDATE"),
                Stream.of(set("transformer", "TRANSFORM"), set("secondaryTransformer", "TRANSFORM"))
                        .flatMap(Optional::stream)
                        .toList(),
                set("validator", "VALIDATE"),
                UrlStates.unknown(),
                Clock.systemUTC());
    }

    private Optional<RuleSet> set(String role, String property) {
        boolean on = network.path("properties").path(property).asBoolean(false);
        return sets.stream().filter(set -> on && set.name().equals(text(role))).findFirst();
    }
}
