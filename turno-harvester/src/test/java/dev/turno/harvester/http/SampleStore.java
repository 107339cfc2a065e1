package dev.turno.harvester.http;

import dev.turno.Turno;
import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.DemoRepository;
import dev.turno.run.RunState;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A process that fills a folder with a harvested and judged network, and with what the API says about it, for those who read the
 * store with tools of their own: see examples/spark.
 */
final class SampleStore {

    private static final String TOKEN = "the-admin-token-of-the-sample";
    private static final String RULES = """
            {"name":"articles","purpose":"VALIDATION","rules":[
              {"name":"a type","type":"controlled","settings":{"field":"dc.type","values":["info:eu-repo/semantics/article"]}},
              {"name":"a title","type":"occurrences","settings":{"field":"dc.title"}},
              {"name":"in Spanish","type":"regex","mandatory":false,"settings":{"field":"dc.language","pattern":"spa"}}]}""";
    private static final String CHANGES = """
            {"name":"marked","purpose":"TRANSFORMATION","rules":[
              {"name":"repository","type":"add-repository-name","settings":{"field":"dc.source"}}]}""";

    @EnableAutoConfiguration
    static class Application {}

    private final HttpClient client = HttpClient.newHttpClient();
    private final String url;

    private SampleStore(String url) {
        this.url = url;
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        DemoRepository repository = new DemoRepository("demo", 300);
        try (DemoProvider source = DemoProvider.start(repository, 50, 0);
                ConfigurableApplicationContext context = SpringApplication.run(
                        Application.class,
                        "--server.port=0",
                        "--spring.datasource.url=jdbc:h2:mem:sample",
                        "--spring.main.banner-mode=off",
                        "--turno.poll=50ms",
                        "--turno.admin.token=" + TOKEN,
                        "--turno.harvester.folder=" + folder)) {
            SampleStore sample = new SampleStore("http://127.0.0.1:"
                    + context.getEnvironment().getRequiredProperty("local.server.port") + "/api/v1");
            sample.fill(context.getBean(Turno.class), repository, source.url());
            sample.write(folder);
        }
        System.exit(0);
    }

    private void fill(Turno turno, DemoRepository repository, String origin) throws Exception {
        ask("PUT", "/rule-sets/articles", RULES);
        ask("PUT", "/rule-sets/marked", CHANGES);
        ask(
                "POST",
                "/networks",
                "{\"acronym\":\"UX\",\"name\":\"Universidad X\",\"originUrl\":\"" + origin
                        + "\",\"validator\":\"articles\",\"transformer\":\"marked\",\"properties\":{\"VALIDATE\":true,\"TRANSFORM\":true}}");
        run(turno, "HARVESTING_ACTION");
        for (int number : List.of(3, 7, 11)) {
            repository.change(number, Instant.now());
        }
        repository.delete(8, Instant.now());
        repository.growTo(305, Instant.now());
        run(turno, "HARVESTING_ACTION");
        run(turno, "VALIDATION_ACTION");
    }

    private void run(Turno turno, String action) throws Exception {
        ask("POST", "/networks/UX/run", "{\"action\":\"" + action + "\"}");
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> turno.runs().ofSubject("NETWORK::1", Optional.empty(), 10).stream()
                        .allMatch(run -> run.state() == RunState.DONE));
    }

    private void write(Path folder) throws Exception {
        String snapshot = ask("GET", "/networks/UX", "").replaceFirst("(?s).*\"lastGood\":\\{\"id\":(\\d+).*", "$1");
        Files.writeString(folder.resolve("network.json"), ask("GET", "/networks/UX/export", ""));
        Files.writeString(folder.resolve("parts.json"), ask("GET", "/snapshots/" + snapshot + "/parts", ""));
        Files.writeString(folder.resolve("diagnosis.json"), ask("GET", "/snapshots/" + snapshot + "/diagnosis", ""));
    }

    private String ask(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + TOKEN)
                .build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }
}
