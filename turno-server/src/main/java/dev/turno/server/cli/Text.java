package dev.turno.server.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Answers for people. */
final class Text {

    private static final int WIDEST = 60;

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
                value.forEach(line -> text.append(line.asString()).append('\n'));
            } else if (!value.isNull()) {
                text.append(field.getKey()).append(": ").append(plain(value)).append('\n');
            }
        }
        return text.toString();
    }

    private static String value(JsonNode node) {
        String text = node.isMissingNode() || node.isNull() ? "" : plain(node);
        String line = text.lines().findFirst().orElse("");
        return line.length() <= WIDEST ? line : line.substring(0, WIDEST - 1) + "…";
    }

    private static String plain(JsonNode node) {
        return node.isString() ? node.asString() : node.toString();
    }
}
