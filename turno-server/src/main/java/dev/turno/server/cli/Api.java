package dev.turno.server.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A running server, asked over HTTP, and the options that every command has for it. */
final class Api {

    static final String AFTER = "Goes on behind this one: the 'next' of the page before.";

    private static final int SUCCESS = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final JsonMapper JSON = JsonMapper.shared();

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli gives it before it calls anything
    private CommandSpec spec;

    @Option(
            names = "--url",
            defaultValue = "${env:TURNO_URL:-http://127.0.0.1:8080}",
            description = "The server (TURNO_URL, ${DEFAULT-VALUE}). Its token comes from TURNO_TOKEN.")
    private String url = "";

    @Option(names = "--json", description = "Prints what the API answered.")
    private boolean json;

    @Option(names = "--reason", description = "Why a change is made, for the audit.")
    private @Nullable String reason;

    /** One segment of a path. */
    static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Those parameters that were given, as a query. */
    static String query(@Nullable Object... namesAndValues) {
        Map<String, Object> given = body(namesAndValues);
        return given.isEmpty()
                ? ""
                : given.entrySet().stream()
                        .map(entry ->
                                entry.getKey() + "=" + segment(entry.getValue().toString()))
                        .collect(Collectors.joining("&", "?", ""));
    }

    /** Those fields that were given, as a body. */
    static Map<String, Object> body(@Nullable Object... namesAndValues) {
        Map<String, Object> given = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            if (value != null) {
                given.put(String.valueOf(namesAndValues[i]), value);
            }
        }
        return given;
    }

    JsonNode get(String path) {
        return ask("GET", path, null);
    }

    JsonNode post(String path, @Nullable Map<String, ?> body) {
        return ask("POST", path, body);
    }

    /** @param body a map or a JSON node */
    JsonNode ask(String method, String path, @Nullable Object body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address(path))
                .timeout(PATIENCE)
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token());
        if (reason != null) {
            request.header("Turno-Reason", inHeader(reason));
        }
        HttpResponse<String> response = send(request.build());
        if (response.statusCode() >= SUCCESS) {
            throw new IllegalStateException(response.statusCode() + ": " + detail(response.body()));
        }
        return response.body().isEmpty() ? JSON.createObjectNode() : JSON.readTree(response.body());
    }

    /** As it is where a header can carry it, else as RFC 8187 writes it: the client would send a question mark for each ñ. */
    static String inHeader(String text) {
        return text.matches("[\\x20-\\x7E]*") ? text : "UTF-8''" + segment(text);
    }

    private URI address(String path) {
        if (!url.startsWith("http://") && !url.startsWith("https://")) {
            throw new IllegalArgumentException("the server's address is '" + url
                    + "'; it begins with http:// or https://. See --url and TURNO_URL.");
        }
        return URI.create(url.replaceFirst("/+$", "") + "/api/v1" + path);
    }

    private static String token() {
        String token = System.getenv("TURNO_TOKEN");
        if (token == null || token.isBlank()) {
            throw new IllegalStateException(
                    "set TURNO_TOKEN to a token; the first one was shown when the server first started.");
        }
        return token;
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        } catch (ConnectException e) {
            throw new IllegalStateException(
                    "no server answers at " + url + ". Start one with './turno up', or set TURNO_URL.", e);
        } catch (IOException e) {
            throw new IllegalStateException("the server at " + url + " could not be asked: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static String detail(String body) {
        try {
            JsonNode detail = JSON.readTree(body).get("detail");
            return detail == null ? body : detail.asString();
        } catch (RuntimeException e) {
            return body;
        }
    }

    /** Prints the answer: as it is, or as a table of these columns, or as one line for each field. */
    void show(JsonNode answer, String... columns) {
        PrintWriter out = out();
        if (json) {
            out.println(answer);
        } else if (answer.has("items")) {
            out.print(Text.table(answer.get("items"), columns));
            if (answer.get("next") != null && !answer.get("next").isNull()) {
                out.println("There is more: --after " + answer.get("next").asString());
            }
        } else {
            out.print(Text.fields(answer));
        }
        out.flush();
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Prints the answer as it is, for a file. */
    void print(JsonNode answer) {
        out().println(answer.toPrettyString());
        out().flush();
    }

    boolean isJson() {
        return json;
    }
}
