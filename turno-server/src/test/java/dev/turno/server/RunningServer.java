package dev.turno.server;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole server in this JVM, on a database of its own. Threads may share it. */
public final class RunningServer implements AutoCloseable {

    public static final String ADMIN = "the-admin-token-of-the-tests";

    private final FreshDatabase database;
    private final ConfigurableApplicationContext context;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(30)).build();

    public RunningServer(String... more) {
        this(TestDatabase.H2.fresh(), FreshDatabase::url, more);
    }

    /** By a way of one's own to a database that is closed with this. */
    public RunningServer(FreshDatabase database, Function<FreshDatabase, String> url, String... more) {
        this.database = database;
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.datasource.url=" + url.apply(database),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password(),
                "--turno.admin.token=" + ADMIN));
        arguments.addAll(List.of(more));
        this.context = SpringApplication.run(TurnoServer.class, arguments.toArray(String[]::new));
    }

    public ConfigurableApplicationContext context() {
        return context;
    }

    public int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    public HttpResponse<String> send(String method, String path, String token, BodyPublisher body, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(60))
                .method(method, body)
                .header("Content-Type", "application/json");
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public HttpResponse<String> send(String method, String path, String token, String body) {
        return send(method, path, token, BodyPublishers.ofString(body));
    }

    public String newToken(String role) {
        String afore = role.equals("caller") ? ",\"afore\":\"534\"" : "";
        String answer = send(
                        "POST",
                        "/api/v1/tokens",
                        ADMIN,
                        "{\"name\":\"a " + role + "\",\"role\":\"" + role + "\"" + afore + "}")
                .body();
        return answer.replaceFirst(".*\"token\":\"([^\"]+)\".*", "$1");
    }

    @Override
    public void close() {
        context.close();
        database.close();
    }
}
