package dev.turno.server.webhook;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Posts to addresses that the {@link AddressGuard} let through. Follows no redirect, keeps no cookie, uses no proxy, unpacks nothing,
 * repeats nothing by itself. Shared by threads; owns a pool of connections and one thread that ends what takes too long.
 */
final class Sender implements AutoCloseable {

    /** What came back. {@code excerpt}: the beginning of the body. */
    record Answer(int status, Optional<Duration> retryAfter, String excerpt) {}

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(5);
    private static final int READ_AT_MOST = 16_384;
    private static final int EXCERPT = 500;
    private static final int CONNECTIONS = 2_000;

    private final CloseableHttpClient client;
    private final ScheduledThreadPoolExecutor deadlines;

    Sender(AddressGuard guard) {
        this.client = HttpClients.custom()
                .setConnectionManager(connections(guard))
                .setUserAgent("turno")
                .disableRedirectHandling()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .disableAutomaticRetries()
                .evictIdleConnections(TimeValue.ofSeconds(30))
                .build();
        this.deadlines = new ScheduledThreadPoolExecutor(1, Sender::deadlineThread);
        this.deadlines.setRemoveOnCancelPolicy(true);
    }

    private static Thread deadlineThread(Runnable work) {
        Thread thread = new Thread(work, "turno-webhook-deadlines");
        thread.setDaemon(true);
        return thread;
    }

    private static PoolingHttpClientConnectionManager connections(AddressGuard guard) {
        Http1Config limits = Http1Config.custom()
                .setMaxLineLength(8_192)
                .setMaxHeaderCount(100)
                .setMaxEmptyLineCount(10)
                .build();
        return PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(guard)
                .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                        .http1Config(limits)
                        .build())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(Timeout.of(LONGEST_CONNECT))
                        // A connection is to the address that was right when it was made; so it does not live for long.
                        .setTimeToLive(TimeValue.ofMinutes(1))
                        .setValidateAfterInactivity(TimeValue.ofMilliseconds(500))
                        .build())
                .setMaxConnPerRoute(CONNECTIONS)
                .setMaxConnTotal(CONNECTIONS)
                .build();
    }

    /** @throws IOException if there was no answer in time; nothing is known then about what the receiver did */
    Answer post(URI url, Map<String, String> headers, byte[] body, ContentType type, Duration timeout)
            throws IOException {
        HttpPost post = new HttpPost(url);
        post.setConfig(RequestConfig.custom()
                .setConnectionRequestTimeout(Timeout.of(timeout))
                .setResponseTimeout(
                        Timeout.of(timeout.multipliedBy(2))) // the deadline below comes first and tells more
                .build());
        headers.forEach(post::setHeader);
        post.setEntity(new ByteArrayEntity(body, type));
        ScheduledFuture<?> deadline = deadlines.schedule(post::cancel, timeout.toNanos(), TimeUnit.NANOSECONDS);
        HttpHost host = new HttpHost(url.getScheme(), url.getHost(), url.getPort());
        try {
            return answer(post, client.executeOpen(host, post, null));
        } catch (IOException e) {
            if (post.isCancelled()) {
                throw new InterruptedIOException("no answer within " + timeout);
            }
            throw e;
        } finally {
            deadline.cancel(false);
        }
    }

    /** The status is the answer; what follows is read as far as it helps, or lets the connection be used again. */
    private static Answer answer(HttpPost post, ClassicHttpResponse response) {
        String excerpt = "";
        try (response) {
            excerpt = excerpt(post, response.getEntity());
        } catch (IOException e) {
            // The answer ended early, or was cut short by us.
        }
        return new Answer(response.getCode(), retryAfter(response.getFirstHeader("Retry-After")), excerpt);
    }

    private static String excerpt(HttpPost post, @Nullable HttpEntity entity) throws IOException {
        if (entity == null) {
            return "";
        }
        byte[] read = entity.getContent().readNBytes(READ_AT_MOST);
        if (read.length == READ_AT_MOST) {
            post.cancel(); // else closing would read it to its end, however far that is
        }
        String text = new String(read, StandardCharsets.UTF_8);
        return text.substring(0, Math.min(EXCERPT, text.length()));
    }

    private static Optional<Duration> retryAfter(@Nullable Header header) {
        if (header == null) {
            return Optional.empty();
        }
        String text = header.getValue().strip();
        if (text.matches("[0-9]{1,9}")) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
        }
        try {
            Instant moment = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration wait = Duration.between(Instant.now(), moment);
            return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        deadlines.shutdownNow();
        client.close(CloseMode.IMMEDIATE);
    }
}
