package dev.turno.web.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.Instant;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/** Sign-ins of people with a browser: a token of its own in a cookie that no script can read. Shared by threads. */
public final class Sessions {

    static final String COOKIE = "turno_session";
    private static final Duration LONGEST = Duration.ofHours(12);

    private final Tokens tokens;

    public Sessions(Tokens tokens) {
        this.tokens = tokens;
    }

    /**
     * @throws IllegalArgumentException if the request was let in by a session: one that begins the next would never end
     */
    public void begin(HttpServletRequest request, HttpServletResponse response) {
        Presented with = Presented.of(request).orElseThrow();
        if (!with.byHeader() || Tokens.isSession(with.text())) {
            throw new IllegalArgumentException(
                    "A session cannot begin another one: it ends after " + LONGEST.toHours()
                            + " hours at most. Send the token itself, 'Authorization: Bearer ...'. The session that you have goes on.");
        }
        Caller caller = Caller.of(request);
        Duration lasts = lasts(caller, Instant.now());
        setCookie(request, response, tokens.createSession(caller, with.text(), lasts), lasts);
    }

    /** Nobody can ask about a credential of another's, such as an OpenID token, later: so the session ends when that says it does. */
    static Duration lasts(Caller caller, Instant now) {
        return caller.until()
                .map(until -> Duration.between(now, until))
                .filter(left -> left.compareTo(LONGEST) < 0)
                .map(left -> left.isNegative() ? Duration.ZERO : left)
                .orElse(LONGEST);
    }

    public void end(HttpServletRequest request, HttpServletResponse response) {
        Presented.of(request).filter(with -> !with.byHeader()).ifPresent(with -> tokens.revoke(with.text()));
        setCookie(request, response, "", Duration.ZERO);
    }

    private static void setCookie(
            HttpServletRequest request, HttpServletResponse response, String value, Duration lasts) {
        ResponseCookie cookie = ResponseCookie.from(COOKIE, value)
                .httpOnly(true)
                .sameSite("Strict")
                .secure(request.isSecure())
                .path(request.getContextPath() + "/")
                .maxAge(lasts)
                .build();
        response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
    }
}
