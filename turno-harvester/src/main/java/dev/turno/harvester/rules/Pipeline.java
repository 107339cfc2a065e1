package dev.turno.harvester.rules;

import dev.turno.harvester.digest.Sha256;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Judges records: a first validator turns away what is not worth the trouble, transformers mend, a second validator has the last
 * word on what they made. Each part may be missing. Shared by threads.
 */
public final class Pipeline {

    private record Named(String name, boolean mandatory, Check check) {}

    private final List<Named> before;
    private final List<Change> changes;
    private final List<Named> after;
    private final Set<String> urlFields;
    private final String fingerprint;

    private Pipeline(
            List<Named> before, List<Change> changes, List<Named> after, Set<String> urlFields, String fingerprint) {
        this.before = before;
        this.changes = changes;
        this.after = after;
        this.urlFields = urlFields;
        this.fingerprint = fingerprint;
    }

    /**
     * @param preValidator judges the record as it came
     * @param transformers in the order in which they work
     * @param validator judges what they made of it
     */
    public static Pipeline of(
            Optional<RuleSet> preValidator,
            List<RuleSet> transformers,
            Optional<RuleSet> validator,
            UrlStates urls,
            Clock clock) {
        Validators.Surroundings around = new Validators.Surroundings(urls, clock);
        List<Change> changes = new ArrayList<>();
        for (RuleSet transformer : transformers) {
            require(transformer, Purpose.TRANSFORMATION);
            transformer.rules().forEach(rule -> changes.add(Kinds.change(rule, around)));
        }
        String text = preValidator + "\n" + transformers + "\n" + validator;
        return new Pipeline(
                checks(preValidator, around),
                List.copyOf(changes),
                checks(validator, around),
                urlFields(preValidator, validator),
                Sha256.halfOf(text));
    }

    private static Set<String> urlFields(Optional<RuleSet> preValidator, Optional<RuleSet> validator) {
        return Stream.of(preValidator, validator)
                .flatMap(Optional::stream)
                .flatMap(set -> set.rules().stream())
                .filter(rule -> rule.type().equals("url-exists"))
                .map(rule -> String.valueOf(rule.settings().get("field")))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** One transformer and nothing else. */
    public static Pipeline transforming(RuleSet transformer) {
        return of(Optional.empty(), List.of(transformer), Optional.empty(), UrlStates.unknown(), Clock.systemUTC());
    }

    private static void require(RuleSet set, Purpose purpose) {
        if (set.purpose() != purpose) {
            throw new RuleException("The set '" + set.name() + "' is made for " + set.purpose()
                    + " and stands where one for " + purpose + " belongs. Give the network another set there.");
        }
    }

    private static List<Named> checks(Optional<RuleSet> set, Validators.Surroundings around) {
        set.ifPresent(rules -> require(rules, Purpose.VALIDATION));
        return set.stream()
                .flatMap(rules -> rules.rules().stream())
                .map(rule -> new Named(rule.name(), rule.mandatory(), Kinds.check(rule, around)))
                .toList();
    }

    /** The fields whose URLs have to be known before a record is judged. */
    Set<String> urlFields() {
        return urlFields;
    }

    /** Changes whenever one of the rules does: what was judged under another one has to be judged again. */
    public String fingerprint() {
        return fingerprint;
    }

    /** The validators' rules, in the order of {@link Judgement#findings()}. */
    public List<String> ruleNames() {
        List<String> names = new ArrayList<>();
        before.forEach(rule -> names.add(rule.name()));
        after.forEach(rule -> names.add(rule.name()));
        return names;
    }

    /** Judges a record. The draft is used up: its fields are those of the judgement. */
    public Judgement judge(Draft draft) {
        List<Finding> findings = new ArrayList<>(before.size() + after.size());
        if (!check(before, draft, findings)) {
            return new Judgement(false, false, draft.fields(), findings);
        }
        boolean changed = change(draft);
        boolean valid = check(after, draft, findings);
        return new Judgement(valid, changed, draft.fields(), findings);
    }

    private static boolean check(List<Named> rules, Draft draft, List<Finding> findings) {
        boolean valid = true;
        for (Named rule : rules) {
            Finding finding = rule.check().on(draft);
            findings.add(finding);
            valid &= finding.holds() || !rule.mandatory();
        }
        return valid;
    }

    private boolean change(Draft draft) {
        if (changes.isEmpty()) {
            return false;
        }
        Map<String, List<String>> as = draft.fields().copy();
        changes.forEach(change -> change.on(draft));
        return !as.equals(draft.fields().copy());
    }
}
