package dev.turno.web.api;

import dev.turno.web.security.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** What goes wrong under the API's paths before any controller is found: no such path, method or type. Also as problem+json. */
final class NoRoute implements HandlerExceptionResolver, Ordered {

    private static final String API = "/api/v1/";

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception e) {
        boolean ours = request.getRequestURI().startsWith(request.getContextPath() + API);
        if (!ours || handler instanceof HandlerMethod || !(e instanceof ErrorResponse error)) {
            return null;
        }
        HttpStatus status = HttpStatus.valueOf(error.getStatusCode().value());
        error.getHeaders().forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
        try {
            String detail = status == HttpStatus.NOT_FOUND
                    ? "There is nothing at " + request.getRequestURI() + "."
                    : error.getBody().getDetail();
            Problem.write(
                    response,
                    status,
                    (detail == null ? status.getReasonPhrase() + "." : detail) + " The API's document is " + API
                            + "openapi.json.");
        } catch (IOException gone) {
            // Nobody is there any more to be told.
        }
        return new ModelAndView();
    }

    /** Before Spring's own, which answers without words. */
    @Override
    public int getOrder() {
        return -1;
    }
}
