package dev.turno.web.security;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** One request's entry in the audit. Controllers may take it as a parameter and say more. Belongs to one request. */
public final class AuditNote {

    private static final Logger LOG = LoggerFactory.getLogger(AuditNote.class);
    static final String ATTRIBUTE = AuditNote.class.getName();
    private static final String REASON = "Turno-Reason";
    private static final String ENCODED = "UTF-8''";

    private final Audit audit;
    private final HttpServletRequest request;
    private final Caller caller;
    private Optional<Long> entry = Optional.empty();
    private @Nullable String why;
    private @Nullable String details;

    AuditNote(Audit audit, HttpServletRequest request, Caller caller) {
        this.audit = audit;
        this.request = request;
        this.caller = caller;
        this.why = text(request.getHeader(REASON));
    }

    /** Headers carry no more than Latin-1, so other scripts come as RFC 8187 writes them. */
    private static @Nullable String text(@Nullable String header) {
        if (header == null || !header.startsWith(ENCODED)) {
            return header;
        }
        try {
            return URLDecoder.decode(header.substring(ENCODED.length()), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return header; // somebody's own text that begins so
        }
    }

    /**
     * @throws IllegalStateException if the request came by a route that is open to all
     */
    public static AuditNote of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof AuditNote note) {
            return note;
        }
        throw new IllegalStateException("Nobody signed this request: its route is open to all.");
    }

    /**
     * Says that a change is about to be made. The filter does it for routes of operators and admins; elsewhere the controller does,
     * before it changes what the traffic alone would not.
     */
    public void begin() {
        if (entry.isEmpty()) {
            String query = request.getQueryString();
            String action = request.getMethod() + " " + request.getRequestURI() + (query == null ? "" : "?" + query);
            entry = Optional.of(audit.begin(caller, Addresses.of(request), action, Optional.ofNullable(why)));
        }
    }

    /** True if whoever asks said why. */
    public boolean hasReason() {
        return why != null && !why.isBlank();
    }

    /** The reason that stands in the request itself; one in the header goes before it. */
    public void because(String reason) {
        why = why == null || why.isBlank() ? reason : why;
    }

    /** What exactly is changed. Never a secret. */
    public void about(String changed) {
        details = changed;
    }

    /** The change is made or refused by now: if this cannot be written, that must not be taken back. */
    void end(int status) {
        try {
            entry.ifPresent(id -> audit.end(id, status, Optional.ofNullable(why), Optional.ofNullable(details)));
        } catch (DataAccessException e) {
            LOG.warn(
                    "The end of entry {} of the audit, status {}, could not be written: {}",
                    entry,
                    status,
                    e.toString());
        }
    }
}
