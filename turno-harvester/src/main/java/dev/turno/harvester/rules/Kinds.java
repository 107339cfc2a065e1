package dev.turno.harvester.rules;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All kinds of rules there are, for forms; and how rules of these kinds are made to work. */
public final class Kinds {

    private static final Map<String, Validators.Made> VALIDATORS = Validators.all().stream()
            .collect(Collectors.toMap(
                    made -> made.kind().type(), made -> made, (one, other) -> one, LinkedHashMap::new));
    private static final Map<String, Transformers.Made> TRANSFORMERS = Transformers.all().stream()
            .collect(Collectors.toMap(
                    made -> made.kind().type(), made -> made, (one, other) -> one, LinkedHashMap::new));

    private Kinds() {}

    /** In the order in which a person should see them: validators, then transformers. */
    public static List<Kind> all() {
        return Stream.concat(
                        VALIDATORS.values().stream().map(Validators.Made::kind),
                        TRANSFORMERS.values().stream().map(Transformers.Made::kind))
                .toList();
    }

    /** Throws if one of the rules cannot work. */
    static void compile(Purpose purpose, List<Rule> rules) {
        Validators.Surroundings nothing = new Validators.Surroundings(UrlStates.unknown(), java.time.Clock.systemUTC());
        for (Rule rule : rules) {
            if (purpose == Purpose.VALIDATION) {
                check(rule, nothing);
            } else {
                change(rule, nothing);
            }
        }
    }

    static Check check(Rule rule, Validators.Surroundings around) {
        Validators.Made made = VALIDATORS.get(rule.type());
        if (made == null) {
            throw unknown(rule, "validator", VALIDATORS.keySet().toString());
        }
        return made.maker().apply(new Settings(rule, made.kind()), around);
    }

    static Change change(Rule rule, Validators.Surroundings around) {
        Transformers.Made made = TRANSFORMERS.get(rule.type());
        if (made == null) {
            throw unknown(rule, "transformer", TRANSFORMERS.keySet().toString());
        }
        return made.maker().apply(new Settings(rule, made.kind()), around);
    }

    private static RuleException unknown(Rule rule, String what, String known) {
        return new RuleException("Rule '" + rule.name() + "' is of the type '" + rule.type()
                + "', and there is no such " + what + ". There are " + known + ".");
    }
}
