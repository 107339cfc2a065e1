package dev.turno.harvester.oai;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Fetches answers within limits of size and time, and listens to a wish to stop while it waits. Shared by threads. */
final class Http {

    /** An answer; close its body. */
    record Answer(int status, HttpHeaders headers, Body body) {}

    private static final long LOOK_UP_MS = 100;

    private final OaiOptions options;
    private final HttpClient client;

    Http(OaiOptions options) {
        this.options = options;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .cookieHandler(new CookieManager()) // sources behind a balancer keep their tokens in a session
                .connectTimeout(options.connect())
                .build();
    }

    Answer get(URI uri, BooleanSupplier stop) throws OaiException, IOException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Accept-Encoding", "gzip")
                .header("Accept", "text/xml, application/xml, */*;q=0.1")
                .header("User-Agent", "Turno-Harvester/0.1 (OAI-PMH)")
                .timeout(options.most())
                .build();
        Filling filling = new Filling(new Body(options.wireBytes()));
        CompletableFuture<HttpResponse<Body>> coming = client.sendAsync(request, info -> filling);
        try {
            HttpResponse<Body> response = await(coming, filling, stop);
            return new Answer(response.statusCode(), response.headers(), response.body());
        } catch (IOException | OaiException | RuntimeException e) {
            coming.cancel(true);
            filling.cancel();
            throw e;
        }
    }

    private HttpResponse<Body> await(
            CompletableFuture<HttpResponse<Body>> coming, Filling filling, BooleanSupplier stop)
            throws OaiException, IOException {
        long start = System.nanoTime();
        while (true) {
            try {
                return coming.get(LOOK_UP_MS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                check(start, filling, stop);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw OaiException.stopped();
            }
        }
    }

    private void check(long start, Filling filling, BooleanSupplier stop) throws OaiException {
        long now = System.nanoTime();
        if (stop.getAsBoolean()) {
            throw OaiException.stopped();
        }
        if (now - filling.heardAt > options.silence().toNanos()) {
            throw OaiException.passing("The source sent nothing for " + options.silence() + ".");
        }
        if (now - start > options.most().toNanos()) {
            throw OaiException.passing("The source needed more than " + options.most() + " for one page.");
        }
    }

    /** Takes the body as it comes and notes when it last came. */
    private static final class Filling implements HttpResponse.BodySubscriber<Body> {

        private final Body body;
        private final CompletableFuture<Body> result = new CompletableFuture<>();
        private volatile long heardAt = System.nanoTime();
        private volatile Flow.@Nullable Subscription subscription;

        Filling(Body body) {
            this.body = body;
        }

        @Override
        public CompletionStage<Body> getBody() {
            return result;
        }

        @Override
        public void onSubscribe(Flow.Subscription mine) {
            subscription = mine;
            mine.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> parts) {
            heardAt = System.nanoTime();
            try {
                for (ByteBuffer part : parts) {
                    body.add(part);
                }
            } catch (IOException e) {
                cancel();
                result.completeExceptionally(e);
            }
        }

        @Override
        public void onError(Throwable thrown) {
            result.completeExceptionally(thrown);
            body.close();
        }

        @Override
        public void onComplete() {
            try {
                body.complete();
                result.complete(body);
            } catch (IOException e) {
                result.completeExceptionally(e);
            }
        }

        void cancel() {
            Flow.Subscription known = subscription;
            if (known != null) {
                known.cancel();
            }
            body.close();
        }
    }
}
