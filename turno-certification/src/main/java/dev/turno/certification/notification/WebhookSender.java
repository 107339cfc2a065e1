package dev.turno.certification.notification;

import dev.turno.claim.Result;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Posts notifications to a URL, signed as Standard Webhooks are. Shared by threads. */
public final class WebhookSender implements NotificationSender {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String PREFIX = "whsec_";
    private static final int GONE = 410;

    private final URI url;
    private final byte[] secret;
    private final Duration timeout;
    private final HttpClient client;

    /** @param secret any text, or {@code whsec_} and Base64 */
    public WebhookSender(URI url, String secret) {
        this(url, secret, TIMEOUT);
    }

    WebhookSender(URI url, String secret, Duration timeout) {
        if (secret.isEmpty()) {
            throw new IllegalArgumentException("There is a URL for notifications and no secret to sign them with; set"
                    + " turno.certification.notification.secret.");
        }
        boolean http = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!http || url.getHost() == null) {
            throw new IllegalArgumentException("turno.certification.notification.url is '" + url
                    + "'; use http:// or https://, a host and a path.");
        }
        this.url = url;
        this.secret = key(secret);
        this.timeout = timeout;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
    }

    private static byte[] key(String secret) {
        try {
            byte[] key = secret.startsWith(PREFIX)
                    ? Base64.getDecoder().decode(secret.substring(PREFIX.length()))
                    : secret.getBytes(StandardCharsets.UTF_8);
            if (key.length > 0) {
                return key;
            }
        } catch (IllegalArgumentException e) {
            // Told below, without the secret.
        }
        throw new IllegalArgumentException("turno.certification.notification.secret begins with " + PREFIX
                + " and goes on without Base64; use any other text, or " + PREFIX + " and Base64.");
    }

    @Override
    public Result send(String id, String body) throws Exception {
        String timestamp = Long.toString(Instant.now().getEpochSecond());
        HttpRequest post = HttpRequest.newBuilder(url)
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("webhook-id", id)
                .header("webhook-timestamp", timestamp)
                .header("webhook-signature", "v1," + signature(id + "." + timestamp + "." + body))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        int status = statusOf(client.sendAsync(post, HttpResponse.BodyHandlers.discarding()));
        if (status / 100 == 2) {
            return Result.done();
        }
        String why = "The receiver answered " + status + ".";
        return status == GONE ? Result.reject(why) : Result.retry(why);
    }

    /** The timeout of a request ends with the first byte of its answer; a receiver may go on talking for ever. */
    private int statusOf(CompletableFuture<HttpResponse<Void>> answer) throws Exception {
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS).statusCode();
        } finally {
            boolean unused = answer.cancel(true);
        }
    }

    private String signature(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java has HmacSHA256, but not this one.", e);
        }
    }
}
