package dev.turno.web.security;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/** Sign-ins of people with a browser: a token of its own in a cookie that no script can read. Shared by threads. */
public final class Sessions {

    static final String COOKIE = "turno_session";
    private static final Duration LASTS = Duration.ofHours(12);

    private final Tokens tokens;

    public Sessions(Tokens tokens) {
        this.tokens = tokens;
    }

    public void begin(HttpServletRequest request, HttpServletResponse response) {
        String token = tokens.createSession(Caller.of(request), LASTS);
        setCookie(request, response, token, LASTS);
    }

    public void end(HttpServletRequest request, HttpServletResponse response) {
        cookie(request).ifPresent(tokens::revoke);
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

    static Optional<String> cookie(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        return cookies == null
                ? Optional.empty()
                : Arrays.stream(cookies)
                        .filter(cookie -> cookie.getName().equals(COOKIE))
                        .map(Cookie::getValue)
                        .findFirst();
    }
}
