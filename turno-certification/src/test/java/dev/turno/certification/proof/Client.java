package dev.turno.certification.proof;

import dev.turno.certification.authority.SampleWorkers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** An AFORE that calls the service over HTTP. */
final class Client {

    static final String LEGACY = "/disposicionimss/certificacion";
    static final String HTTP = "/api/v1/certificaciones";

    private final int port;
    private final HttpClient http;

    Client(int port) {
        this(port, HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
    }

    Client(int port, HttpClient http) {
        this.port = port;
        this.http = http;
    }

    /** A person's request as JSON, with the two numbers as numbers. */
    static String body(int worker, String folio) {
        return json(SampleWorkers.request(worker, folio, "530"));
    }

    static String json(Map<String, String> fields) {
        return fields.entrySet().stream()
                .filter(field -> !field.getValue().isEmpty())
                .map(field -> '"' + field.getKey() + "\":" + value(field.getKey(), field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String value(String name, String value) {
        return name.equals("origen") || name.equals("selloTrabajador") ? value : '"' + value + '"';
    }

    HttpResponse<String> post(String path, String body, String... headers) throws IOException, InterruptedException {
        return http.send(
                request("POST", path, "afore-530", body.getBytes(StandardCharsets.UTF_8), headers),
                HttpResponse.BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> postAsync(String path, String body) {
        return http.sendAsync(
                request("POST", path, "afore-530", body.getBytes(StandardCharsets.UTF_8)),
                HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> send(String method, String path, String token, byte[] body, String... headers)
            throws IOException, InterruptedException {
        return http.send(request(method, path, token, body, headers), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path, "afore-530", new byte[0]);
    }

    HttpRequest request(String method, String path, String token, byte[] body, String... headers) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
        if (!token.isEmpty()) {
            builder.header("Authorization", "Bearer " + token);
        }
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        return builder.build();
    }
}
