package dev.turno.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.server.cli.Commands;
import dev.turno.server.cli.Main;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code turno up} as a process of its own. */
class UpTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String TOKEN = "a-token-that-somebody-chose";

    /** A server with sample traffic, for the tests that only ask one: to start it takes longer than they do. */
    private static @Nullable ChildProcess shared;

    private static String sharedUrl = "";

    @TempDir
    private static Path sharedData = Path.of("");

    @TempDir
    private Path data = Path.of("");

    @AfterAll
    static void close() {
        if (shared != null) {
            shared.close();
        }
    }

    private static String sharedUrl() {
        if (shared == null) {
            shared = up(sharedData, "--demo", "--address", "0.0.0.0", "--node", "node-a")
                    .environment("TURNO_ADMIN_TOKEN", TOKEN)
                    .start();
            sharedUrl = readyUrl(shared).replace("0.0.0.0", "127.0.0.1") + "/";
        }
        return sharedUrl;
    }

    private static Launch up(Path folder, String... options) {
        return Launch.main(Main.class)
                .jvmOptions("-Xmx256m")
                .arguments("up", "--port", "0", "--data", folder.toString())
                .arguments(options)
                .errorsInOutput()
                .endedBy("TERM");
    }

    private static String readyUrl(ChildProcess server) {
        return server.awaitLine(line -> line.startsWith("Turno is ready on "), PATIENCE)
                .replaceFirst("Turno is ready on (\\S+) .*", "$1");
    }

    private static int status(String url, String token) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Bearer " + token);
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    @Test
    void the_first_start_shows_a_random_token_once_and_sigterm_ends_it_within_a_second_beside_open_streams()
            throws Exception {
        String token;
        try (ChildProcess server = up(data).start()) {
            token = server.awaitLine(line -> line.strip().startsWith("turno_"), PATIENCE)
                    .strip();
            String url = readyUrl(server);
            assertThat(status(url + "/api/v1/inboxes", token)).isEqualTo(200);
            assertThat(status(url + "/api/v1/inboxes", "another")).isEqualTo(401);

            try (Socket stream = openStream(url, token)) {
                assertThat(new BufferedReader(new InputStreamReader(stream.getInputStream(), StandardCharsets.UTF_8))
                                .readLine())
                        .contains("200");
                long asked = System.nanoTime();
                server.signal("TERM");
                int code = server.awaitExit(Duration.ofSeconds(20));
                Duration took = Duration.ofNanos(System.nanoTime() - asked);

                System.out.println(
                        "SIGTERM beside an open event stream: exit " + code + " after " + took.toMillis() + " ms");
                assertThat(took).isLessThan(Duration.ofSeconds(10)); // a loaded machine; alone it is far below one
            }
        }
        try (ChildProcess again = up(data).start()) {
            String url = readyUrl(again);

            assertThat(again.lines()).noneMatch(line -> line.contains("turno_"));
            assertThat(status(url + "/api/v1/inboxes", token)).isEqualTo(200);
        }
    }

    private static Socket openStream(String url, String token) throws IOException {
        URI uri = URI.create(url);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), uri.getPort());
        socket.getOutputStream()
                .write(("GET /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    @Test
    void the_command_line_works_on_a_server_with_a_chosen_token_and_the_demo_fills_it() {
        Commands commands = Commands.run(
                Map.of("TURNO_URL", sharedUrl(), "TURNO_TOKEN", TOKEN),
                List.of(
                        List.of("inbox", "put", "orders", "hello", "--id", "a/b 1"),
                        List.of("inbox", "put", "orders", "other", "--id", "a/b 1"),
                        List.of("inbox", "show", "orders", "a/b 1"),
                        List.of("holder", "list"),
                        List.of("token", "create", "n8n", "--role", "producer"),
                        List.of("why", "lock/report"),
                        List.of("doctor"),
                        List.of("overview", "--json"),
                        List.of("overview"),
                        List.of("network", "list")));

        assertThat(commands.output(0, 0)).contains("duplicate: false");
        assertThat(commands.output(1, 1)).contains("turno: 422");
        assertThat(commands.output(2, 0)).contains("body: hello");
        assertThat(commands.output(3, 0)).contains("node-a").contains("demo-node-2");
        assertThat(commands.output(4, 0)).contains("token: turno_");
        assertThat(commands.output(5, 0)).contains("Nobody has it");
        assertThat(commands.output(6, 0)).contains("good  clock");
        assertThat(commands.output(7, 0)).contains("demo-orders").contains("demo-chats");
        assertThat(commands.output(8, 0)).contains("healthy: true").containsPattern("(?m)^  demo-orders");
        assertThat(commands.output(9, 0)).contains("acronym");
    }

    @Test
    void a_year_of_business_days_is_loaded_from_a_file_and_a_bad_file_changes_nothing(@TempDir Path folder)
            throws Exception {
        Path good = Files.writeString(
                folder.resolve("good.json"),
                "[{\"fecha\":\"2027-06-07\",\"habil\":false,\"motivo\":\"elecciones\",\"referencia\":\"DOF\"}]");
        Path broken =
                Files.writeString(folder.resolve("broken.json"), "[{\"fecha\":\"2027-06-08\",\n \"habil\":nope}]");
        Path foreign =
                Files.writeString(folder.resolve("foreign.json"), "[{\"fecha\":\"2026-06-08\",\"habil\":false}]");

        Commands commands = Commands.run(
                Map.of("TURNO_URL", sharedUrl(), "TURNO_TOKEN", TOKEN),
                List.of(
                        List.of("calendar", "load", "CONSAR", "2027", good.toString()),
                        List.of("calendar", "load", "CONSAR", "2027", broken.toString()),
                        List.of("calendar", "load", "CONSAR", "2027", foreign.toString()),
                        List.of("calendar", "list", "CONSAR", "2027"),
                        List.of("calendar", "show", "CONSAR", "2027-06-04", "--next")));

        assertThat(commands.output(0, 0)).contains("2027-06-07", "elecciones");
        assertThat(commands.output(1, 1)).contains("broken.json is not JSON: line 2", "Nothing was sent");
        assertThat(commands.output(2, 1)).contains("422", "2026-06-08 no es de 2027");
        assertThat(commands.output(3, 0)).contains("2027-06-07").doesNotContain("06-08");
        assertThat(commands.output(4, 0)).contains("fecha: 2027-06-08");
    }

    @Test
    void some_commands_need_no_server_and_none_works_without_a_token() {
        Commands commands = Commands.run(
                Map.of("TURNO_TOKEN", ""),
                List.of(
                        List.of("schema", "print", "mariadb"),
                        List.of("schema", "print", "h2", "--json"),
                        List.of("inbox", "shred"),
                        List.of("completion"),
                        List.of("inbox", "list"),
                        List.of("schema", "validate", "--db", "jdbc:h2:mem:nothing", "--json"),
                        List.of(
                                "up",
                                "--port",
                                "0",
                                "--data",
                                data.resolve("made").toString(),
                                "--address",
                                "0.0.0.0")));

        assertThat(commands.output(0, 0))
                .contains("create table if not exists turno_inbox")
                .contains("turno_token")
                .contains("create table if not exists turno_target")
                .contains("create table if not exists turno_certification");
        assertThat(commands.output(1, 0)).startsWith("{").contains("\"script\"");
        assertThat(commands.output(2, 2)).contains("Unmatched argument");
        assertThat(commands.output(3, 0)).contains("complete -F");
        assertThat(commands.output(4, 1)).contains("TURNO_TOKEN");
        assertThat(commands.output(5, 1)).contains("turno");
        assertThat(commands.output(6, 1))
                .as("another address while nobody has a credential")
                .contains("nobody has a credential yet")
                .contains("TURNO_ADMIN_TOKEN");
        assertThat(data.resolve("made"))
                .satisfies(made -> assertThat(Files.getPosixFilePermissions(made))
                        .isEqualTo(PosixFilePermissions.fromString("rwx------")));
    }
}
