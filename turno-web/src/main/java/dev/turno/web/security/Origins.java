package dev.turno.web.security;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** Where a browser says that a request comes from. */
final class Origins {

    private Origins() {}

    /** True if a page of another site sent it. Programs say nothing about it, and are not meant. */
    static boolean isForeign(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return true;
        }
        String origin = request.getHeader("Origin");
        return origin != null && !isOwn(origin, request);
    }

    /** True if a browser vouches that a page of this site sent it. */
    static boolean isOwn(HttpServletRequest request) {
        boolean vouched =
                "same-origin".equals(request.getHeader("Sec-Fetch-Site")) || request.getHeader("Origin") != null;
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
