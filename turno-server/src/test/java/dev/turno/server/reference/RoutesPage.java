package dev.turno.server.reference;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Every route, from the document that the server draws of itself. */
final class RoutesPage {

    private RoutesPage() {}

    static String drawn(JsonNode document) {
        Map<String, StringBuilder> tables = new TreeMap<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(verb -> tables.computeIfAbsent(room(path.getKey()), RoutesPage::heading)
                                .append(row(path.getKey(), verb.getKey(), verb.getValue()))));
        StringBuilder page = new StringBuilder("""
                # Routes

                What holds for all of them is in [the HTTP API](../http-api.md). `GET /api/v1/openapi.json` of a running server has the same, for
                programs, with an example of what each takes and gives.
                """);
        tables.values().forEach(page::append);
        return page.toString();
    }

    private static String room(String path) {
        return path.startsWith("/api/v1/") ? path.split("/", -1)[3] : "pages";
    }

    private static StringBuilder heading(String room) {
        return new StringBuilder("\n## " + room + "\n\n| route | role | |\n|---|---|---|\n");
    }

    private static String row(String path, String verb, JsonNode operation) {
        return "| `%s %s` | %s | %s |\n"
                .formatted(
                        verb.toUpperCase(Locale.ROOT),
                        path,
                        operation.get("x-role").asString(),
                        operation.get("summary").asString());
    }
}
