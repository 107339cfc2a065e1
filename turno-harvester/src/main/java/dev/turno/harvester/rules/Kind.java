package dev.turno.harvester.rules;

import java.util.List;

/**
 * A kind of rule: what its form asks.
 *
 * @param type as it stands in the data
 * @param counts whether a quantifier says how many values must be good
 */
public record Kind(
        String type, Purpose purpose, String title, String help, boolean counts, List<Parameter> parameters) {

    public Kind {
        parameters = List.copyOf(parameters);
    }
}
