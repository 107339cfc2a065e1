package dev.turno.web;

import dev.turno.Turno;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A Boot application with the API in this JVM, one for each database, used by all tests. Threads may share it. */
public final class ApiServer implements AutoCloseable {

    static final String ADMIN = "the-admin-token-of-the-tests";

    @SpringBootApplication
    static class Application {}

    /** What came back. */
    record Answer(int status, String body, HttpResponse<String> response) {

        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }
    }

    private static final Map<TestDatabase, ApiServer> SHARED = new ConcurrentHashMap<>();

    private final FreshDatabase database;
    private final ConfigurableApplicationContext context;
    private final Client client;

    private ApiServer(FreshDatabase database, String url, List<String> arguments) {
        this.database = database;
        List<String> all = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.datasource.url=" + url,
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password(),
                "--turno.admin.token=" + ADMIN,
                "--spring.main.banner-mode=off",
                "--spring.jackson.deserialization.fail-on-unknown-properties=true",
                "--server.tomcat.max-swallow-size=16MB"));
        all.addAll(arguments);
        SpringApplication application = new SpringApplication(Application.class);
        application.setRegisterShutdownHook(
                false); // the shared ones end with the JVM, in which the databases end first
        this.context = application.run(all.toArray(String[]::new));
        this.client = client(context);
    }

    public static ApiServer on(TestDatabase kind) {
        return SHARED.computeIfAbsent(kind, key -> start(key));
    }

    static ApiServer start(TestDatabase kind, String... arguments) {
        FreshDatabase database = kind.fresh();
        return new ApiServer(database, database.url(), List.of(arguments));
    }

    /** On a database that is reached by another way, through a proxy for example. */
    static ApiServer start(FreshDatabase database, String url, String... arguments) {
        return new ApiServer(database, url, List.of(arguments));
    }

    public DataSource dataSource() {
        return database.dataSource();
    }

    Turno turno() {
        return context.getBean(Turno.class);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    String url() {
        return client.url();
    }

    int port() {
        return URI.create(client.url()).getPort();
    }

    Answer get(String path) {
        return send("GET", path, "");
    }

    Answer post(String path, String body) {
        return send("POST", path, body);
    }

    Answer send(String method, String path, String body) {
        return send(method, path, body, ADMIN);
    }

    /** An empty token: none is sent. */
    Answer send(String method, String path, String body, String token, String... headers) {
        return client.send(method, path, body, token, headers);
    }

    CompletableFuture<Answer> sendLater(String method, String path, String body) {
        return client.http()
                .sendAsync(client.request(method, path, body, ADMIN), HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> new Answer(response.statusCode(), response.body(), response));
    }

    /** Lines as they come, without an end. */
    Stream<String> lines(String path) throws IOException, InterruptedException {
        return lines(path, ADMIN);
    }

    Stream<String> lines(String path, String token) throws IOException, InterruptedException {
        return client.http()
                .send(client.request("GET", path, "", token), HttpResponse.BodyHandlers.ofLines())
                .body();
    }

    static Client client(ConfigurableApplicationContext context) {
        return new Client(
                HttpClient.newHttpClient(),
                "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port"));
    }

    /** Who asks a server. */
    record Client(HttpClient http, String url) {

        HttpRequest request(String method, String path, String body, String token, String... headers) {
            var request = HttpRequest.newBuilder(URI.create(url + path))
                    .method(method, HttpRequest.BodyPublishers.ofString(body));
            if (!token.isEmpty()) {
                request.header("Authorization", "Bearer " + token);
            }
            if (!body.isEmpty()) {
                request.header("Content-Type", "application/json");
            }
            for (int i = 0; i < headers.length; i += 2) {
                request.setHeader(headers[i], headers[i + 1]);
            }
            return request.build();
        }

        Answer send(String method, String path, String body, String token, String... headers) {
            try {
                HttpResponse<String> response =
                        http.send(request(method, path, body, token, headers), HttpResponse.BodyHandlers.ofString());
                return new Answer(response.statusCode(), response.body(), response);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() {
        context.close();
        database.close();
    }
}
