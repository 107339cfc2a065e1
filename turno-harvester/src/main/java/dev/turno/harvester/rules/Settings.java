package dev.turno.harvester.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.PatternSyntaxException;

/** Reads the settings of one rule as its kind declares them, and says which one cannot be used. */
final class Settings {

    static final int MOST_VALUES = 1_000_000;
    static final int LONGEST_TEXT = 100_000;

    private final Rule rule;
    private final Kind kind;

    Settings(Rule rule, Kind kind) {
        this.rule = rule;
        this.kind = kind;
        rule.settings().keySet().forEach(this::parameter);
    }

    Rule rule() {
        return rule;
    }

    String text(String name) {
        String text = requireType(name, String.class, "a text");
        if (text.length() > LONGEST_TEXT) {
            throw wrong(name, "has " + text.length() + " characters; at most " + LONGEST_TEXT);
        }
        return text;
    }

    String field(String name) {
        String field = text(name);
        if (!Fields.isName(field)) {
            throw wrong(name, "is '" + field + "', not the name of a field such as dc.title");
        }
        return field;
    }

    boolean isOn(String name) {
        return requireType(name, Boolean.class, "true or false");
    }

    int number(String name, int least, int most) {
        Number number = requireType(name, Number.class, "a whole number");
        if (number.doubleValue() != Math.rint(number.doubleValue())
                || number.longValue() < least
                || number.longValue() > most) {
            throw wrong(name, "is " + number + "; use a whole number from " + least + " to " + most);
        }
        return number.intValue();
    }

    Regex regex(String name) {
        try {
            return Regex.of(text(name));
        } catch (PatternSyntaxException e) {
            throw new RuleException(where(name) + " cannot be read as a regular expression: " + e.getMessage(), e);
        }
    }

    Expression expression(String name) {
        try {
            return Expression.parse(text(name));
        } catch (ExpressionException e) {
            throw new RuleException(where(name) + " cannot be read. " + e.getMessage(), e);
        }
    }

    List<String> list(String name) {
        List<?> found = requireType(name, List.class, "a list of texts");
        if (found.size() > MOST_VALUES) {
            throw wrong(name, "has " + found.size() + " values; at most " + MOST_VALUES);
        }
        List<String> texts = new ArrayList<>(found.size());
        for (Object value : found) {
            texts.add(asText(name, value));
        }
        return texts;
    }

    List<String> fields(String name) {
        List<String> fields = list(name);
        for (String field : fields) {
            if (!Fields.isName(field)) {
                throw wrong(name, "has '" + field + "', which is not the name of a field such as dc.title");
            }
        }
        return fields;
    }

    /** In the order in which it was given. */
    Map<String, String> table(String name) {
        Map<?, ?> found = requireType(name, Map.class, "a table of texts");
        if (found.size() > MOST_VALUES) {
            throw wrong(name, "has " + found.size() + " lines; at most " + MOST_VALUES);
        }
        Map<String, String> table = new LinkedHashMap<>();
        found.forEach((from, to) -> table.put(asText(name, from), asText(name, to)));
        return table;
    }

    /** A validator inside of a transformer. */
    Rule validator(String name) {
        Map<?, ?> found = requireType(name, Map.class, "the type and the settings of a validator");
        if (!(found.get("type") instanceof String type)) {
            throw wrong(name, "has no 'type'; give it one of the validators, with their settings beside it");
        }
        Map<String, Object> settings = new LinkedHashMap<>();
        found.forEach((key, value) -> settings.put(asText(name, key), asSetting(name, value)));
        settings.remove("type");
        return new Rule(rule.name(), type, true, Quantifier.ALL, settings);
    }

    private Object asSetting(String name, Object value) {
        if (value == null) {
            throw wrong(name, "has an entry without a value");
        }
        return value;
    }

    private String asText(String name, Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw wrong(name, "has '" + value + "', which is not a text; write it in quotes");
    }

    private <T> T requireType(String name, Class<T> type, String what) {
        Parameter parameter = parameter(name);
        Object value = rule.settings().get(name);
        if (value == null) {
            value = parameter
                    .preset()
                    .orElseThrow(() -> wrong(name, "is missing. It is " + what + ": " + parameter.help()));
        }
        if (!type.isInstance(value)) {
            throw wrong(name, "is '" + value + "', not " + what);
        }
        return type.cast(value);
    }

    private Parameter parameter(String name) {
        return kind.parameters().stream()
                .filter(parameter -> parameter.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new RuleException(where(name) + " is unknown. The kind '" + kind.type() + "' has "
                        + kind.parameters().stream().map(Parameter::name).toList() + "."));
    }

    RuleException wrong(String name, String why) {
        return new RuleException(where(name) + " " + why + ".");
    }

    private String where(String name) {
        return "Setting '" + name + "' of rule '" + rule.name() + "' (" + kind.type() + ")";
    }
}
