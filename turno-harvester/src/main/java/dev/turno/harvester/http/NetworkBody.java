package dev.turno.harvester.http;

import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.NetworkProperty;
import dev.turno.web.api.Inputs;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A network as it is sent and exported; what is left out has its usual value.
 *
 * @param properties by name, true or false
 */
record NetworkBody(
        @Nullable String acronym,
        @Nullable String name,
        @Nullable String institutionName,
        @Nullable String institutionAcronym,
        @Nullable String originUrl,
        @Nullable String metadataPrefix,
        @Nullable List<String> sets,
        @Nullable Map<String, String> attributes,
        @Nullable Map<String, Boolean> properties,
        @Nullable Boolean published,
        @Nullable String schedule,
        @Nullable String preValidator,
        @Nullable String validator,
        @Nullable String transformer,
        @Nullable String secondaryTransformer) {

    static NetworkBody of(Network network) {
        return new NetworkBody(
                network.acronym(),
                network.name(),
                network.institutionName(),
                network.institutionAcronym(),
                network.originUrl(),
                network.metadataPrefix(),
                network.sets(),
                network.attributes(),
                EnumSet.allOf(NetworkProperty.class).stream().collect(Collectors.toMap(Enum::name, network::has)),
                network.published(),
                network.schedule().orElse(null),
                network.preValidator().orElse(null),
                network.validator().orElse(null),
                network.transformer().orElse(null),
                network.secondaryTransformer().orElse(null));
    }

    Network network() {
        String called = Inputs.required("acronym", acronym);
        return new Network(
                called,
                or(name, called),
                or(institutionName, ""),
                or(institutionAcronym, ""),
                Inputs.required("originUrl", originUrl),
                or(metadataPrefix, "oai_dc"),
                or(sets, List.of()),
                or(attributes, Map.of()),
                switchedOn(),
                or(published, true),
                given(schedule),
                given(preValidator),
                given(validator),
                given(transformer),
                given(secondaryTransformer));
    }

    private static <T> T or(@Nullable T value, T usual) {
        return value == null ? usual : value;
    }

    private static Optional<String> given(@Nullable String text) {
        return Optional.ofNullable(text).filter(some -> !some.isBlank());
    }

    private Set<NetworkProperty> switchedOn() {
        Set<NetworkProperty> on = EnumSet.noneOf(NetworkProperty.class);
        or(properties, Map.<String, Boolean>of()).forEach((name, value) -> {
            NetworkProperty property = property(name);
            if (Boolean.TRUE.equals(value)) {
                on.add(property);
            }
        });
        return on;
    }

    private static NetworkProperty property(String name) {
        try {
            return NetworkProperty.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "There is no property '" + name + "'; there are " + List.of(NetworkProperty.values())
                            + ". Nothing was stored.",
                    e);
        }
    }
}
