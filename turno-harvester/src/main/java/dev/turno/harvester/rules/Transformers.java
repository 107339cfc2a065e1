package dev.turno.harvester.rules;

import dev.turno.harvester.rules.Parameter.Form;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/** The transformers: what each asks for, and how it is compiled. */
final class Transformers {

    record Made(Kind kind, BiFunction<Settings, Validators.Surroundings, Change> maker) {}

    private static final Parameter FIELD = Parameter.required("field", Form.FIELD, "the field to change");
    private static final Parameter FROM = Parameter.required("field", Form.FIELD, "the field to read");
    private static final Parameter TO =
            Parameter.optional("to", Form.TEXT, "", "the field to write; left out: the one that is read");
    private static final Parameter REPLACE =
            Parameter.optional("replace", Form.SWITCH, true, "whether the value that was read goes");
    private static final Parameter TABLE =
            Parameter.required("table", Form.TABLE, "what stands there now, and what it becomes");
    private static final Parameter VALUE = Parameter.required("value", Form.TEXT, "the value to write");

    private Transformers() {}

    static List<Made> all() {
        return List.of(
                made(
                        "add",
                        "Add field",
                        "writes a value",
                        Transformers::add,
                        FIELD,
                        VALUE,
                        Parameter.optional("onlyIfMissing", Form.SWITCH, false, "only if the field has no value")),
                made(
                        "add-when",
                        "Add field conditionally",
                        "writes a value if a condition holds",
                        Transformers::addWhen,
                        FIELD,
                        VALUE,
                        Parameter.required("expression", Form.EXPRESSION, "AND, OR, NOT, ==, =% and parentheses")),
                made(
                        "translate",
                        "Translate by table",
                        "looks values up in a table",
                        Transformers::translate,
                        FROM,
                        TO,
                        TABLE,
                        REPLACE,
                        Parameter.optional(
                                "prefix",
                                Form.SWITCH,
                                false,
                                "whether the beginning of the value is enough; the longest that fits wins")),
                made(
                        "translate-by-priority",
                        "Translate by priority",
                        "of all lines of a table that fit a value of the field, only the first is written",
                        Transformers::byPriority,
                        FROM,
                        TO,
                        TABLE,
                        REPLACE),
                made(
                        "regex-translate",
                        "Translate by regular expression",
                        "replaces what matches in each value",
                        Transformers::regexTranslate,
                        FROM,
                        TO,
                        REPLACE,
                        Parameter.required("pattern", Form.REGEX, "what to look for, anywhere in the value"),
                        Parameter.required("replacement", Form.TEXT, "what it becomes; $1 is the first group")),
                made(
                        "normalise",
                        "Normalise by a validator",
                        "removes what a validator does not like",
                        Transformers::normalise,
                        FIELD,
                        Parameter.required("validator", Form.VALIDATOR, "its type and settings, without the field"),
                        Parameter.optional("removeInvalid", Form.SWITCH, true, "whether bad values go"),
                        Parameter.optional(
                                "removeDuplicates", Form.SWITCH, true, "whether good values stay only once")),
                made("trim", "Trim", "removes blanks at both ends and joins those inside", Transformers::trim, FIELD),
                made(
                        "rename",
                        "Rename field",
                        "moves all values to another field",
                        Transformers::rename,
                        FIELD,
                        Parameter.required("to", Form.FIELD, "the field to which they go")),
                made(
                        "rename-bulk",
                        "Rename fields",
                        "moves the values of many fields",
                        Transformers::renameBulk,
                        Parameter.required("table", Form.TABLE, "the fields as they are, and as they shall be")),
                made(
                        "rename-when",
                        "Rename field conditionally",
                        "moves the values that match",
                        Transformers::renameWhen,
                        FIELD,
                        Parameter.required("to", Form.FIELD, "the field to which they go"),
                        Parameter.optional("pattern", Form.REGEX, ".*", "what a whole value must match to go"),
                        Parameter.optional("expression", Form.TEXT, "", "a condition on the record; empty: always")),
                made(
                        "identifier-regex",
                        "Write from the identifier",
                        "writes a part of the record's identifier",
                        Transformers::identifierRegex,
                        Parameter.required("field", Form.FIELD, "the field to write"),
                        Parameter.required("pattern", Form.REGEX, "what to look for in the identifier"),
                        Parameter.required("replacement", Form.TEXT, "what it becomes; $1 is the first group")),
                made(
                        "remove-empty",
                        "Remove empty values",
                        "removes values without a visible character",
                        Transformers::removeEmpty,
                        Parameter.optional("field", Form.TEXT, "", "empty: all fields")),
                made(
                        "remove-duplicates",
                        "Remove duplicates",
                        "keeps the first of equal values",
                        Transformers::removeDuplicates,
                        FIELD),
                made(
                        "remove-prefixed-duplicates",
                        "Remove prefixed duplicates",
                        "removes a value that stands there with a prefix too, such as article beside x/article",
                        Transformers::removePrefixed,
                        FIELD,
                        Parameter.required("prefixes", Form.LIST, "the prefixes, such as info:eu-repo/semantics/"),
                        Parameter.optional("keepPrefixed", Form.SWITCH, true, "which of the two stays")),
                made(
                        "remove-blacklisted",
                        "Remove blacklisted values",
                        "removes values of a list",
                        Transformers::removeBlacklisted,
                        FIELD,
                        Parameter.required("values", Form.LIST, "the values to remove")),
                made("keep-first", "Remove all but the first", "keeps one value", Transformers::keepFirst, FIELD),
                made(
                        "add-repository-name",
                        "Add repository name",
                        "writes the names of network and institution",
                        Transformers::addRepositoryName,
                        FIELD,
                        Parameter.optional("networkPrefix", Form.TEXT, "reponame:", "what stands before the network"),
                        Parameter.optional(
                                "institutionPrefix", Form.TEXT, "instname:", "what stands before the institution")),
                made(
                        "add-provenance",
                        "Add provenance",
                        "writes where the record was harvested",
                        Transformers::addProvenance,
                        Parameter.optional("prefix", Form.TEXT, "provenance", "the first part of the fields' names")),
                made(
                        "reduce",
                        "Reduce heavy records",
                        "cuts a record that is too large",
                        Transformers::reduce,
                        Parameter.optional(
                                "mostCharacters", Form.NUMBER, 100_000, "a record with fewer characters is left alone"),
                        Parameter.optional("mostValues", Form.NUMBER, 50, "how many values of a field stay"),
                        Parameter.optional("longestValue", Form.NUMBER, 10_000, "how many characters of a value stay"),
                        Parameter.optional("spare", Form.LIST, List.of(), "fields that are never cut")));
    }

