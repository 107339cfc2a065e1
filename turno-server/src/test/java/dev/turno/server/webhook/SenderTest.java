package dev.turno.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.core5.http.ContentType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("security")
@Timeout(60)
class SenderTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    /** Seconds: what is ended by us, and not by the other side, on a machine that is busy. */
    private static final double QUICK = 10;

    private final Receiver receiver;
    private final Sender sender = sender(List.of("127.0.0.1"), InetAddress::getAllByName);

    SenderTest() throws IOException {
        this.receiver = new Receiver(Receiver.status(204));
    }

    private static Sender sender(List<String> allow, AddressGuard.Names names) {
        return new Sender(new AddressGuard(allow, names));
    }

    @AfterEach
    void close() {
        sender.close();
        receiver.close();
    }

    private Sender.Answer post(Sender with, String url, Duration timeout) throws IOException {
        return with.post(
                URI.create(url),
                Map.of("webhook-id", "msg_1"),
                "{}".getBytes(StandardCharsets.UTF_8),
                ContentType.APPLICATION_JSON,
                timeout);
    }

    private Sender.Answer post(Duration timeout) throws IOException {
        return post(sender, receiver.url(), timeout);
    }

    @Test
    void a_post_arrives_with_its_headers_and_body() throws Exception {
        assertThat(post(LONG).status()).isEqualTo(204);

        Receiver.Call call = receiver.calls().get(0);
        assertThat(call.text()).isEqualTo("{}");
        assertThat(call.header("webhook-id")).isEqualTo("msg_1");
        assertThat(call.header("content-type")).startsWith("application/json");
        assertThat(call.header("host")).isEqualTo("127.0.0.1:" + receiver.port());
        assertThat(call.headers()).doesNotContainKeys("cookie", "accept-encoding", "authorization");
    }

    @Test
    void a_redirect_is_an_answer_and_is_not_followed() throws Exception {
        for (int status : List.of(301, 302, 303, 307, 308)) {
            receiver.from((exchange, call, number) -> {
                exchange.getResponseHeaders().add("Location", receiver.url() + "/elsewhere");
                exchange.sendResponseHeaders(status, -1);
            });
            int before = receiver.calls().size();

            assertThat(post(LONG).status()).isEqualTo(status);
            assertThat(receiver.calls()).hasSize(before + 1);
        }
    }

    @Test
    void an_answer_that_does_not_come_is_not_waited_for() {
        receiver.from((exchange, call, number) -> Thread.sleep(20_000));

        assertThat(seconds(() ->
                        assertThatThrownBy(() -> post(Duration.ofMillis(500))).isInstanceOf(IOException.class)))
                .isLessThan(QUICK);
    }

    @Test
    void headers_that_drip_are_not_waited_for() throws Exception {
        try (RawServer drip = new RawServer(socket -> {
            OutputStream out = socket.getOutputStream();
            for (byte b : ("HTTP/1.1 200 OK\r\nX-Slow: " + "a".repeat(300)).getBytes(StandardCharsets.UTF_8)) {
                out.write(b);
                out.flush();
                Thread.sleep(100);
            }
        })) {
            // Each byte comes in time for a timeout of the socket; only the deadline of the whole ends it.
            assertThat(seconds(() -> assertThatThrownBy(() -> post(sender, drip.url(), Duration.ofMillis(800)))
                            .isInstanceOf(IOException.class)
                            .hasMessageContaining("no answer within")))
                    .isLessThan(QUICK);
        }
    }

    @Test
    void an_endless_answer_is_read_no_further_than_it_helps() throws Exception {
        receiver.from((exchange, call, number) -> {
            exchange.sendResponseHeaders(500, 0);
            byte[] chunk = new byte[8_192];
            Arrays.fill(chunk, (byte) 'x');
            try (OutputStream body = exchange.getResponseBody()) {
                while (true) {
                    body.write(chunk);
                }
            }
        });

        assertThat(seconds(() -> {
                    Sender.Answer answer = post(LONG);
                    assertThat(answer.status()).isEqualTo(500);
                    assertThat(answer.excerpt()).hasSize(500);
                }))
                .isLessThan(QUICK);
    }

    @Test
    void a_body_that_drips_after_the_status_does_not_undo_it() throws Exception {
        receiver.from((exchange, call, number) -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                for (int i = 0; i < 200; i++) {
                    body.write('x');
                    body.flush();
                    Thread.sleep(100);
                }
            }
        });

        assertThat(seconds(
                        () -> assertThat(post(Duration.ofSeconds(3)).status()).isEqualTo(200)))
                .isLessThan(QUICK);
    }

    @Test
    void headers_without_end_are_refused() throws Exception {
        try (RawServer endless = new RawServer(socket -> {
            OutputStream out = socket.getOutputStream();
            out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.UTF_8));
            while (true) {
                out.write("X-More: and more\r\n".getBytes(StandardCharsets.UTF_8));
            }
        })) {
            assertThat(seconds(() -> assertThatThrownBy(() -> post(sender, endless.url(), LONG))
                            .isInstanceOf(IOException.class)))
                    .isLessThan(QUICK);
        }
    }

    @Test
    void retry_after_is_read_as_seconds_and_as_a_date() throws Exception {
        assertThat(retryAfter("7")).contains(Duration.ofSeconds(7));
        assertThat(retryAfter("soon")).isEmpty();
        assertThat(retryAfter("-1")).isEmpty();
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(60));
        assertThat(retryAfter(date).orElseThrow()).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(61));
        assertThat(retryAfter("Thu, 01 Jan 1970 00:00:00 GMT")).contains(Duration.ZERO);
    }

    private Optional<Duration> retryAfter(String value) throws IOException {
        receiver.from((exchange, call, number) -> {
            exchange.getResponseHeaders().add("Retry-After", value);
            exchange.sendResponseHeaders(503, -1);
        });
        return post(LONG).retryAfter();
    }

    @Test
    void what_may_not_be_posted_to_gets_no_connection() throws Exception {
        try (Sender strict = sender(List.of(), InetAddress::getAllByName)) {
            for (String host :
                    List.of("127.0.0.1", "localhost", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0")) {
                assertThatThrownBy(() -> post(strict, "http://" + host + ":" + receiver.port() + "/", LONG))
                        .as(host)
                        .isInstanceOf(UnknownHostException.class);
            }
        }
        assertThat(receiver.calls()).isEmpty();
    }

    @Test
    void a_name_that_changes_its_answer_gains_nothing() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        AddressGuard.Names rebinding =
                host -> InetAddress.getAllByName(asked.getAndIncrement() == 0 ? "1.1.1.1" : "127.0.0.1");
        try (Sender strict = sender(List.of(), rebinding)) {
            // The first answer is public, and that one is connected to; nobody is there in time.
            assertThatThrownBy(
                            () -> post(strict, "http://rebind.example:" + receiver.port() + "/", Duration.ofSeconds(3)))
                    .isInstanceOf(IOException.class);
            assertThat(asked).as("looked up once for one connection").hasValue(1);
            // The second leads inside, and is refused.
            assertThatThrownBy(() -> post(strict, "http://rebind.example:" + receiver.port() + "/", LONG))
                    .isInstanceOf(AddressGuard.RefusedException.class);
        }
        assertThat(receiver.calls()).isEmpty();
    }

    @Test
    void the_checked_address_is_connected_to_under_the_name_that_was_asked_for() throws Exception {
        AddressGuard.Names here = host -> InetAddress.getAllByName("127.0.0.1");
        try (Sender named = sender(List.of("hooks.example"), here)) {
            assertThat(post(named, "http://hooks.example:" + receiver.port() + "/a", LONG)
                            .status())
                    .isEqualTo(204);
            assertThat(receiver.calls().get(0).header("host")).isEqualTo("hooks.example:" + receiver.port());

            CompletableFuture<String> hello = new CompletableFuture<>();
            try (RawServer tls = new RawServer(socket -> {
                byte[] bytes = new byte[4_096];
                int read = socket.getInputStream().read(bytes);
                hello.complete(new String(bytes, 0, Math.max(0, read), StandardCharsets.ISO_8859_1));
            })) {
                assertThatThrownBy(
                                () -> post(named, tls.url().replace("http://127.0.0.1", "https://hooks.example"), LONG))
                        .isInstanceOf(IOException.class);
                assertThat(hello.get(15, TimeUnit.SECONDS))
                        .as("TLS server name")
                        .contains("hooks.example");
            }
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private static double seconds(Action action) {
        long start = System.nanoTime();
        try {
            action.run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return (System.nanoTime() - start) / 1e9;
    }

    /** A server that speaks as it likes. */
    private static final class RawServer implements AutoCloseable {

        private interface Speech {
            void to(Socket socket) throws IOException, InterruptedException;
        }

        private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());

        RawServer(Speech speech) throws IOException {
            Thread thread = new Thread(() -> {
                try (Socket socket = server.accept()) {
                    speech.to(socket);
                } catch (IOException | InterruptedException e) {
                    // The other side hung up, or the test is over.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        String url() {
            return "http://127.0.0.1:" + server.getLocalPort() + "/";
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
