package dev.turno.web.api;

import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.ValueConstants;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.json.JsonMapper;

/** The API's own document, drawn from the routes themselves: what other modules contribute stands in it too. */
@RestController
@RequestMapping("/api/v1/openapi.json")
class OpenApiController {

    private final ObjectProvider<RequestMappingHandlerMapping> routes;
    private final JsonMapper json;

    OpenApiController(
            @Qualifier("requestMappingHandlerMapping") ObjectProvider<RequestMappingHandlerMapping> routes,
            JsonMapper json) {
        this.routes = routes;
        this.json = json;
    }

    @GetMapping
    @Route(role = Role.VIEWER, says = "This document.")
    Map<String, Object> document() {
        Map<String, Map<String, Object>> paths = new TreeMap<>();
        routes.getObject().getHandlerMethods().forEach((info, method) -> {
            Route route = method.getMethodAnnotation(Route.class);
            if (route != null) {
                add(paths, info, method, route);
            }
        });
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", Map.of("title", "Turno", "version", "1"));
        document.put(
                "components",
                Map.of(
                        "securitySchemes",
                        Map.of("token", Map.of("type", "http", "scheme", "bearer")),
                        "schemas",
                        Map.of("Problem", problem())));
        document.put("security", List.of(Map.of("token", List.of())));
        document.put("paths", paths);
        return document;
    }

    private static Map<String, Object> problem() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("title", Map.of("type", "string"));
        fields.put("status", Map.of("type", "integer"));
        fields.put("detail", Map.of("type", "string", "description", "What happened, and what to do."));
        return Map.of("type", "object", "properties", fields);
    }

    private void add(
            Map<String, Map<String, Object>> paths, RequestMappingInfo info, HandlerMethod method, Route route) {
        for (String pattern : info.getPatternValues()) {
            String path = pattern.replace("{*", "{");
            for (RequestMethod verb : info.getMethodsCondition().getMethods()) {
                paths.computeIfAbsent(path, key -> new TreeMap<>())
                        .put(verb.asHttpMethod().name().toLowerCase(java.util.Locale.ROOT), operation(method, route));
            }
        }
    }

    private Map<String, Object> operation(HandlerMethod method, Route route) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("summary", route.says());
        operation.put("x-role", route.open() ? "anyone" : route.role().text());
        if (route.open()) {
            operation.put("security", List.of());
        }
        operation.put("parameters", parameters(method));
        if (!route.takes().isEmpty()) {
            operation.put("requestBody", Map.of("required", true, "content", content(route.takes())));
        }
        Map<String, Object> success = new LinkedHashMap<>(Map.of("description", "Done."));
        if (!route.gives().isEmpty()) {
            success.put("content", content(route.gives()));
        }
        Map<String, Object> failure = Map.of(
                "description",
                "Not done; the detail says why.",
                "content",
                Map.of("application/problem+json", Map.of("schema", Map.of("$ref", "#/components/schemas/Problem"))));
        operation.put("responses", Map.of(Integer.toString(route.status()), success, "default", failure));
        return operation;
    }

    private Map<String, Object> content(String example) {
        return Map.of("application/json", Map.of("example", json.readTree(example)));
    }

    private static List<Map<String, Object>> parameters(HandlerMethod method) {
        List<Map<String, Object>> parameters = new ArrayList<>();
        for (MethodParameter parameter : method.getMethodParameters()) {
            parameter.initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
            boolean inPath = parameter.hasParameterAnnotation(PathVariable.class);
            if (inPath || parameter.hasParameterAnnotation(RequestParam.class)) {
                String type = Number.class.isAssignableFrom(parameter.getParameterType())
                                || parameter.getParameterType().isPrimitive()
                        ? "integer"
                        : "string";
                parameters.add(Map.of(
                        "name",
                        String.valueOf(parameter.getParameterName()),
                        "in",
                        inPath ? "path" : "query",
                        "required",
                        inPath || isRequired(parameter),
                        "schema",
                        Map.of("type", type)));
            }
        }
        return parameters;
    }

    /** As Spring sees it: what has a default or is optional may be left out, and a map takes whatever comes. */
    private static boolean isRequired(MethodParameter parameter) {
        RequestParam asked = Objects.requireNonNull(parameter.getParameterAnnotation(RequestParam.class));
        return asked.required()
                && asked.defaultValue().equals(ValueConstants.DEFAULT_NONE)
                && !parameter.isOptional()
                && !Map.class.isAssignableFrom(parameter.getParameterType());
    }
}
