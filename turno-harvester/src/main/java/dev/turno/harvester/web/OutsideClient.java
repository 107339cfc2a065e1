package dev.turno.harvester.web;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * Asks the servers that records name, and only those of the public internet. Follows no redirect, keeps no cookie, unpacks nothing,
 * repeats nothing by itself. Shared by threads; owns a pool of connections and one thread that ends what takes too long.
 */
public final class OutsideClient implements AutoCloseable {

    /** What is made of an answer; what is left of it afterwards is not read. */
    @FunctionalInterface
    public interface Answered<T> {
        T by(ClassicHttpResponse response) throws IOException;
    }

    /**
     * How long to wait.
     *
     * @param silence while nothing comes
     * @param whole for the whole answer, however it drips
     */
    public record Patience(Duration silence, Duration whole) {}

    /** The host is one of this machine's neighbours. */
    public static final class NotAskedException extends UnknownHostException {
        NotAskedException(String message) {
            super(message);
        }
    }

    private static final Timeout CONNECT = Timeout.ofSeconds(10);
    private static final int CONNECTIONS = 200;

    private final CloseableHttpClient client;
    private final ScheduledThreadPoolExecutor deadlines;

    /** @param allowed hosts that may be asked although they are neighbours of this machine */
    public OutsideClient(Set<String> allowed) {
        this(allowed, InetAddress::getAllByName);
    }

    OutsideClient(Set<String> allowed, OwnNetwork.Names names) {
        this.client = HttpClients.custom()
                .setConnectionManager(connections(new OwnNetwork(allowed, names)))
                .setUserAgent("Turno-Harvester/0.1")
                .disableRedirectHandling()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .disableAutomaticRetries()
                .evictIdleConnections(TimeValue.ofSeconds(30))
                .build();
        this.deadlines = new ScheduledThreadPoolExecutor(1, OutsideClient::deadlineThread);
        this.deadlines.setRemoveOnCancelPolicy(true);
    }

    private static Thread deadlineThread(Runnable work) {
        Thread thread = new Thread(work, "turno-harvester-deadlines");
        thread.setDaemon(true);
        return thread;
    }

    private static PoolingHttpClientConnectionManager connections(OwnNetwork guard) {
        return PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(guard)
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(CONNECT)
                        // A connection is to the address that was right when it was made; so it does not live for long.
                        .setTimeToLive(TimeValue.ofMinutes(1))
                        .build())
                .setMaxConnPerRoute(CONNECTIONS)
                .setMaxConnTotal(CONNECTIONS)
                .build();
    }

    /**
     * Sends a request without a body.
     *
     * @throws NotAskedException if the host is a neighbour; nothing was sent
     * @throws IOException if there was no answer, or not all of it in time
     * @throws IllegalArgumentException if this is not an address of the web
     */
    public <T> T ask(String method, URI uri, Map<String, String> headers, Patience patience, Answered<T> answered)
            throws IOException {
        requireWeb(uri);
        HttpUriRequestBase request = new HttpUriRequestBase(method, uri);
        request.setConfig(RequestConfig.custom()
                .setConnectionRequestTimeout(Timeout.of(patience.silence()))
                .setResponseTimeout(Timeout.of(patience.silence()))
                .build());
        headers.forEach(request::setHeader);
        AtomicBoolean late = new AtomicBoolean();
        Runnable end = () -> {
            late.set(true);
            request.cancel();
        };
        ScheduledFuture<?> deadline = deadlines.schedule(end, patience.whole().toNanos(), TimeUnit.NANOSECONDS);
        try {
            return answered(uri, request, answered);
        } catch (IOException e) {
            if (late.get()) {
                throw new InterruptedIOException("not all of the answer came within " + patience.whole());
            }
            throw e;
        } finally {
            deadline.cancel(false);
        }
    }

    private <T> T answered(URI uri, HttpUriRequestBase request, Answered<T> answered) throws IOException {
        HttpHost host = new HttpHost(uri.getScheme(), uri.getHost(), uri.getPort());
        ClassicHttpResponse response = client.executeOpen(host, request, null);
        try {
            return answered.by(response);
        } finally {
            request.cancel(); // else closing would read the rest to its end, however far that is
            closeQuietly(response);
        }
    }

    private static void closeQuietly(ClassicHttpResponse response) {
        try {
            response.close();
        } catch (IOException e) {
            // Its connection is cut off already.
        }
    }

    private static void requireWeb(URI uri) {
        String scheme = String.valueOf(uri.getScheme());
        if ((!scheme.equalsIgnoreCase("http") && !scheme.equalsIgnoreCase("https")) || uri.getHost() == null) {
            throw new IllegalArgumentException("'" + uri + "' is not a URL of the web.");
        }
    }

    /** A header of an answer. */
    public static Optional<String> header(ClassicHttpResponse response, String name) {
        return Optional.ofNullable(response.getFirstHeader(name)).map(Header::getValue);
    }

    @Override
    public void close() {
        deadlines.shutdownNow();
        client.close(CloseMode.IMMEDIATE);
    }
}
