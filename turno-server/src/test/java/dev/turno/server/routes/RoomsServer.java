package dev.turno.server.routes;

import dev.turno.Turno;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server with the API and these three rooms in this JVM, one for each database. Threads may share it. */
final class RoomsServer {

    static final String ADMIN = "the-admin-token-of-the-tests";
    static final String APP_SECRET = "0123456789abcdef0123456789abcdef";

    @EnableAutoConfiguration
    @ComponentScan({"dev.turno.server.webhook", "dev.turno.server.external", "dev.turno.server.whatsapp"})
    static class Application {}

    /** What came back. */
    record Answer(int status, String body) {

        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }
    }

    private static final Map<TestDatabase, RoomsServer> SHARED = new ConcurrentHashMap<>();

    private final ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newHttpClient();

    private RoomsServer(FreshDatabase database) {
        this.context = SpringApplication.run(
                Application.class,
                "--server.port=0",
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password(),
                "--spring.main.banner-mode=off",
                "--turno.admin.token=" + ADMIN,
                "--turno.webhooks.allow=127.0.0.1",
                "--turno.whatsapp.verify-token=agreed",
                "--turno.whatsapp.app-secret=" + APP_SECRET);
    }

    /** Shared by the tests of a class, which end it. */
    static RoomsServer on(TestDatabase kind) {
        return SHARED.computeIfAbsent(kind, key -> new RoomsServer(key.fresh()));
    }

    static void closeAll() {
        SHARED.values().forEach(server -> server.context.close());
        SHARED.clear();
    }

    Turno turno() {
        return context.getBean(Turno.class);
    }

    DataSource dataSource() {
        return context.getBean(DataSource.class);
    }

    String url() {
        return "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
    }

    String token(String name, String role) {
        return send("POST", "/api/v1/tokens", "{\"name\":\"" + name + "\",\"role\":\"" + role + "\"}", ADMIN)
                .json()
                .get("token")
                .asString();
    }

    Answer post(String path, String body) {
        return send("POST", path, body, ADMIN);
    }

    Answer put(String path, String body) {
        return send("PUT", path, body, ADMIN);
    }

    Answer send(String method, String path, String body, String token, String... headers) {
        try {
            HttpResponse<String> response =
                    client.send(request(method, path, body, token, headers), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    CompletableFuture<Answer> sendLater(String path, String body) {
        return client.sendAsync(request("POST", path, body, ADMIN), HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> new Answer(response.statusCode(), response.body()));
    }

    private HttpRequest request(String method, String path, String body, String token, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(url() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json");
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return request.build();
    }
}
