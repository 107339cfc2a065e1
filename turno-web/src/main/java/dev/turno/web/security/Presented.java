package dev.turno.web.security;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a request presents as its credential.
 *
 * @param byHeader a program sent it of its own will; false: a browser's cookie
 */
record Presented(String text, boolean byHeader) {

    private static final String BEARER = "bearer ";

    static Optional<Presented> of(HttpServletRequest request) {
        return bearer(request).or(() -> cookie(request));
    }

    private static Optional<Presented> bearer(HttpServletRequest request) {
        String header = request.getHeader("Authorization");
        return header != null && header.toLowerCase(Locale.ROOT).startsWith(BEARER)
                ? Optional.of(new Presented(header.substring(BEARER.length()).strip(), true))
                : Optional.empty();
    }

    private static Optional<Presented> cookie(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        return cookies == null
                ? Optional.empty()
                : Arrays.stream(cookies)
                        .filter(cookie -> cookie.getName().equals(Sessions.COOKIE))
                        .map(cookie -> new Presented(cookie.getValue(), false))
                        .findFirst();
    }

    @Override
    public String toString() {
        return byHeader ? "a token" : "a session";
    }
}
