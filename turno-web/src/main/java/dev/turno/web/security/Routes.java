package dev.turno.web.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.ParameterizableViewController;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/**
 * What would answer a request, as Spring's own tables say. Shared by threads.
 *
 * @param methods the table of the annotated controllers
 * @param all every table, in the order in which Spring asks them
 */
public record Routes(Supplier<? extends HandlerMapping> methods, Supplier<List<HandlerMapping>> all) {

    private static final String SPRINGS_SERVLET = "dispatcherServlet";

    /** The method of a controller; empty: no such route, or something else answers. */
    Optional<HandlerMethod> method(HttpServletRequest request) {
        return handler(methods.get(), request)
                .filter(HandlerMethod.class::isInstance)
                .map(HandlerMethod.class::cast);
    }

    /** What the route says about itself; empty: no such route, or one that says nothing. */
    Optional<Route> route(HttpServletRequest request) {
        return method(request).map(method -> method.getMethodAnnotation(Route.class));
    }

    /** True if a file or page would be sent, or nothing is there; false for a program: a controller, the actuator, a servlet. */
    boolean isFile(HttpServletRequest request) {
        return SPRINGS_SERVLET.equals(request.getHttpServletMapping().getServletName())
                && all.get().stream()
                        .flatMap(table -> handler(table, request).stream())
                        .findFirst()
                        .map(handler -> handler instanceof ResourceHttpRequestHandler
                                || handler instanceof ParameterizableViewController)
                        .orElse(true);
    }

    private static Optional<Object> handler(HandlerMapping table, HttpServletRequest request) {
        try {
            return Optional.ofNullable(table.getHandler(request)).map(HandlerExecutionChain::getHandler);
        } catch (Exception e) {
            // No such method, or nothing that it could read or answer. Spring says so itself, to those who may hear it.
            return Optional.empty();
        }
    }
}
