package dev.turno.web.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.PathContainer;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** The one filter before every route. Shared by threads. */
public final class SecurityFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(SecurityFilter.class);
    private static final Set<String> READS = Set.of("GET", "HEAD");

    /** What the filter is to see to, from the properties. */
    public record Rules(
            List<String> guarded,
            List<String> open,
            List<String> readable,
            long maxBody,
            int rate,
            String contentPolicy) {}

    private final Rules rules;
    private final List<PathPattern> guarded;
    private final List<PathPattern> open;
    private final List<PathPattern> readable;
    private final Tokens tokens;
    private final List<Credentials> credentials;
    private final Audit audit;
    private final Routes routes;
    private final LockOut lockOut = new LockOut(System::nanoTime);
    private final Rates rates;

    public SecurityFilter(Rules rules, Tokens tokens, List<Credentials> credentials, Audit audit, Routes routes) {
        this.rules = rules;
        this.guarded = patterns(rules.guarded());
        this.open = patterns(rules.open());
        this.readable = patterns(rules.readable());
        this.tokens = tokens;
        this.credentials = List.copyOf(credentials);
        this.audit = audit;
        this.routes = routes;
        this.rates = new Rates(rules.rate(), System::nanoTime);
    }

    private static List<PathPattern> patterns(List<String> texts) {
        return texts.stream().map(PathPatternParser.defaultInstance::parse).toList();
    }

    private static boolean matches(List<PathPattern> patterns, PathContainer path) {
        return patterns.stream().anyMatch(pattern -> pattern.matches(path));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        PathContainer path = ServletRequestPathUtils.parseAndCache(request).pathWithinApplication();
        // Who narrows the guard means routes of the application's own: one that says for whom it is stays guarded.
        Optional<Route> route = routes.route(request);
        if (!matches(guarded, path) && route.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        setHeaders(response);
        try {
            guard(request, response, chain, path, route);
        } catch (DataAccessException | CredentialsAwayException e) {
            LOG.warn("Nobody can be let in now: {}", e.toString());
            response.setHeader("Retry-After", "1");
            Problem.write(
                    response,
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "It cannot be told now who you are, or written down what you do. Nothing was changed; ask again in a moment.");
        }
    }

    private void guard(
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            PathContainer path,
            Optional<Route> route)
            throws ServletException, IOException {
        if (request.getContentLengthLong() > rules.maxBody()) {
            Problem.write(response, HttpStatus.CONTENT_TOO_LARGE, BodyTooLargeException.words(rules.maxBody()));
            return;
        }
        LimitedRequest limited = new LimitedRequest(request, rules.maxBody());
        if (isOpen(request, path, route)) {
            pass(limited, response, chain, "address " + Addresses.of(request));
            return;
        }
        Optional<Caller> caller = authenticated(limited, response);
        if (caller.isPresent()) {
            authorised(limited, response, chain, caller.get(), needed(limited, path, route));
        }
    }

    private void setHeaders(HttpServletResponse response) {
        response.setHeader("Content-Security-Policy", rules.contentPolicy());
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        response.setHeader("Cache-Control", "no-store");
    }

    private boolean isOpen(HttpServletRequest request, PathContainer path, Optional<Route> route) {
        return route.filter(Route::open).isPresent() || (READS.contains(request.getMethod()) && matches(open, path));
    }

    /** Empty: the answer is written. */
    private Optional<Caller> authenticated(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Optional<Presented> presented = Presented.of(request);
        if (presented.isEmpty()) {
            unauthorised(
                    response,
                    "Send a token: 'Authorization: Bearer ...'. An admin makes one with 'turno token create'.");
            return Optional.empty();
        }
        Optional<Caller> caller = recognised(presented.get().text());
        if (caller.isEmpty()) {
            refuse(Addresses.of(request), response);
            return Optional.empty();
        }
        if (!READS.contains(request.getMethod()) && !isFromHere(request, presented.get())) {
            Problem.write(
                    response,
                    HttpStatus.FORBIDDEN,
                    "A page of another site sent this request. Nothing was changed. Use Turno's own page, or a program.");
            return Optional.empty();
        }
        BooleanSupplier stillGood = () -> recognised(presented.get().text()).isPresent();
        request.setAttribute(Caller.GOOD, stillGood);
        return caller;
    }

    private void refuse(String address, HttpServletResponse response) throws IOException {
        if (lockOut.failed(address)) {
            response.setHeader("Retry-After", Long.toString(LockOut.WAIT.toSeconds()));
            Problem.write(
                    response,
                    HttpStatus.TOO_MANY_REQUESTS,
                    "Too many wrong tokens came from this address. Wait a minute, then use one that is valid.");
            return;
        }
        LOG.warn("A wrong, expired or revoked token came from {}.", address);
        unauthorised(response, "This token is not known, was revoked, or has expired. Ask an admin for another one.");
    }

    /** A cookie is sent by the browser by itself, so its request must come from one of our pages; a program has its own header. */
    private static boolean isFromHere(HttpServletRequest request, Presented presented) {
        return presented.byHeader() ? !Origins.isForeign(request) : Origins.isOwn(request);
    }

    private Optional<Caller> recognised(String presented) {
        return tokens.recognise(presented)
                .or(() -> credentials.stream()
                        .flatMap(other -> other.recognise(presented).stream())
                        .findFirst());
    }

    private static void unauthorised(HttpServletResponse response, String detail) throws IOException {
        response.setHeader("WWW-Authenticate", "Bearer realm=\"turno\"");
        Problem.write(response, HttpStatus.UNAUTHORIZED, detail);
    }

    /** What has no annotation is for admins alone, except files, and what was said to be readable. */
    private Role needed(HttpServletRequest request, PathContainer path, Optional<Route> route) {
        if (route.isPresent()) {
            return route.get().role();
        }
        boolean isRead = READS.contains(request.getMethod());
        return isRead && (matches(readable, path) || routes.isFile(request)) ? Role.VIEWER : Role.ADMIN;
    }

    private void authorised(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain, Caller caller, Role needed)
            throws ServletException, IOException {
        if (!caller.role().covers(needed)) {
            Problem.write(
                    response,
                    HttpStatus.FORBIDDEN,
                    "This needs the role " + needed.text() + "; the token '" + caller.name() + "' has the role "
                            + caller.role().text() + ".");
            return;
        }
        request.setAttribute(Caller.ATTRIBUTE, caller);
        AuditNote note = new AuditNote(audit, request, caller);
        request.setAttribute(AuditNote.ATTRIBUTE, note);
        if (!READS.contains(request.getMethod()) && (needed == Role.OPERATOR || needed == Role.ADMIN)) {
            note.begin();
        }
        int status = HttpStatus.INTERNAL_SERVER_ERROR.value();
        try {
            pass(request, response, chain, "token " + caller.name());
            status = response.getStatus();
        } finally {
            note.end(status);
        }
    }

    private void pass(HttpServletRequest request, HttpServletResponse response, FilterChain chain, String who)
            throws ServletException, IOException {
        if (rates.allow(who)) {
            chain.doFilter(request, response);
            return;
        }
        response.setHeader("Retry-After", "1");
        Problem.write(
                response,
                HttpStatus.TOO_MANY_REQUESTS,
                "More than " + rules.rate()
                        + " requests in a second (turno.web.rate). Nothing was changed; wait a second.");
    }
}
