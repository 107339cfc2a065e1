package dev.turno.certification.authority;

import dev.turno.certification.wire.CertificationRequest;
import dev.turno.certification.wire.Wire;
import java.io.IOException;
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

/** A validator behind a URL: POST asks it, GET with the folio tells what became of a request. Shared by threads. */
public final class HttpAuthority implements CertificationAuthority.Outside {

    private static final int NOT_FOUND = 404;
    /** Answers by which a server says that it did not begin. Another 5xx can come from between us and a server that did. */
    private static final Set<Integer> NOT_BEGUN = Set.of(429, 503);

    private final URI url;
    private final Duration timeout;
    private final HttpClient client;

    public HttpAuthority(URI url, Duration timeout) {
        this.url = url;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
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
    public Asked recall(String folio) {
        URI one = URI.create(url + "/" + URLEncoder.encode(folio, StandardCharsets.UTF_8));
        HttpRequest get = HttpRequest.newBuilder(one)
                .timeout(timeout)
                .header("Accept", "application/json")
                .build();
        return send(get, true);
    }

    private Asked send(HttpRequest request, boolean recalling) {
        try {
            return read(client.send(request, HttpResponse.BodyHandlers.ofString()), recalling);
        } catch (ConnectException | HttpConnectTimeoutException e) {
            return notReached(recalling, e);
        } catch (IOException e) {
            return new Asked.Unknown("no answer: " + e.getClass().getSimpleName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Asked.Unknown("interrupted while waiting for the answer");
        }
    }

    /** What was asked before is no better known because nobody answers now. */
    private static Asked notReached(boolean recalling, IOException e) {
        String why = "the validator cannot be reached: " + e.getClass().getSimpleName();
        return recalling ? new Asked.Unknown(why) : new Asked.NotDone(why);
    }

    private static Asked read(HttpResponse<String> response, boolean recalling) {
        int status = response.statusCode();
        if (status / 100 == 2) {
            return Wire.readAnswer(response.body())
                    .<Asked>map(Asked.Answered::new)
                    .orElseGet(() -> new Asked.Unknown("the validator's answer is none of the contract"));
        }
        String why = "the validator answered " + status;
        if (recalling) {
            return status == NOT_FOUND ? new Asked.NotDone(why) : new Asked.Unknown(why);
        }
        return status / 100 == 4 || NOT_BEGUN.contains(status) ? new Asked.NotDone(why) : new Asked.Unknown(why);
    }
}
