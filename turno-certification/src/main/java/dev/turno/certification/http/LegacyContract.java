package dev.turno.certification.http;

import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.Wire;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingResponseWrapper;

/**
 * Before everything else on the legacy path: what others refuse before the service sees it, because the database cannot be asked for
 * tokens, they come too often, the body is too large or something fails, is told in the contract's words too.
 */
public final class LegacyContract extends OncePerRequestFilter {

    public static final String PATH = CertificationController.LEGACY_PATH;
    private static final int FAILED = 500;
    private static final int UNAVAILABLE = 503;
    private static final int TOO_MANY = 429;
    private static final int TOO_LARGE = 413;

    private final Map<Situation, String> codes;

    public LegacyContract(Map<Situation, String> codes) {
        this.codes = codes;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        ContentCachingResponseWrapper held = new ContentCachingResponseWrapper(response);
        chain.doFilter(request, held);
        Optional<Situation> situation = situation(held.getStatus());
        if (situation.isPresent()) {
            tell(held, situation.get());
        }
        held.copyBodyToResponse();
    }

    private static Optional<Situation> situation(int status) {
        return switch (status) {
            case UNAVAILABLE, TOO_MANY -> Optional.of(Situation.UNAVAILABLE);
            case TOO_LARGE -> Optional.of(Situation.MALFORMED);
            case FAILED -> Optional.of(Situation.INTERNAL_ERROR);
            default -> Optional.empty();
        };
    }

    private void tell(ContentCachingResponseWrapper held, Situation situation) throws IOException {
        held.reset();
        held.setStatus(HttpServletResponse.SC_OK);
        held.setContentType(MediaType.APPLICATION_JSON_VALUE);
        if (situation == Situation.UNAVAILABLE) {
            held.setHeader("Retry-After", "5");
        }
        Answer answer = Answer.rejected(codes.getOrDefault(situation, situation.code()), "");
        held.getOutputStream().write(Wire.write(answer).getBytes(StandardCharsets.UTF_8));
    }
}
