package dev.turno.web.security;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;

/** Where a request comes from. */
final class Addresses {

    private Addresses() {}

    /**
     * As the server itself sees it. A wrapper may show what stands first in X-Forwarded-For, which is what the sender chose to
     * write there; the server's own reading of that header (server.forward-headers-strategy=native) trusts only known proxies.
     */
    static String of(ServletRequest request) {
        ServletRequest innermost = request;
        while (innermost instanceof ServletRequestWrapper wrapper) {
            innermost = wrapper.getRequest();
        }
        return innermost.getRemoteAddr();
    }
}