    private static Made made(
            String type,
            String title,
            String help,
            BiFunction<Settings, Validators.Surroundings, Change> maker,
            Parameter... parameters) {
        return new Made(new Kind(type, Purpose.TRANSFORMATION, title, help, false, List.of(parameters)), maker);
    }

    private static Change add(Settings settings, Validators.Surroundings around) {
        String field = settings.field("field");
        String value = settings.text("value");
        boolean onlyIfMissing = settings.isOn("onlyIfMissing");
        return draft -> {
            if (!onlyIfMissing || draft.fields().of(field).isEmpty()) {
                addOnce(draft, field, value);
            }
        };
    }

    /** A rule that runs twice must not write twice. */
    private static void addOnce(Draft draft, String field, String value) {
        if (!value.isEmpty() && !draft.fields().of(field).contains(value)) {
            draft.fields().add(field, value);
        }
    }

    private static Change addWhen(Settings settings, Validators.Surroundings around) {
        String field = settings.field("field");
        String value = settings.text("value");
        Expression expression = settings.expression("expression");
        return draft -> {
            if (expression.holds(draft.fields())) {
                addOnce(draft, field, value);
            }
        };
    }

    private static Change translate(Settings settings, Validators.Surroundings around) {
        Map<String, String> table = settings.table("table");
        return settings.isOn("prefix")
                ? each(settings, longestPrefix(table))
                : each(settings, value -> Optional.ofNullable(table.get(value)));
    }

    private static Function<String, Optional<String>> longestPrefix(Map<String, String> table) {
        TreeMap<String, String> sorted = new TreeMap<>(table);
        return value -> {
            // The greatest key below the value is its longest prefix, or shares with it what a shorter prefix can have.
            String upTo = value;
            for (Map.Entry<String, String> entry = sorted.floorEntry(upTo); entry != null; ) {
                if (value.startsWith(entry.getKey())) {
                    return Optional.of(entry.getValue());
                }
                upTo = commonStart(value, entry.getKey());
                entry = sorted.floorEntry(upTo);
            }
            return Optional.empty();
        };
    }

    private static String commonStart(String one, String other) {
        int length = 0;
        while (length < one.length() && length < other.length() && one.charAt(length) == other.charAt(length)) {
            length++;
        }
        return one.substring(0, length);
    }

