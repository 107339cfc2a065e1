package dev.turno.harvester.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Sets of rules and the forms of their kinds, as JSON. Shared by threads. */
public final class RuleJson {

    public static final int LONGEST = 50_000_000;

    private final JsonMapper mapper =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** A set as it is exported; {@link #read} takes it back. */
    public String write(RuleSet set) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", set.name());
        json.put("purpose", set.purpose().name());
        json.put("description", set.description());
        json.put("rules", set.rules().stream().map(RuleJson::asMap).toList());
        return mapper.writeValueAsString(json);
    }

    private static Map<String, Object> asMap(Rule rule) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", rule.name());
        json.put("type", rule.type());
        json.put("mandatory", rule.mandatory());
        json.put("quantifier", rule.quantifier().name());
        json.put("settings", rule.settings());
        return json;
    }

    /**
     * @throws RuleException if it is not a set of rules that can work, with what to do about it
     */
    public RuleSet read(String json) {
        if (json.length() > LONGEST) {
            throw new RuleException("The set has " + json.length() + " characters; at most " + LONGEST + ".");
        }
        JsonNode root = tree(json);
        List<Rule> rules = new ArrayList<>();
        for (JsonNode rule : root.path("rules")) {
            rules.add(rule(rule, rules.size()));
        }
        return new RuleSet(
                text(root, "name", "the set"),
                oneOf(Purpose.class, text(root, "purpose", "the set"), "purpose"),
                root.path("description").asString(""),
                rules);
    }

    private JsonNode tree(String json) {
        try {
            JsonNode root = mapper.readTree(json);
            if (!root.isObject()) {
                throw new RuleException("A set of rules is a JSON object with name, purpose and rules.");
            }
            return root;
        } catch (JacksonException e) {
            throw new RuleException("The set of rules cannot be read as JSON: " + e.getOriginalMessage(), e);
        }
    }

    private Rule rule(JsonNode node, int index) {
        String where = "rules[" + index + "]";
        if (!node.isObject()) {
            throw new RuleException(where + " is not an object.");
        }
        Map<String, Object> settings = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : node.path("settings").properties()) {
            settings.put(entry.getKey(), mapper.treeToValue(entry.getValue(), Object.class));
        }
        if (settings.containsValue(null)) {
            throw new RuleException(where + " has a setting that is null; leave it out instead.");
        }
        String quantifier = node.path("quantifier").asString(Quantifier.ONE_OR_MORE.name());
        return new Rule(
                text(node, "name", where),
                text(node, "type", where),
                node.path("mandatory").asBoolean(true),
                oneOf(Quantifier.class, quantifier, where + ".quantifier"),
                settings);
    }

    private static String text(JsonNode node, String name, String where) {
        JsonNode value = node.path(name);
        if (!value.isString()) {
            throw new RuleException("'" + name + "' of " + where + " is missing or no text.");
        }
        return value.asString();
    }

    private static <E extends Enum<E>> E oneOf(Class<E> type, String text, String where) {
        for (E one : type.getEnumConstants()) {
            if (one.name().equals(text.toUpperCase(Locale.ROOT))) {
                return one;
            }
        }
        throw new RuleException(
                "'" + where + "' is '" + text + "'; it is one of " + List.of(type.getEnumConstants()) + ".");
    }

    /** All kinds, each with the JSON Schema of its settings: what a form needs. */
    public String forms() {
        return mapper.writeValueAsString(
                Map.of("kinds", Kinds.all().stream().map(RuleJson::form).toList()));
    }

    private static Map<String, Object> form(Kind kind) {
        Map<String, Object> properties = new LinkedHashMap<>();
        kind.parameters().forEach(parameter -> properties.put(parameter.name(), property(parameter)));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put(
                "required",
                kind.parameters().stream()
                        .filter(Parameter::required)
                        .map(Parameter::name)
                        .toList());
        schema.put("additionalProperties", false);
        Map<String, Object> form = new LinkedHashMap<>();
        form.put("type", kind.type());
        form.put("purpose", kind.purpose().name());
        form.put("title", kind.title());
        form.put("help", kind.help());
        form.put("counts", kind.counts());
        form.put("settings", schema);
        return form;
    }

    private static Map<String, Object> property(Parameter parameter) {
        Map<String, Object> property = new LinkedHashMap<>();
        switch (parameter.form()) {
            case TEXT, FIELD, REGEX, EXPRESSION -> property.put("type", "string");
            case NUMBER -> property.put("type", "integer");
            case SWITCH -> property.put("type", "boolean");
            case LIST -> {
                property.put("type", "array");
                property.put("items", Map.of("type", "string"));
            }
            case TABLE -> {
                property.put("type", "object");
                property.put("additionalProperties", Map.of("type", "string"));
            }
            case VALIDATOR -> property.put("type", "object");
        }
        property.put("format", parameter.form().name().toLowerCase(Locale.ROOT));
        property.put("description", parameter.help());
        parameter.preset().ifPresent(preset -> property.put("default", preset));
        return property;
    }
}
