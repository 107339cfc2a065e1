package dev.turno.server.webhook;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Where a handler lives.
 *
 * @param timeout for one post as a whole, from the name's look-up to the end of the answer
 * @param previous the secret before this one, while receivers may still use it
 */
public record Webhook(URI url, Duration timeout, Secret secret, Optional<Secret> previous) {

    static final Duration USUAL_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(5);
    private static final int LONGEST_URL = 2_000;

    public Webhook {
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("The webhook's timeout is " + timeout
                    + "; use more than zero, up to 5 minutes. Nothing was changed.");
        }
    }

    /** @throws IllegalArgumentException if it is not the kind of address that may be posted to; names are not looked up here */
    static URI url(String text) {
        try {
            URI url = new URI(text);
            String scheme = Optional.ofNullable(url.getScheme()).orElse("").toLowerCase(Locale.ROOT);
            if (text.length() <= LONGEST_URL
                    && (scheme.equals("https") || scheme.equals("http"))
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawFragment() == null
                    && url.getPort() != 0
                    && url.getPort() <= 65_535) {
                return url;
            }
        } catch (URISyntaxException e) {
            // Told below, without the text: it may hold a password.
        }
        throw new IllegalArgumentException("The webhook's url is unusable: write http(s)://host[:port]/path, at most "
                + LONGEST_URL + " characters, without user, password and fragment. Nothing was changed.");
    }

    List<Secret> secrets() {
        return previous.map(old -> List.of(secret, old)).orElse(List.of(secret));
    }

    /** Who receives, for people; the path may be a secret of the receiver's. */
    String receiver() {
        return url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
    }

    @Override
    public String toString() {
        return "webhook to " + receiver();
    }
}