    /** Translates each value; those that are not translated stay. */
    private static Change each(Settings settings, Function<String, Optional<String>> translation) {
        String from = settings.field("field");
        String to = target(settings, from);
        boolean replace = settings.isOn("replace");
        return draft -> {
            List<String> kept = new ArrayList<>();
            List<String> written = new ArrayList<>();
            for (String value : draft.fields().of(from)) {
                Optional<String> translated = translation.apply(value);
                if (translated.isPresent() && from.equals(to)) {
                    kept.addAll(replace ? List.of(translated.get()) : List.of(value, translated.get()));
                } else {
                    translated.ifPresent(written::add);
                    if (translated.isEmpty() || !replace) {
                        kept.add(value);
                    }
                }
            }
            draft.fields().set(from, kept);
            written.forEach(value -> addOnce(draft, to, value));
        };
    }

    private static String target(Settings settings, String from) {
        return settings.text("to").isEmpty() ? from : settings.field("to");
    }

    private static Change byPriority(Settings settings, Validators.Surroundings around) {
        String from = settings.field("field");
        String to = target(settings, from);
        boolean replace = settings.isOn("replace");
        Map<String, String> table = settings.table("table");
        return draft -> {
            List<String> values = draft.fields().of(from);
            Optional<String> first =
                    table.keySet().stream().filter(values::contains).findFirst();
            if (first.isPresent()) {
                List<String> kept = values.stream()
                        .filter(value -> !replace || !table.containsKey(value))
                        .toList();
                draft.fields().set(from, kept);
                addOnce(draft, to, table.getOrDefault(first.get(), ""));
            }
        };
    }

    private static Change regexTranslate(Settings settings, Validators.Surroundings around) {
        Regex regex = settings.regex("pattern");
        String replacement = settings.text("replacement");
        regex.requireReplacement(replacement);
        return each(settings, value -> regex.replace(value, replacement));
    }

    private static Change normalise(Settings settings, Validators.Surroundings around) {
        String field = settings.field("field");
        boolean removeInvalid = settings.isOn("removeInvalid");
        boolean removeDuplicates = settings.isOn("removeDuplicates");
        Check check = Kinds.check(withField(settings.validator("validator"), field), around);
        return draft -> {
            Set<String> bad = Set.copyOf(check.on(draft).bad());
            Set<String> seen = new LinkedHashSet<>();
            keep(draft, field, value -> bad.contains(value) ? !removeInvalid : seen.add(value) || !removeDuplicates);
        };
    }

    private static Rule withField(Rule validator, String field) {
        Map<String, Object> settings = new TreeMap<>(validator.settings());
        settings.put("field", field);
        return new Rule(validator.name(), validator.type(), true, Quantifier.ALL, settings);
    }

    private static void keep(Draft draft, String field, Predicate<String> wanted) {
        List<String> values = draft.fields().of(field);
        List<String> kept = values.stream().filter(wanted).toList();
        if (kept.size() < values.size()) {
            draft.fields().set(field, kept);
        }
    }

    private static Change trim(Settings settings, Validators.Surroundings around) {
        String field = settings.field("field");
        return draft -> {
            List<String> values = draft.fields().of(field);
            if (!values.isEmpty()) {
                draft.fields()
                        .set(field, values.stream().map(Transformers::trimmed).toList());
            }
        };
    }

