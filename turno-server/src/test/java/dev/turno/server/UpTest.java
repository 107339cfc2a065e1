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

    /** What the first start on the folder showed, and how it ended. */
    private record First(String token, int withToken, int withAnother, String stream, int exit, Duration end) {}

    private static @Nullable First first;

    /** The second start on the folder, with sample traffic, for the tests that only ask: to start one takes longer than they do. */
    private static @Nullable ChildProcess second;

    private static String secondUrl = "";

    @TempDir
    private static Path data = Path.of("");

    @AfterAll
    static void close() {
        if (second != null) {
            second.close();
        }
    }

    private static First first() throws Exception {
        if (first == null) {
            first = startAndEnd();
        }
        return first;
    }

    private static First startAndEnd() throws Exception {
        try (ChildProcess server = up(data).start()) {
            String token = server.awaitLine(UpTest::isToken, PATIENCE).strip();
            String url = readyUrl(server);
            int withToken = status(url + "/api/v1/inboxes", token);
            int withAnother = status(url + "/api/v1/inboxes", "another");
            try (Socket stream = openStream(url, token)) {
                var answer = new BufferedReader(new InputStreamReader(stream.getInputStream(), StandardCharsets.UTF_8));
                String status = String.valueOf(answer.readLine());
                long asked = System.nanoTime();
                server.signal("TERM");
                int exit = server.awaitExit(Duration.ofSeconds(20));
                return new First(
                        token, withToken, withAnother, status, exit, Duration.ofNanos(System.nanoTime() - asked));
            }
        }
    }

    private static boolean isToken(String line) {
        return line.strip().startsWith("turno_");
    }

    private static ChildProcess second() throws Exception {
        if (second == null) {
            first();
            second = up(data, "--demo", "--address", "0.0.0.0", "--node", "node-a")
                    .start();
            secondUrl = readyUrl(second).replace("0.0.0.0", "127.0.0.1") + "/";
        }
        return second;
    }

    private static Map<String, String> ofSecond() throws Exception {
        ChildProcess unused = second();
        return Map.of("TURNO_URL", secondUrl, "TURNO_TOKEN", first().token());
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
    void the_first_start_shows_a_random_token_and_sigterm_ends_it_within_a_second_beside_open_streams()
            throws Exception {
        First start = first();

        System.out.println("SIGTERM beside an open event stream: exit " + start.exit() + " after "
                + start.end().toMillis() + " ms");
        assertThat(start.withToken()).isEqualTo(200);
        assertThat(start.withAnother()).isEqualTo(401);
        assertThat(start.stream()).contains("200");
        assertThat(start.end()).isLessThan(Duration.ofSeconds(10)); // a loaded machine; alone it is far below one
    }

    @Test
    void the_second_start_shows_no_token_and_knows_the_first_one() throws Exception {
        assertThat(second().lines()).noneMatch(UpTest::isToken);
        assertThat(status(secondUrl + "api/v1/inboxes", first().token())).isEqualTo(200);
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
    void the_command_line_works_on_a_server_and_the_demo_fills_it() throws Exception {
        Commands commands = Commands.run(
                ofSecond(),
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
                        List.of("network", "list"),
                        List.of("buffer", "add", "chats", "dead", "hello"),
                        List.of("buffer", "show", "chats", "dead"),
                        List.of("audit")));

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
        assertThat(commands.output(10, 0)).contains("duplicate: false");
        assertThat(commands.output(11, 0)).as("a key, not the dead bursts").contains("key: dead", "waiting: 1");
        assertThat(commands.output(12, 0)).as("what exactly was changed").contains("'n8n' of role producer");
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
                ofSecond(),
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
    void some_commands_need_no_server_and_none_works_without_a_token(@TempDir Path empty) {
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
                                empty.resolve("made").toString(),
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
        assertThat(empty.resolve("made"))
                .satisfies(made -> assertThat(Files.getPosixFilePermissions(made))
                        .isEqualTo(PosixFilePermissions.fromString("rwx------")));
    }
}
