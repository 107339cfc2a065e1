package dev.turno.web.security;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** Where a browser says that a request comes from. */
final class Origins {

    private static final String SAME_ORIGIN = "same-origin";

    private Origins() {}

    /** True if a page of another site sent it. Programs say nothing about it, and are not meant. */
    static boolean isForeign(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        // No page can set this header, and the browser knows what it asked for: behind a proxy with TLS we do not,
        // since our own
        // scheme and port are not those that it shows to people.
        if (SAME_ORIGIN.equals(site)) {
            return false;
        }
        if (site != null && !site.equals("none")) {
            return true;
        }
        String origin = request.getHeader("Origin");
        return origin != null && !isOwn(origin, request);
    }

    /** True if a browser vouches that a page of this site sent it. */
    static boolean isOwn(HttpServletRequest request) {
        boolean vouched =
                SAME_ORIGIN.equals(request.getHeader("Sec-Fetch-Site")) || request.getHeader("Origin") != null;
        return vouched && !isForeign(request);
    }

    private static boolean isOwn(String origin, HttpServletRequest request) {
        try {
            URI uri = new URI(origin);
            return uri.getScheme() != null
                    && uri.getHost() != null
                    && uri.getScheme().equalsIgnoreCase(request.getScheme())
                    && uri.getHost()
                            .toLowerCase(Locale.ROOT)
                            .equals(request.getServerName().toLowerCase(Locale.ROOT))
                    && port(uri) == request.getServerPort();
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static int port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return uri.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    }
}
