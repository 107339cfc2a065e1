package dev.turno.web.security;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.HttpStatus;
import tools.jackson.databind.json.JsonMapper;

/** An answer that says what is wrong, as problem+json (RFC 9457), for those who answer before Spring does. */
public final class Problem {

    private static final JsonMapper JSON = JsonMapper.shared();

    private Problem() {}

    public static void write(HttpServletResponse response, HttpStatus status, String detail) throws IOException {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("type", "about:blank");
        problem.put("title", status.getReasonPhrase());
        problem.put("status", status.value());
        problem.put("detail", detail);
        byte[] bytes = JSON.writeValueAsString(problem).getBytes(StandardCharsets.UTF_8);
        response.setStatus(status.value());
        response.setContentType("application/problem+json");
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }
}
