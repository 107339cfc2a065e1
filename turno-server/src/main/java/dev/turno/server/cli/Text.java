package dev.turno.server.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Answers for people. */
final class Text {

    private static final int WIDEST = 60;
    private static final int BAR = 30;

    private Text() {}

    static String table(JsonNode items, String... columns) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(columns));
        for (JsonNode item : items) {
            List<String> row = new ArrayList<>();
            for (String column : columns) {
                row.add(value(item.at("/" + column.replace('.', '/'))));
            }
            rows.add(row);
        }
        int[] widths = new int[columns.length];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    static String fields(JsonNode answer) {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, JsonNode> field : answer.properties()) {
            JsonNode value = field.getValue();
            if (value.isArray() && !value.isEmpty() && value.get(0).isString()) {
                text.append(field.getKey()).append(":\n");
                value.forEach(line -> text.append("  ").append(line.asString()).append('\n'));
            } else if (value.isArray() && !value.isEmpty() && value.get(0).isObject()) {
                text.append(field.getKey())
                        .append(":\n")
                        .append(table(value, namesOf(value.get(0))).indent(2));
            } else if (!value.isNull()) {
                text.append(field.getKey()).append(": ").append(plain(value)).append('\n');
            }
        }
        return text.toString();
    }

    /** How far a run is, on one line of always the same width. */
    static String bar(JsonNode progress) {
        long done = progress.path("completed").asLong()
                + progress.path("skipped").asLong()
                + progress.path("parked").asLong();
        long total = progress.path("total").asLong(0);
        String rate = String.format(
                Locale.ROOT, "%,d at %,.0f/s", done, progress.path("perSecond").asDouble());
        if (total <= 0) {
            return pad(rate);
        }
        double part = Math.min(1, (double) done / total);
        int filled = (int) (part * BAR);
        return pad(String.format(
                Locale.ROOT,
                "[%s%s] %3.0f %%  %s of %,d",
                "#".repeat(filled),
                ".".repeat(BAR - filled),
                part * 100,
                rate,
                total));
    }

    /** So that nothing is left over of a longer line before it. */
    private static String pad(String text) {
        return text + " ".repeat(Math.max(0, WIDEST + BAR - text.length()));
    }

    private static String value(JsonNode node) {
        String text = node.isMissingNode() || node.isNull() ? "" : plain(node);
        String line = text.lines().findFirst().orElse("");
        return line.length() <= WIDEST ? line : line.substring(0, WIDEST - 1) + "…";
    }

    private static String[] namesOf(JsonNode item) {
        return item.propertyNames().toArray(String[]::new);
    }

    private static String plain(JsonNode node) {
        if (node.isObject() && node.values().stream().allMatch(JsonNode::isNumber)) {
            return figures(node);
        }
        return node.isString() ? node.asString() : node.toString();
    }

    /** Those that are not zero. */
    private static String figures(JsonNode node) {
        return node.properties().stream()
                .filter(figure -> figure.getValue().asDouble() != 0)
                .map(figure -> figure.getKey() + " " + figure.getValue())
                .collect(Collectors.joining(", "));
    }
}
