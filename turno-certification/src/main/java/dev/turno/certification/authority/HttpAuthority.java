package dev.turno.certification.authority;

import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.CertificationRequest;
import dev.turno.certification.wire.Wire;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A validator behind a URL: POST asks it, GET with the folio tells what became of a request. Shared by threads. */
public final class HttpAuthority implements CertificationAuthority.Outside {

    private static final int NOT_FOUND = 404;
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(100);
    /** Answers that a server may also give after it began: too slow, and there already. */
    private static final Set<Integer> DOUBTFUL = Set.of(408, 409);
    /** Answers by which a server says that it did not begin. Another 5xx can come from between us and a server that did. */
    private static final Set<Integer> NOT_BEGUN = Set.of(429, 503);
    /** Codes that tell the caller to come back: in attention, in flight, not now, unknown, a general error. They decide nothing. */
    private static final Set<String> UNDECIDED = Set.of("532", "901", "903", "905", "906", "999");

    private static final int LONGEST_ANSWER = 65_536;

    private final URI url;
    private final Duration timeout;
    private final HttpClient client;

    /** @throws IllegalArgumentException if nobody could be asked there */
    public HttpAuthority(URI url, Duration timeout) {
        requireUsable(url, timeout);
        this.url = url;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout.dividedBy(2))
                .build();
    }

    /** A URL that cannot be called would be noticed only after a request was marked as sent. */
    private static void requireUsable(URI url, Duration timeout) {
        boolean http = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!http || url.getHost() == null || url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new IllegalArgumentException("turno.certification.authority.url is '" + url
                    + "'; use http:// or https://, a host and a path, without a query: the folio is put after it.");
        }
        if (timeout.compareTo(SHORTEST_TIMEOUT) < 0) {
            throw new IllegalArgumentException("turno.certification.authority.timeout is " + timeout + "; use "
                    + SHORTEST_TIMEOUT + " or longer.");
        }
    }

    @Override
    public Asked ask(CertificationRequest request, String key) {
        HttpRequest post = HttpRequest.newBuilder(url)
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(Wire.write(request)))
                .build();
        return send(post, false);
    }

    @Override
    public Asked recall(String folio, String key) {
        URI one = URI.create(
                url.toString().replaceFirst("/$", "") + "/" + URLEncoder.encode(folio, StandardCharsets.UTF_8));
        HttpRequest get = HttpRequest.newBuilder(one)
                .timeout(timeout)
                .header("Accept", "application/json")
                .header("Idempotency-Key", key)
                .build();
        return send(get, true);
    }

    /** The timeout of a request ends with the first byte of its answer; here the last one has to be there in time. */
    private Asked send(HttpRequest request, boolean recalling) {
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request, answered -> new LimitedText(LONGEST_ANSWER));
        try {
            return read(answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS), recalling);
        } catch (ExecutionException e) {
            return failed(e.getCause(), recalling);
        } catch (TimeoutException e) {
            return new Asked.Unknown("no whole answer within " + timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Asked.Unknown("interrupted while waiting for the answer");
        } finally {
            boolean unused = answer.cancel(true);
        }
    }

    private static Asked failed(@Nullable Throwable why, boolean recalling) {
        boolean notReached = why instanceof ConnectException || why instanceof HttpConnectTimeoutException;
        String name = why == null ? "" : why.getClass().getSimpleName();
        return notReached ? notReached(recalling, name) : new Asked.Unknown("no answer: " + name);
    }

    /** What was asked before is no better known because nobody answers now. */
    private static Asked notReached(boolean recalling, String name) {
        String why = "the validator cannot be reached: " + name;
        return recalling ? new Asked.Unknown(why) : new Asked.NotDone(why);
    }

    /** What was not decided must not be kept as the answer: every repetition would get it for days. */
    private static Asked decided(Answer answer) {
        return UNDECIDED.contains(answer.diagnosis())
                ? new Asked.Unknown("the validator answered " + answer.diagnosis() + ", which decides nothing")
                : new Asked.Answered(answer);
    }

    private static Asked read(HttpResponse<String> response, boolean recalling) {
        int status = response.statusCode();
        if (status / 100 == 2) {
            return Wire.readAnswer(response.body())
                    .map(HttpAuthority::decided)
                    .orElseGet(() -> new Asked.Unknown("the validator's answer is none of the contract"));
        }
        String why = "the validator answered " + status;
        if (recalling) {
            return status == NOT_FOUND ? new Asked.NotDone(why) : new Asked.Unknown(why);
        }
        boolean refused = (status / 100 == 4 && !DOUBTFUL.contains(status)) || NOT_BEGUN.contains(status);
        return refused ? new Asked.NotDone(why) : new Asked.Unknown(why);
    }
}
