package dev.turno.server;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code turno up} as a process of its own. */
class UpTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path data = Path.of("");

    private Launch up(String... options) {
        return Launch.main(Main.class)
                .jvmOptions("-Xmx256m")
                .arguments("up", "--port", "0", "--data", data.toString())
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
        try (ChildProcess server = up().start()) {
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
                assertThat(took).isLessThan(Duration.ofSeconds(3)); // a loaded machine; alone it is far below one
            }
        }
        try (ChildProcess again = up().start()) {
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
    void another_address_is_refused_while_nobody_has_a_credential() {
        try (ChildProcess server = up("--address", "0.0.0.0").start()) {
            assertThat(server.awaitExit(PATIENCE)).isEqualTo(1);
            assertThat(String.join("\n", server.lines()))
                    .contains("nobody has a credential yet")
                    .contains("TURNO_ADMIN_TOKEN");
        }
    }

    @Test
    void the_command_line_works_on_a_server_with_a_chosen_token_and_the_demo_fills_it() throws Exception {
        String token = "a-token-that-somebody-chose";
        try (ChildProcess server = up("--demo", "--address", "0.0.0.0", "--node", "node-a")
                .environment("TURNO_ADMIN_TOKEN", token)
                .start()) {
            String url = readyUrl(server).replace("0.0.0.0", "127.0.0.1");

            assertThat(cli(url, token, 0, "inbox", "put", "orders", "hello", "--id", "a/b 1"))
                    .contains("duplicate: false");
            assertThat(cli(url, token, 1, "inbox", "put", "orders", "other", "--id", "a/b 1"))
                    .contains("turno: 422");
            assertThat(cli(url, token, 0, "inbox", "show", "orders", "a/b 1")).contains("body: hello");
            assertThat(cli(url, token, 0, "holder", "list")).contains("node-a").contains("demo-node-2");
            assertThat(cli(url, token, 0, "token", "create", "n8n", "--role", "producer"))
                    .contains("token: turno_");
            assertThat(cli(url, token, 0, "why", "lock/report")).contains("Nobody has it");
            assertThat(cli(url, "", 1, "inbox", "list")).contains("TURNO_TOKEN");
            assertThat(cli(url, token, 0, "doctor")).contains("good  clock");
            assertThat(cli(url, token, 0, "overview", "--json"))
                    .contains("demo-orders")
                    .contains("demo-chats");
        }
    }

    @Test
    void the_script_of_the_tables_and_the_completion_need_no_server() {
        assertThat(cli("", "", 0, "schema", "print", "mariadb"))
                .contains("create table if not exists turno_inbox")
                .contains("turno_token");
        assertThat(cli("", "", 2, "inbox", "shred")).contains("Unmatched argument");
        assertThat(cli("", "", 0, "completion")).contains("complete -F");
    }

    private static String cli(String url, String token, int code, String... arguments) {
        try (ChildProcess command = Launch.main(Main.class)
                .arguments(arguments)
                .environment("TURNO_URL", url)
                .environment("TURNO_TOKEN", token)
                .errorsInOutput()
                .start()) {
            int exit = command.awaitExit(PATIENCE);
            String output = String.join("\n", command.lines());
            assertThat(exit).as(output).isEqualTo(code);
            return output;
        }
    }
}
