package dev.turno.web.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.RequestPath;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** The one filter before every route. Shared by threads. */
public final class SecurityFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(SecurityFilter.class);
    private static final Set<String> READS = Set.of("GET", "HEAD");
    private static final String BEARER = "bearer ";
    private static final String REASON = "Turno-Reason";

    /** What the filter is to see to, from the properties. */
    public record Rules(List<String> guarded, List<String> open, long maxBody, int rate, String contentPolicy) {}

    private final Rules rules;
    private final List<PathPattern> guarded;
    private final List<PathPattern> open;
    private final Tokens tokens;
    private final List<Credentials> credentials;
    private final Audit audit;
    private final Supplier<RequestMappingHandlerMapping> routes;
    private final LockOut lockOut = new LockOut();
    private final Rates rates;

    public SecurityFilter(
            Rules rules,
            Tokens tokens,
            List<Credentials> credentials,
            Audit audit,
            Supplier<RequestMappingHandlerMapping> routes) {
        this.rules = rules;
        this.guarded = patterns(rules.guarded());
        this.open = patterns(rules.open());
        this.tokens = tokens;
        this.credentials = List.copyOf(credentials);
        this.audit = audit;
        this.routes = routes;
        this.rates = new Rates(rules.rate());
    }

    private static List<PathPattern> patterns(List<String> texts) {
        return texts.stream().map(PathPatternParser.defaultInstance::parse).toList();
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        RequestPath path = ServletRequestPathUtils.parseAndCache(request);
        if (guarded.stream().noneMatch(pattern -> pattern.matches(path.pathWithinApplication()))) {
            chain.doFilter(request, response);
            return;
        }
        setHeaders(response);
        try {
            guard(request, response, chain, path);
        } catch (DataAccessException e) {
            LOG.warn("Nobody can be let in now: {}", e.toString());
            response.setHeader("Retry-After", "1");
            Problem.write(
                    response,
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "The database could not be asked who you are. Nothing was changed; ask again in a moment.");
        }
    }

    private void guard(HttpServletRequest request, HttpServletResponse response, FilterChain chain, RequestPath path)
            throws ServletException, IOException {
        if (request.getContentLengthLong() > rules.maxBody()) {
            Problem.write(response, HttpStatus.CONTENT_TOO_LARGE, BodyTooLargeException.words(rules.maxBody()));
            return;
        }
        LimitedRequest limited = new LimitedRequest(request, rules.maxBody());
        Optional<Route> route = route(limited);
        if (isOpen(request, path, route)) {
            pass(limited, response, chain, "address " + request.getRemoteAddr());
            return;
        }
        Optional<Caller> caller = authenticated(request, response);
        if (caller.isPresent()) {
            authorised(limited, response, chain, caller.get(), route);
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

    private boolean isOpen(HttpServletRequest request, RequestPath path, Optional<Route> route) {
        return route.filter(Route::open).isPresent()
                || (READS.contains(request.getMethod())
                        && open.stream().anyMatch(pattern -> pattern.matches(path.pathWithinApplication())));
    }

    /** What the route says about itself; empty: no such route, or one that says nothing. */
    private Optional<Route> route(HttpServletRequest request) {
        return handler(request).map(method -> method.getMethodAnnotation(Route.class));
    }

    private Optional<HandlerMethod> handler(HttpServletRequest request) {
        try {
            HandlerExecutionChain chain = routes.get().getHandler(request);
            return chain != null && chain.getHandler() instanceof HandlerMethod method
                    ? Optional.of(method)
                    : Optional.empty();
        } catch (Exception e) {
            // No such method, or nothing that it could read or answer. Spring will say so itself, to those who may hear
            // it.
            return Optional.empty();
        }
    }

    /** Empty: the answer is written. */
    private Optional<Caller> authenticated(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Optional<String> bearer = bearer(request);
        Optional<String> presented = bearer.or(() -> Sessions.cookie(request));
        if (presented.isEmpty()) {
            unauthorised(
                    response,
                    "Send a token: 'Authorization: Bearer ...'. An admin makes one with 'turno token create'.");
            return Optional.empty();
        }
        String address = request.getRemoteAddr();
        if (lockOut.isLockedOut(address) && !tokens.isRemembered(presented.get())) {
            response.setHeader("Retry-After", Long.toString(LockOut.WAIT.toSeconds()));
            Problem.write(
                    response,
                    HttpStatus.TOO_MANY_REQUESTS,
                    "Too many wrong tokens came from this address. Wait a minute, then use one that is valid.");
            return Optional.empty();
        }
        Optional<Caller> caller = recognised(presented.get());
        if (caller.isEmpty()) {
            lockOut.failed(address);
            LOG.warn("A wrong, expired or revoked token came from {}.", address);
            unauthorised(
                    response, "This token is not known, was revoked, or has expired. Ask an admin for another one.");
            return Optional.empty();
        }
        if (!READS.contains(request.getMethod()) && !isFromHere(request, bearer.isPresent())) {
            Problem.write(
                    response,
                    HttpStatus.FORBIDDEN,
                    "A page of another site sent this request. Nothing was changed. Use Turno's own page, or a program.");
            return Optional.empty();
        }
        return caller;
    }

    /** A cookie is sent by the browser by itself, so its request must come from one of our pages; a program has its own header. */
    private static boolean isFromHere(HttpServletRequest request, boolean byHeader) {
        return byHeader ? !Origins.isForeign(request) : Origins.isOwn(request);
    }

    private static Optional<String> bearer(HttpServletRequest request) {
        String header = request.getHeader("Authorization");
        return header != null && header.toLowerCase(Locale.ROOT).startsWith(BEARER)
                ? Optional.of(header.substring(BEARER.length()).strip())
                : Optional.empty();
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

    private void authorised(
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            Caller caller,
            Optional<Route> route)
            throws ServletException, IOException {
        Role needed = needed(request, route);
        if (!caller.role().covers(needed)) {
            Problem.write(
                    response,
                    HttpStatus.FORBIDDEN,
                    "This needs the role " + needed.text() + "; the token '" + caller.name() + "' has the role "
                            + caller.role().text() + ".");
            return;
        }
        request.setAttribute(Caller.ATTRIBUTE, caller);
        if (!READS.contains(request.getMethod()) && (needed == Role.OPERATOR || needed == Role.ADMIN)) {
            audited(request, response, chain, caller);
        } else {
            pass(request, response, chain, "token " + caller.name());
        }
    }

    /** Pages and health are for whoever reads; what else has no annotation is for admins alone. */
    private Role needed(HttpServletRequest request, Optional<Route> route) {
        if (route.isPresent()) {
            return route.get().role();
        }
        boolean isRead = READS.contains(request.getMethod());
        return isRead && handler(request).isEmpty() ? Role.VIEWER : Role.ADMIN;
    }

    private void audited(HttpServletRequest request, HttpServletResponse response, FilterChain chain, Caller caller)
            throws ServletException, IOException {
        String query = request.getQueryString();
        String action = request.getMethod() + " " + request.getRequestURI() + (query == null ? "" : "?" + query);
        long entry = audit.begin(caller, request.getRemoteAddr(), action, why(request));
        int status = HttpStatus.INTERNAL_SERVER_ERROR.value();
        try {
            pass(request, response, chain, "token " + caller.name());
            status = response.getStatus();
        } finally {
            audit.end(entry, status);
        }
    }

    private static Optional<String> why(HttpServletRequest request) {
        @Nullable String reason = request.getHeader(REASON);
        return Optional.ofNullable(reason).filter(text -> !text.isBlank());
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
