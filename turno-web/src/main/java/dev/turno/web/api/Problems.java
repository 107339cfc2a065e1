package dev.turno.web.api;

import dev.turno.claim.ClaimLostException;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.claim.DatabaseRefusedException;
import dev.turno.inbox.MessageRefusedException;
import dev.turno.web.security.BodyTooLargeException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/**
 * Every error of Turno's routes as problem+json, with the sentence that tells the reader what to do. Errors of the application around
 * it are the application's, and its own advice does not change ours.
 */
@RestControllerAdvice("dev.turno")
@Order(Ordered.HIGHEST_PRECEDENCE)
class Problems extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unusable(IllegalArgumentException e) {
        return problem(HttpStatus.BAD_REQUEST, e.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unreadable(JacksonException e) {
        return tooLarge(e).orElseGet(() -> problem(HttpStatus.BAD_REQUEST, inWords(e)));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> tooLarge(BodyTooLargeException e) {
        return problem(HttpStatus.CONTENT_TOO_LARGE, e.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> refused(MessageRefusedException e) {
        return problem(HttpStatus.UNPROCESSABLE_CONTENT, e.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> refused(DatabaseRefusedException e) {
        LOG.warn("The database refused what a caller sent.", e);
        return problem(
                HttpStatus.UNPROCESSABLE_CONTENT, "The database cannot store or find this. Nothing was changed.");
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> lost(ClaimLostException e) {
        return problem(HttpStatus.CONFLICT, e.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> conflict(ConflictException e) {
        return problem(HttpStatus.CONFLICT, e.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> forbidden(ForbiddenException e) {
        return problem(HttpStatus.FORBIDDEN, e.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> tooMany(TooManyException e) {
        return ResponseEntity.status(HttpStatus.TOO_MANY_REQUESTS)
                .header(HttpHeaders.RETRY_AFTER, "1")
                .body(detail(HttpStatus.TOO_MANY_REQUESTS, e.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> notFound(NotFoundException e) {
        return problem(HttpStatus.NOT_FOUND, e.getMessage());
    }

    @ExceptionHandler({DatabaseAwayException.class, UnavailableException.class, DataAccessException.class})
    ResponseEntity<ProblemDetail> away(RuntimeException e) {
        LOG.warn("A request could not be served now: {}", e.toString());
        String detail = e instanceof UnavailableException
                ? String.valueOf(e.getMessage())
                : "The database could not be asked. It may have been done or not; ask again, with the same id.";
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, "1")
                .body(detail(HttpStatus.SERVICE_UNAVAILABLE, detail));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unexpected(Exception e) {
        LOG.error("A request failed unexpectedly.", e);
        return problem(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "Something unexpected happened; the server's log has the details. Look at the thing, then try again.");
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ResponseEntity<ProblemDetail> answer = tooLarge((Throwable) e)
                .orElseGet(() -> problem(
                        HttpStatus.BAD_REQUEST,
                        e.getCause() instanceof JacksonException cause
                                ? inWords(cause)
                                : "The body is missing or is not JSON as the API document describes it."));
        return ResponseEntity.status(answer.getStatusCode()).body(answer.getBody());
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            org.springframework.beans.TypeMismatchException e,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        String name = e instanceof MethodArgumentTypeMismatchException mismatch ? mismatch.getName() : "a value";
        Class<?> type = e.getRequiredType();
        String known =
                type != null && type.isEnum() ? " Use one of " + Arrays.toString(type.getEnumConstants()) + "." : "";
        return ResponseEntity.badRequest()
                .body(detail(HttpStatus.BAD_REQUEST, "'" + name + "' is not what the API document asks for." + known));
    }

    /** Of what Jackson says only what helps whoever wrote the body: it names our classes as well. */
    private static String inWords(JacksonException e) {
        if (e.getCause() instanceof IllegalArgumentException cause) {
            return String.valueOf(cause.getMessage());
        }
        if (e instanceof UnrecognizedPropertyException unknown) {
            return "There is no field '" + unknown.getPropertyName() + "' here; the fields are "
                    + new TreeSet<>(unknown.getKnownPropertyIds()) + ". Nothing was changed.";
        }
        String field = e.getPath().stream()
                .map(JacksonException.Reference::getPropertyName)
                .filter(Objects::nonNull)
                .collect(Collectors.joining("."));
        return field.isEmpty()
                ? "The body is not JSON as the API document describes it: " + e.getOriginalMessage()
                : "'" + field + "' is not what the API document asks for. Nothing was changed.";
    }

    private static Optional<ResponseEntity<ProblemDetail>> tooLarge(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof BodyTooLargeException) {
                return Optional.of(problem(HttpStatus.CONTENT_TOO_LARGE, cause.getMessage()));
            }
        }
        return Optional.empty();
    }

    private static ResponseEntity<ProblemDetail> problem(HttpStatus status, @Nullable String text) {
        return ResponseEntity.status(status).body(detail(status, text));
    }

    private static ProblemDetail detail(HttpStatus status, @Nullable String text) {
        return ProblemDetail.forStatusAndDetail(status, text == null ? status.getReasonPhrase() : text);
    }
}
