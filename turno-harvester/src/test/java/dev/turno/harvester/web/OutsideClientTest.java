package dev.turno.harvester.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("security")
final class OutsideClientTest {

    private static final OutsideClient.Patience PATIENCE =
            new OutsideClient.Patience(Duration.ofSeconds(20), Duration.ofSeconds(20));

    private final AtomicInteger requests = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

    OutsideClientTest() throws IOException {}

    @BeforeEach
    void start() {
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.createContext("/drip", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                while (true) {
                    out.write('.');
                    out.flush();
                    Thread.sleep(50);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private URI at(String host, String path) {
        return URI.create("http://" + host + ":" + server.getAddress().getPort() + path);
    }

    @Test
    void a_name_that_changes_its_answer_between_two_look_ups_leads_nowhere() throws Exception {
        AtomicInteger lookUps = new AtomicInteger();
        OwnNetwork.Names rebinding =
                host -> InetAddress.getAllByName(lookUps.incrementAndGet() == 1 ? "127.0.0.1" : "1.1.1.1");
        try (OutsideClient client = new OutsideClient(Set.of(), rebinding)) {
            assertThatThrownBy(() -> client.ask("GET", at("rebind.example", "/"), Map.of(), PATIENCE, r -> r.getCode()))
                    .isInstanceOf(OutsideClient.NotAskedException.class)
                    .hasMessageContaining("127.0.0.1");
        }
        // The only look-up is the one whose answer is connected to.
        assertThat(lookUps).hasValue(1);
        assertThat(requests).hasValue(0);
    }

    @Test
    void the_connection_goes_to_the_address_that_was_looked_up() throws Exception {
        AtomicInteger lookUps = new AtomicInteger();
        OwnNetwork.Names once = host -> {
            lookUps.incrementAndGet();
            return InetAddress.getAllByName("127.0.0.1");
        };
        try (OutsideClient client = new OutsideClient(Set.of("only-here.example"), once)) {
            int status = client.ask("GET", at("only-here.example", "/"), Map.of(), PATIENCE, r -> r.getCode());

            assertThat(status).isEqualTo(204);
            assertThat(lookUps).hasValue(1);
        }
    }

    @Test
    void an_answer_that_drips_is_not_waited_for() throws Exception {
        OutsideClient.Patience little = new OutsideClient.Patience(Duration.ofSeconds(20), Duration.ofMillis(500));
        try (OutsideClient client = new OutsideClient(Set.of("localhost"))) {
            assertThatThrownBy(() -> client.ask("GET", at("localhost", "/drip"), Map.of(), little, response -> {
                        response.getEntity().getContent().readAllBytes();
                        return response.getCode();
                    }))
                    .isInstanceOf(InterruptedIOException.class);
        }
    }

    @Test
    void the_rest_of_an_answer_that_nobody_wants_is_not_read() throws Exception {
        try (OutsideClient client = new OutsideClient(Set.of("localhost"))) {
            int status = client.ask("GET", at("localhost", "/drip"), Map.of(), PATIENCE, r -> r.getCode());

            assertThat(status).isEqualTo(200);
        }
    }
}
