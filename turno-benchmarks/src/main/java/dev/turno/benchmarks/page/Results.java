package dev.turno.benchmarks.page;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The results of a run as they were written down.
 *
 * @param run what was run where
 */
record Results(Map<String, String> run, List<Section> sections) {

    /** One workload. */
    record Section(
            String workload,
            List<Measured> figures,
            List<Ratio> ratios,
            List<Goal> goals,
            List<String> notes,
            List<String> violations) {}

    record Measured(String workload, String who, double value, String unit, List<Double> rounds) {

        double least() {
            return rounds.stream().mapToDouble(one -> one).min().orElse(value);
        }

        double most() {
            return rounds.stream().mapToDouble(one -> one).max().orElse(value);
        }
    }

    /** @param value empty if no difference was measured */
    record Ratio(String name, Optional<Double> value, double low, double high) {}

    record Goal(String name, String wanted, double value, boolean met, Optional<String> doubt) {}

    static Results read(Path file) throws IOException {
        Map<String, String> run = new LinkedHashMap<>();
        List<Section> sections = new ArrayList<>();
        List<Measured> figures = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            JsonObject json = JsonParser.parseString(line).getAsJsonObject();
            if (json.has("run")) {
                json.getAsJsonObject("run")
                        .entrySet()
                        .forEach(one -> run.put(one.getKey(), one.getValue().getAsString()));
            } else if (json.has("who")) {
                figures.add(figure(json));
            } else {
                sections.add(section(json, List.copyOf(figures)));
                figures.clear();
            }
        }
        return new Results(run, sections);
    }

    private static Measured figure(JsonObject json) {
        List<Double> rounds = new ArrayList<>();
        json.getAsJsonArray("rounds").forEach(one -> rounds.add(one.getAsDouble()));
        return new Measured(
                text(json, "workload"), text(json, "who"), json.get("value").getAsDouble(), text(json, "unit"), rounds);
    }

    private static Section section(JsonObject json, List<Measured> figures) {
        List<Ratio> ratios = new ArrayList<>();
        json.getAsJsonObject("ratios").entrySet().forEach(one -> ratios.add(ratio(json, one.getKey(), one.getValue())));
        List<Goal> goals = new ArrayList<>();
        json.getAsJsonObject("goals")
                .entrySet()
                .forEach(one -> goals.add(goal(one.getKey(), one.getValue().getAsJsonObject())));
        return new Section(
                text(json, "workload"), figures, ratios, goals, texts(json, "notes"), texts(json, "violations"));
    }

    private static Ratio ratio(JsonObject json, String name, JsonElement value) {
        JsonArray spread = json.getAsJsonObject("spreads").getAsJsonArray(name);
        return new Ratio(
                name,
                value.isJsonNull() ? Optional.empty() : Optional.of(value.getAsDouble()),
                spread.get(0).getAsDouble(),
                spread.get(1).getAsDouble());
    }

    private static Goal goal(String name, JsonObject json) {
        return new Goal(
                name,
                text(json, "goal"),
                json.get("value").getAsDouble(),
                json.get("met").getAsBoolean(),
                json.has("doubt") ? Optional.of(text(json, "doubt")) : Optional.empty());
    }

    private static String text(JsonObject json, String name) {
        return json.get(name).getAsString();
    }

    private static List<String> texts(JsonObject json, String name) {
        List<String> texts = new ArrayList<>();
        json.getAsJsonArray(name).forEach(one -> texts.add(one.getAsString()));
        return texts;
    }

    /** The first figure of this name; empty if it was not measured. */
    Optional<Double> value(String workload, String who, String unit) {
        return sections.stream()
                .flatMap(section -> section.figures().stream())
                .filter(one -> one.workload().equals(workload)
                        && one.who().equals(who)
                        && one.unit().equals(unit))
                .map(Measured::value)
                .findFirst();
    }
}
