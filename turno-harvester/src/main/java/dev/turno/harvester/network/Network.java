package dev.turno.harvester.network;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A repository that is harvested, as a person describes it.
 *
 * @param acronym its unique name, at most 20 characters
 * @param originUrl the base URL of its OAI-PMH provider
 * @param sets harvested one after the other; empty: everything
 * @param attributes free texts, such as a country
 * @param properties those that are switched on
 * @param schedule a cron expression
 * @param preValidator the name of a set of rules, as the three after it
 */
public record Network(
        String acronym,
        String name,
        String institutionName,
        String institutionAcronym,
        String originUrl,
        String metadataPrefix,
        List<String> sets,
        Map<String, String> attributes,
        Set<NetworkProperty> properties,
        boolean published,
        Optional<String> schedule,
        Optional<String> preValidator,
        Optional<String> validator,
        Optional<String> transformer,
        Optional<String> secondaryTransformer) {

    public static final int LONGEST_ACRONYM = 20;
    public static final int LONGEST_TEXT = 500;
    public static final int MOST_SETS = 500;
    public static final int MOST_ATTRIBUTES = 100;

    public Network {
        require("acronym", acronym, LONGEST_ACRONYM);
        require("name", name, LONGEST_TEXT);
        require("origin URL", originUrl, LONGEST_TEXT);
        require("metadata prefix", metadataPrefix, 100);
        requireShort("institution's name", institutionName, LONGEST_TEXT);
        requireShort("institution's acronym", institutionAcronym, LONGEST_TEXT);
        List.of(schedule, preValidator, validator, transformer, secondaryTransformer)
                .forEach(text -> requireShort("schedule or name of rules", text.orElse(""), 200));
        if (!originUrl.startsWith("http://") && !originUrl.startsWith("https://")) {
            throw new IllegalArgumentException("The origin URL of network '" + acronym + "' is '" + originUrl
                    + "'; it begins with http or https.");
        }
        if (sets.size() > MOST_SETS || attributes.size() > MOST_ATTRIBUTES) {
            throw new IllegalArgumentException("Network '" + acronym + "' has " + sets.size() + " sets and "
                    + attributes.size() + " attributes; at most " + MOST_SETS + " and " + MOST_ATTRIBUTES + ".");
        }
        for (String set : sets) {
            if (set.lines().count() != 1) {
                throw new IllegalArgumentException("A set of network '" + acronym + "' is '" + set
                        + "'; write each as one line, as the source spells it.");
            }
        }
        sets = List.copyOf(sets);
        attributes = Map.copyOf(attributes);
        properties = properties.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(properties));
    }

    private static void requireShort(String what, String text, int most) {
        if (text.length() > most) {
            throw new IllegalArgumentException(
                    "The " + what + " of a network has " + text.length() + " characters; use at most " + most + ".");
        }
    }

    private static void require(String what, String text, int most) {
        if (text.isBlank() || text.length() > most) {
            throw new IllegalArgumentException(
                    "The " + what + " of a network is '" + text + "'; use 1 to " + most + " characters.");
        }
    }

    /** A network with nothing but what a harvest needs. */
    public static Network of(String acronym, String originUrl) {
        return new Network(
                acronym,
                acronym,
                "",
                "",
                originUrl,
                "oai_dc",
                List.of(),
                Map.of(),
                Set.of(),
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    public Network withSchedule(Optional<String> wished) {
        return new Network(
                acronym,
                name,
                institutionName,
                institutionAcronym,
                originUrl,
                metadataPrefix,
                sets,
                attributes,
                properties,
                published,
                wished,
                preValidator,
                validator,
                transformer,
                secondaryTransformer);
    }

    public Network withSets(List<String> wished) {
        return new Network(
                acronym,
                name,
                institutionName,
                institutionAcronym,
                originUrl,
                metadataPrefix,
                wished,
                attributes,
                properties,
                published,
                schedule,
                preValidator,
                validator,
                transformer,
                secondaryTransformer);
    }

    public boolean has(NetworkProperty property) {
        return properties.contains(property);
    }
}
