package dev.turno.server.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.turno.Turno;
import dev.turno.server.RunningServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The workers in {@code examples}, each where its language is installed. */
class WorkersInOtherLanguagesTest {

    @SuppressWarnings("NullAway.Init")
    private static RunningServer server;

    @TempDir
    private Path folder = Path.of("");

    @BeforeAll
    static void start() {
        server = new RunningServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"python3, examples/python/worker.py", "php, examples/php/worker.php"})
    void a_worker_handles_what_waits_and_says_so(String language, String program) throws Exception {
        assumeTrue(isInstalled(language), language + " is not installed here");
        String inbox = "orders-" + language;
        server.send(
                "POST",
                "/api/v1/inboxes/" + inbox + "/messages",
                RunningServer.ADMIN,
                "{\"id\":\"o-1\",\"body\":\"tea\"}");

        Process process =
                worker(server.port(), server.newToken("producer"), language, "../" + program, inbox, "--once");

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(said())).contains("handling o-1 attempt 1 tea");
        assertThat(process.exitValue()).isZero();
        assertThat(server.context().getBean(Turno.class).inbox(inbox).counts().done())
                .isEqualTo(1);
    }

    private Path said() {
        return folder.resolve("said");
    }

    private Process worker(int port, String token, String... command) throws IOException {
        ProcessBuilder worker =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said().toFile());
        worker.environment().put("TURNO_URL", "http://127.0.0.1:" + port);
        worker.environment().put("TURNO_TOKEN", token);
        return worker.start();
    }

    @ParameterizedTest
    @CsvSource({"python3, examples/python/worker.py", "php, examples/php/worker.php"})
    void a_worker_outlives_a_server_that_is_away_for_a_while(String language, String program) throws Exception {
        assumeTrue(isInstalled(language), language + " is not installed here");
        AtomicInteger takes = new AtomicInteger();
        AtomicInteger finishes = new AtomicInteger();
        CompletableFuture<String> finished = new CompletableFuture<>();
        HttpServer away = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        away.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (exchange.getRequestURI().getPath().endsWith("/finish")) {
                switch (finishes.incrementAndGet()) {
                    case 1 -> exchange.close();
                    case 2 -> answer(exchange, 503, "{\"detail\":\"The database could not be asked.\"}");
                    case 3 -> answer(exchange, 502, "<html>a proxy, whose server is away</html>");
                    default -> {
                        finished.complete(body + " after " + takes.get() + " takes");
                        answer(exchange, 200, "{\"items\":[]}");
                    }
                }
                return;
            }
            switch (takes.incrementAndGet()) {
                case 1 -> exchange.close(); // no answer at all
                case 2 -> answer(exchange, 503, "{\"detail\":\"The database could not be asked.\"}");
                case 3 -> answer(exchange, 502, "<html>a proxy, whose server is away</html>");
                default ->
                    answer(exchange, 200, "{\"items\":[{\"id\":\"o-1\",\"body\":\"tea\",\"fence\":1,\"attempt\":1}]}");
            }
        });
        away.start();

        Process process = worker(away.getAddress().getPort(), "a-token", language, "../" + program, "orders");
        try {
            assertThat(finished.get(60, TimeUnit.SECONDS)).contains("o-1", "done", "after 4 takes");
        } finally {
            process.destroyForcibly();
            away.stop(0);
        }
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        try (exchange) {
            exchange.getResponseBody().write(bytes);
        }
    }

    private static boolean isInstalled(String program) throws InterruptedException {
        try {
            return new ProcessBuilder(program, "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
