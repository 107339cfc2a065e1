package dev.turno.harvester.rules;

import dev.turno.harvester.rules.Parameter.Form;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The validators: what each asks for, and how it is compiled. */
final class Validators {

    /** What rules know besides the record. */
    record Surroundings(UrlStates urls, Clock clock) {}

    record Made(Kind kind, BiFunction<Settings, Surroundings, Check> maker) {}

    private static final Parameter FIELD = Parameter.required("field", Form.FIELD, "the field to look at");
    private static final Parameter IGNORE_CASE =
            Parameter.optional("ignoreCase", Form.SWITCH, false, "whether upper and lower case are the same");
    private static final Pattern YEAR = Pattern.compile("(?<![0-9])([0-9]{4})(?![0-9])");
    private static final int MOST_CONTROLLED = 10_000;

    private Validators() {}

    static List<Made> all() {
        return List.of(
                made(
                        "controlled",
                        "Controlled value",
                        "the value is one of a few",
                        Validators::controlled,
                        FIELD,
                        Parameter.required("values", Form.LIST, "the values that are good, at most " + MOST_CONTROLLED),
                        IGNORE_CASE),
                made(
                        "controlled-list",
                        "Large controlled list",
                        "the value stands in a long list",
                        Validators::list,
                        FIELD,
                        Parameter.required("values", Form.LIST, "the values that are good, at most a million"),
                        IGNORE_CASE),
                made(
                        "regex",
                        "Regular expression",
                        "the whole value matches",
                        Validators::regex,
                        FIELD,
                        Parameter.required("pattern", Form.REGEX, "a regular expression of Java")),
                made(
                        "length",
                        "Content length",
                        "the value has so many characters",
                        Validators::length,
                        FIELD,
                        Parameter.optional("least", Form.NUMBER, 1, "the fewest characters"),
                        Parameter.optional("most", Form.NUMBER, Integer.MAX_VALUE, "the most characters")),
                made(
                        "year",
                        "Year range",
                        "the first year in the value lies around this year",
                        Validators::year,
                        FIELD,
                        Parameter.required("before", Form.NUMBER, "how many years back it may be"),
                        Parameter.optional("after", Form.NUMBER, 0, "how many years ahead it may be")),
                uncounted(
                        "expression",
                        "Boolean expression",
                        "a condition over several fields holds",
                        Validators::expression,
                        Parameter.required("expression", Form.EXPRESSION, "AND, OR, NOT, ==, =% and parentheses")),
                uncounted(
                        "occurrences",
                        "Occurrences",
                        "the field has so many values",
                        Validators::occurrences,
                        FIELD,
                        Parameter.optional("least", Form.NUMBER, 1, "the fewest values"),
                        Parameter.optional("most", Form.NUMBER, Integer.MAX_VALUE, "the most values")),
                made(
                        "url-exists",
                        "URL exists",
                        "the value is a URL that answered when it was last asked",
                        Validators::urlExists,
                        FIELD));
    }

    private static Made made(
            String type,
            String title,
            String help,
            BiFunction<Settings, Surroundings, Check> maker,
            Parameter... parameters) {
        return new Made(new Kind(type, Purpose.VALIDATION, title, help, true, List.of(parameters)), maker);
    }

    private static Made uncounted(
            String type,
            String title,
            String help,
            BiFunction<Settings, Surroundings, Check> maker,
            Parameter... parameters) {
        return new Made(new Kind(type, Purpose.VALIDATION, title, help, false, List.of(parameters)), maker);
    }

    private static Check perValue(Settings settings, ValueCheck.Test test) {
        return new ValueCheck(settings.field("field"), settings.rule().quantifier(), test);
    }

    private static Check controlled(Settings settings, Surroundings around) {
        if (settings.list("values").size() > MOST_CONTROLLED) {
            throw settings.wrong("values", "has more than " + MOST_CONTROLLED + " values; use 'controlled-list'");
        }
        return list(settings, around);
    }

    private static Check list(Settings settings, Surroundings around) {
        Set<String> values = Set.copyOf(settings.list("values"));
        if (!settings.isOn("ignoreCase")) {
            return perValue(settings, values::contains);
        }
        Set<String> lower =
                values.stream().map(value -> value.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
        return perValue(settings, value -> lower.contains(value.toLowerCase(Locale.ROOT)));
    }

    private static Check regex(Settings settings, Surroundings around) {
        return perValue(settings, settings.regex("pattern")::matches);
    }

    private static Check length(Settings settings, Surroundings around) {
        int least = settings.number("least", 0, Integer.MAX_VALUE);
        int most = settings.number("most", least, Integer.MAX_VALUE);
        return perValue(settings, value -> {
            int length = value.codePointCount(0, value.length());
            return length >= least && length <= most;
        });
    }

    private static Check year(Settings settings, Surroundings around) {
        int before = settings.number("before", 0, 10_000);
        int after = settings.number("after", 0, 10_000);
        return perValue(settings, value -> {
            Matcher matcher = YEAR.matcher(value);
            int now = LocalDate.now(around.clock().withZone(ZoneOffset.UTC)).getYear();
            if (!matcher.find()) {
                return false;
            }
            int year = Integer.parseInt(matcher.group(1));
            return year >= now - before && year <= now + after;
        });
    }

    private static Check expression(Settings settings, Surroundings around) {
        Expression expression = settings.expression("expression");
        return draft -> new Finding(expression.holds(draft.fields()), List.of(), List.of());
    }

    private static Check occurrences(Settings settings, Surroundings around) {
        String field = settings.field("field");
        int least = settings.number("least", 0, Integer.MAX_VALUE);
        int most = settings.number("most", least, Integer.MAX_VALUE);
        return draft -> {
            List<String> values = draft.fields().of(field);
            boolean holds = values.size() >= least && values.size() <= most;
            List<String> seen = new ArrayList<>(values);
            return new Finding(holds, holds ? seen : List.of(), holds ? List.of() : seen);
        };
    }

    private static Check urlExists(Settings settings, Surroundings around) {
        return perValue(settings, value -> isUrl(value) && around.urls().of(value) != UrlStates.UrlState.MISSING);
    }

    /** True for what can be asked over HTTP. */
    static boolean isUrl(String value) {
        if (!value.startsWith("http://") && !value.startsWith("https://")) {
            return false;
        }
        try {
            return new URI(value).getHost() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