    private static String trimmed(String value) {
        StringBuilder text = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!isBlank(c)) {
                text.append(c);
            } else if (!text.isEmpty() && text.charAt(text.length() - 1) != ' ') {
                text.append(' ');
            }
        }
        return text.toString().strip();
    }

    /** Blanks that do not break a line are blanks too. */
    private static boolean isBlank(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private static boolean isBlank(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (!isBlank(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static Change rename(Settings settings, Validators.Surroundings around) {
        return move(settings.field("field"), settings.field("to"), value -> true);
    }

    private static Change move(String from, String to, Predicate<String> wanted) {
        return draft -> {
            List<String> values = List.copyOf(draft.fields().of(from));
            if (!from.equals(to) && !values.isEmpty()) {
                keep(draft, from, wanted.negate());
                values.stream().filter(wanted).forEach(value -> draft.fields().add(to, value));
            }
        };
    }

    private static Change renameBulk(Settings settings, Validators.Surroundings around) {
        List<Change> all = new ArrayList<>();
        settings.table("table").forEach((from, to) -> {
            if (!Fields.isName(from) || !Fields.isName(to)) {
                throw settings.wrong("table", "has '" + from + "' to '" + to + "'; both must be names of fields");
            }
            all.add(move(from, to, value -> true));
        });
        return draft -> all.forEach(change -> change.on(draft));
    }

    private static Change renameWhen(Settings settings, Validators.Surroundings around) {
        Change move = move(settings.field("field"), settings.field("to"), settings.regex("pattern")::matches);
        if (settings.text("expression").isBlank()) {
            return move;
        }
        Expression expression = settings.expression("expression");
        return draft -> {
            if (expression.holds(draft.fields())) {
                move.on(draft);
            }
        };
    }

    private static Change identifierRegex(Settings settings, Validators.Surroundings around) {
        String field = settings.field("field");
        Regex regex = settings.regex("pattern");
        String replacement = settings.text("replacement");
        regex.requireReplacement(replacement);
        return draft -> regex.replace(draft.identifier(), replacement).ifPresent(value -> addOnce(draft, field, value));
    }

    private static Change removeEmpty(Settings settings, Validators.Surroundings around) {
        Optional<String> only =
                settings.text("field").isEmpty() ? Optional.empty() : Optional.of(settings.field("field"));
        return draft -> {
            List<String> names = only.map(List::of)
                    .orElseGet(() -> List.copyOf(draft.fields().names()));
            names.forEach(field -> keep(draft, field, value -> !isBlank(value)));
        };
    }

    private static Change removeDuplicates(Settings settings, Validators.Surroundings around) {
        String field = settings.field("field");
        return draft -> {
            Set<String> seen = new LinkedHashSet<>();
            keep(draft, field, seen::add);
        };
    }

    private static Change removePrefixed(Settings settings, Validators.Surroundings around) {
        String field = settings.field("field");
        List<String> prefixes = settings.list("prefixes");
        boolean keepPrefixed = settings.isOn("keepPrefixed");
        return draft -> {
            Set<String> all = Set.copyOf(draft.fields().of(field));
            keep(
                    draft,
                    field,
                    value -> keepPrefixed
                            ? prefixes.stream().noneMatch(prefix -> all.contains(prefix + value))
                            : prefixes.stream()
                                    .noneMatch(prefix -> value.startsWith(prefix)
                                            && all.contains(value.substring(prefix.length()))));
        };
    }

    private static Change removeBlacklisted(Settings settings, Validators.Surroundings around) {
        String field = settings.field("field");
        Set<String> values = Set.copyOf(settings.list("values"));
        return draft -> keep(draft, field, value -> !values.contains(value));
    }

    private static Change keepFirst(Settings settings, Validators.Surroundings around) {
        String field = settings.field("field");
        return draft -> {
            List<String> values = draft.fields().of(field);
            if (values.size() > 1) {
                draft.fields().set(field, values.subList(0, 1));
            }
        };
    }

    private static Change addRepositoryName(Settings settings, Validators.Surroundings around) {
        String field = settings.field("field");
        String network = settings.text("networkPrefix");
        String institution = settings.text("institutionPrefix");
        return draft -> {
            Origin origin = draft.origin();
            addOnce(draft, field, network + origin.networkName());
            if (!origin.institutionName().isEmpty()) {
                addOnce(draft, field, institution + origin.institutionName());
            }
        };
    }

    private static Change addProvenance(Settings settings, Validators.Surroundings around) {
        String prefix = settings.field("prefix");
        return draft -> {
            Origin origin = draft.origin();
            addOnce(draft, prefix + ".identifier", draft.identifier());
            addOnce(draft, prefix + ".datestamp", origin.datestamp().toString());
            addOnce(draft, prefix + ".network", origin.networkAcronym());
            addOnce(draft, prefix + ".url", origin.originUrl());
            addOnce(draft, prefix + ".format", origin.metadataPrefix());
        };
    }

    private static Change reduce(Settings settings, Validators.Surroundings around) {
        int mostCharacters = settings.number("mostCharacters", 1, Integer.MAX_VALUE);
        int mostValues = settings.number("mostValues", 1, Integer.MAX_VALUE);
        int longest = settings.number("longestValue", 1, Integer.MAX_VALUE);
        Set<String> spare = Set.copyOf(settings.fields("spare"));
        return draft -> {
            if (draft.fields().size() > mostCharacters) {
                List<String> names = draft.fields().names().stream()
                        .filter(name -> !spare.contains(name))
                        .toList();
                names.forEach(name -> cut(draft, name, mostValues, longest));
            }
        };
    }

    private static void cut(Draft draft, String field, int mostValues, int longest) {
        draft.fields()
                .set(
                        field,
                        draft.fields().of(field).stream()
                                .limit(mostValues)
                                .map(value -> value.length() <= longest ? value : shortened(value, longest))
                                .toList());
    }

    /** Never half of a character that needs two. */
    private static String shortened(String value, int length) {
        return value.substring(0, Character.isHighSurrogate(value.charAt(length - 1)) ? length - 1 : length);
    }
}
