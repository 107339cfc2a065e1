package dev.turno.certification.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.turno.claim.Result;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("security")
class WebhookSenderTest {

    private final CountDownLatch over = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer receiver;

    WebhookSenderTest() throws Exception {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void start() {
        receiver.setExecutor(threads);
        receiver.createContext("/short", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        receiver.createContext("/endless", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write('x');
                out.flush();
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        receiver.start();
    }

    @AfterEach
    void stop() {
        over.countDown();
        receiver.stop(0);
        threads.shutdownNow();
    }

    private URI url(String path) {
        return URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + path);
    }

    @Test
    @Timeout(60)
    void a_receiver_that_never_ends_its_answer_is_not_waited_for() throws Exception {
        WebhookSender endless = new WebhookSender(url("/endless"), "secret", Duration.ofSeconds(1));
        WebhookSender prompt = new WebhookSender(url("/short"), "secret", Duration.ofSeconds(30));

        // The second on a machine so busy that not even the beginning of the answer came in time.
        assertThatThrownBy(() -> endless.send("1", "{}"))
                .isInstanceOfAny(TimeoutException.class, ExecutionException.class);
        assertThat(prompt.send("1", "{}")).isEqualTo(Result.done());
    }

    @Test
    void what_cannot_be_sent_to_or_signed_is_refused_at_the_start() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new WebhookSender(URI.create("receiver:8080/notices"), "secret"))
                .withMessageContaining("turno.certification.notification.url");
        for (String secret : List.of("", "whsec_", "whsec_no base64")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new WebhookSender(url("/short"), secret))
                    .withMessageContaining("turno.certification.notification.secret");
        }
    }
}
