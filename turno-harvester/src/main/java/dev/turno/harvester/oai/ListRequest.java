package dev.turno.harvester.oai;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A request for one page of records.
 *
 * @param token opaque; if there is one, nothing else is sent with it
 * @param prefixWithToken for sources that want the metadata prefix with the token too, against the protocol
 */
public record ListRequest(
        String baseUrl,
        String metadataPrefix,
        Optional<String> set,
        Optional<String> from,
        Optional<String> until,
        Optional<String> token,
        boolean prefixWithToken) {

    public static ListRequest all(String baseUrl, String metadataPrefix) {
        return new ListRequest(
                baseUrl, metadataPrefix, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);
    }

    public ListRequest after(String next) {
        return new ListRequest(baseUrl, metadataPrefix, set, from, until, Optional.of(next), prefixWithToken);
    }

    URI uri() {
        StringBuilder query = new StringBuilder("verb=ListRecords");
        if (token.isPresent()) {
            add(query, "resumptionToken", token);
            if (prefixWithToken) {
                add(query, "metadataPrefix", Optional.of(metadataPrefix));
            }
        } else {
            add(query, "metadataPrefix", Optional.of(metadataPrefix));
            add(query, "set", set);
            add(query, "from", from);
            add(query, "until", until);
        }
        return join(baseUrl, query.toString());
    }

    private static void add(StringBuilder query, String name, Optional<String> value) {
        value.ifPresent(text -> query.append('&').append(name).append('=').append(encode(text)));
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The base URL may have a query of its own. */
    static URI join(String baseUrl, String query) {
        String base = baseUrl.strip();
        int fragment = base.indexOf('#');
        if (fragment >= 0) {
            base = base.substring(0, fragment);
        }
        String glue = base.indexOf('?') < 0 ? "?" : base.endsWith("?") || base.endsWith("&") ? "" : "&";
        return URI.create(base + glue + query);
    }
}
