package dev.turno.harvester.rules;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules that are used together, in order: a validator or a transformer. Valid from birth: all its rules can work. */
public record RuleSet(String name, Purpose purpose, String description, List<Rule> rules) {

    public static final int LONGEST_NAME = 100;
    public static final int MOST_RULES = 500;

    public RuleSet {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new RuleException("The name of a set of rules is '" + name + "'; use 1 to " + LONGEST_NAME
                    + " characters, not all blank.");
        }
        if (rules.size() > MOST_RULES) {
            throw new RuleException("The set '" + name + "' has " + rules.size() + " rules; at most " + MOST_RULES
                    + ". Split it, or join rules that look at the same field.");
        }
        rules = List.copyOf(rules);
        Set<String> seen = new HashSet<>();
        for (Rule rule : rules) {
            if (!seen.add(rule.name())) {
                throw new RuleException("Two rules of the set '" + name + "' are called '" + rule.name()
                        + "'. The diagnosis tells them apart by their names: rename one.");
            }
        }
        Kinds.compile(purpose, rules);
    }

    /** The same rules under another name. */
    public RuleSet cloneAs(String other) {
        return new RuleSet(other, purpose, description, rules);
    }
}
