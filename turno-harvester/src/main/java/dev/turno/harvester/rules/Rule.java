package dev.turno.harvester.rules;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One rule, as data.
 *
 * @param name unique in its set, for people
 * @param type one of {@link Kinds}
 * @param mandatory whether a record that breaks it is invalid; otherwise it is only counted. Transformers ignore it
 * @param quantifier how many values must be good; transformers ignore it
 * @param settings what the form of its kind asks: texts, whole numbers, booleans, lists and tables of texts
 */
public record Rule(String name, String type, boolean mandatory, Quantifier quantifier, Map<String, Object> settings) {

    public static final int LONGEST_NAME = 200;

    public Rule {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new RuleException(
                    "The name of a rule is '" + name + "'; use 1 to " + LONGEST_NAME + " characters, not all blank.");
        }
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /** A mandatory rule of which one value or more must be good. */
    public static Rule of(String name, String type, Map<String, Object> settings) {
        return new Rule(name, type, true, Quantifier.ONE_OR_MORE, settings);
    }

    public Rule with(Quantifier wished) {
        return new Rule(name, type, mandatory, wished, settings);
    }

    public Rule optional() {
        return new Rule(name, type, false, quantifier, settings);
    }
}
