package dev.turno.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** What the server lets in. One server for all; the test that locks this machine out comes last. */
@Tag("security")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SecurityTest {

    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND");
    private static final List<String> BESIDE = List.of(
            "/",
            "/index.html",
            "/favicon.ico",
            "/webjars/preact/10.28.0/dist/preact.js",
            "/error",
            "/actuator",
            "/actuator/env",
            "/actuator/heapdump",
            "/actuator/health/liveness",
            "/api/v1",
            "/api/v1/",
            "/api/v2/anything",
            "/h2-console",
            "//api/v1/inboxes",
            "/api/v1/inboxes;x=1",
            "/api/v1/%69nboxes",
            "/actuator/health/..;/../api/v1/tokens",
            "/actuator/health/%2e%2e/%2e%2e/api/v1/tokens");

    private static final RunningServer SERVER = new RunningServer();
    private static final Map<Role, String> TOKENS = new LinkedHashMap<>();

    /** What answers without a credential, and nothing else does: a method, a space, a path. */
    private static final Set<String> PUBLIC = Set.of("GET /actuator/health", "HEAD /actuator/health");

    @BeforeAll
    static void makeTokens() {
        for (Role role : Role.values()) {
            TOKENS.put(role, SERVER.newToken(role.text()));
        }
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    /** Every path that Spring knows: controllers, actuator, contributed ones, with something in the place of variables. */
    private static Set<String> paths() {
        Set<String> paths = new LinkedHashSet<>(BESIDE);
        SERVER.context()
                .getBeansOfType(RequestMappingInfoHandlerMapping.class)
                .values()
                .forEach(mapping -> mapping.getHandlerMethods()
                        .keySet()
                        .forEach(info -> info.getPatternValues().forEach(pattern -> paths.add(filled(pattern)))));
        return paths;
    }

    private static String filled(String pattern) {
        return pattern.replaceAll("\\{\\*?[^}]+}", "987654321").replace("/**", "/x");
    }

    /** Routes that check their callers themselves. */
    private static Set<String> openRoutes() {
        Set<String> open = new LinkedHashSet<>(PUBLIC);
        SERVER.context()
                .getBeansOfType(RequestMappingInfoHandlerMapping.class)
                .values()
                .forEach(mapping -> mapping.getHandlerMethods().forEach((info, method) -> {
                    Route route = method.getMethodAnnotation(Route.class);
                    if (route != null && route.open()) {
                        info.getPatternValues()
                                .forEach(pattern -> info.getMethodsCondition()
                                        .getMethods()
                                        .forEach(verb -> open.add(verb + " " + filled(pattern))));
                    }
                }));
        return open;
    }

    @Test
    @Order(1)
    void every_route_with_every_method_answers_401_to_those_without_a_credential() {
        Set<String> open = openRoutes();
        List<String> walked = new ArrayList<>();
        for (String path : paths()) {
            for (String method : METHODS) {
                HttpResponse<String> answer = SERVER.send(method, path, "", "");
                if (open.contains(method + " " + path)) {
                    assertThat(answer.statusCode()).as(method + " " + path).isNotEqualTo(401);
                } else {
                    // 400: a path so odd that the server's front refuses to read it
                    assertThat(answer.statusCode()).as(method + " " + path).isIn(401, 400);
                    assertThat(answer.body()).as(method + " " + path).doesNotContain("items");
                }
                walked.add(method + " " + path);
            }
        }
        System.out.println("walked " + walked.size() + " routes without a credential; open: " + open);
        assertThat(walked).hasSizeGreaterThan(300);
    }

    @Test
    @Order(2)
    void every_role_gets_what_is_its_own_and_403_elsewhere() {
        var mapping = SERVER.context().getBean("requestMappingHandlerMapping", RequestMappingInfoHandlerMapping.class);
        int[] asked = new int[1];
        mapping.getHandlerMethods().forEach((info, method) -> {
            Route route = method.getMethodAnnotation(Route.class);
            Role needed = route == null ? Role.ADMIN : route.role();
            for (RequestMethod verb : info.getMethodsCondition().getMethods()) {
                for (String pattern : info.getPatternValues()) {
                    if (!pattern.endsWith("/events") && (route == null || !route.open())) {
                        TOKENS.forEach((role, token) -> {
                            int status = SERVER.send(verb.name(), filled(pattern), token, "")
                                    .statusCode();
                            assertThat(status == 403)
                                    .as(role + " at " + verb + " " + pattern + " was answered " + status)
                                    .isEqualTo(!role.covers(needed));
                            asked[0]++;
                        });
                    }
                }
            }
        });
        System.out.println("asked " + asked[0] + " times: each role at each route");
        assertThat(asked[0]).isGreaterThan(100);
    }

    /** Written apart from the annotations, which the test before believes. */
    @Test
    @Order(3)
    void the_roles_are_those_of_the_documentation() {
        Map<String, Set<String>> wanted = Map.of(
                "ADMIN",
                Set.of(
                        "POST /api/v1/tokens",
                        "GET /api/v1/tokens",
                        "DELETE /api/v1/tokens/{id}",
                        "PUT /api/v1/inboxes/{inbox}",
                        "PUT /api/v1/buffers/{buffer}",
                        "PUT /api/v1/task-types/{type}",
                        "DELETE /api/v1/inboxes/{name}/webhook",
                        "POST /api/v1/networks",
                        "PUT /api/v1/networks/{acronym}",
                        "DELETE /api/v1/networks/{acronym}"),
                "OPERATOR",
                Set.of(
                        "GET /api/v1/audit",
                        "POST /api/v1/inboxes/{inbox}/messages/{id}/revive",
                        "POST /api/v1/inboxes/{inbox}/messages/{id}/cancel",
                        "POST /api/v1/inboxes/{inbox}/revive",
                        "POST /api/v1/inboxes/{inbox}/pause",
                        "POST /api/v1/inboxes/{inbox}/resume",
                        "POST /api/v1/buffers/{buffer}/{key}/flush",
                        "POST /api/v1/buffers/{buffer}/dead/{id}/revive",
                        "DELETE /api/v1/tasks/{id}",
                        "POST /api/v1/schedules/{id}/pause",
                        "POST /api/v1/schedules/{id}/run",
                        "POST /api/v1/locks/{name}/force-release",
                        "POST /api/v1/actions/{action}/runs",
                        "POST /api/v1/runs/{id}/stop"),
                "PRODUCER",
                Set.of(
                        "POST /api/v1/inboxes/{inbox}/messages",
                        "POST /api/v1/inboxes/{inbox}/messages/batch",
                        "POST /api/v1/inboxes/{inbox}/take",
                        "POST /api/v1/inboxes/{inbox}/renew",
                        "POST /api/v1/inboxes/{inbox}/finish",
                        "POST /api/v1/buffers/{buffer}/{key}/messages",
                        "POST /api/v1/tasks",
                        "POST /api/v1/locks/{name}",
                        "PUT /api/v1/locks/{name}",
                        "DELETE /api/v1/locks/{name}"),
                "VIEWER",
                Set.of("GET /api/v1/inboxes/{inbox}/messages", "GET /api/v1/events"));
        var mapping = SERVER.context().getBean("requestMappingHandlerMapping", RequestMappingInfoHandlerMapping.class);
        Map<String, Set<String>> found = new TreeMap<>();
        mapping.getHandlerMethods().forEach((info, method) -> {
            Route route = method.getMethodAnnotation(Route.class);
            for (RequestMethod verb : info.getMethodsCondition().getMethods()) {
                info.getPatternValues()
                        .forEach(pattern -> found.computeIfAbsent(
                                        route == null ? "" : route.role().name(), role -> new TreeSet<>())
                                .add(verb + " " + pattern));
            }
        });

        wanted.forEach((role, routes) -> assertThat(found.get(role)).as(role).containsAll(routes));
    }

    @Test
    @Order(3)
    void every_endpoint_says_for_whom_it_is() {
        var mapping = SERVER.context().getBean("requestMappingHandlerMapping", RequestMappingInfoHandlerMapping.class);
        List<String> silent = new ArrayList<>();
        mapping.getHandlerMethods().forEach((info, method) -> {
            if (method.getMethodAnnotation(Route.class) == null) {
                silent.addAll(info.getPatternValues());
            }
        });

        assertThat(silent).containsExactlyInAnyOrder("/error");
    }

    @Test
    @Order(4)
    void health_says_up_and_nothing_else() {
        assertThat(SERVER.send("GET", "/actuator/health", "", "").body()).isEqualTo("{\"status\":\"UP\"}");
        assertThat(SERVER.send("GET", "/actuator/health/db", "", "").statusCode())
                .isEqualTo(401);
    }

    @Test
    @Order(4)
    void what_is_no_route_of_turnos_is_for_admins_except_what_was_said_to_be_readable() {
        assertThat(status("/actuator", Role.VIEWER)).isEqualTo(403);
        assertThat(status("/actuator", Role.ADMIN)).isEqualTo(200);
        assertThat(status("/error", Role.VIEWER)).isEqualTo(403);
        assertThat(status("/actuator/metrics", Role.VIEWER)).isEqualTo(200);
        assertThat(status("/no-such-file.css", Role.VIEWER)).isEqualTo(404);
    }

    private static int status(String path, Role role) {
        return SERVER.send("GET", path, Objects.requireNonNull(TOKENS.get(role)), "")
                .statusCode();
    }

    @Test
    @Order(4)
    void a_second_port_is_refused() {
        assertThatThrownBy(() -> new RunningServer("--management.server.port=0").close())
                .hasStackTraceContaining("nobody would be asked for a token");
    }

    @Test
    @Order(5)
    void answers_carry_the_headers_that_keep_browsers_safe() {
        HttpResponse<String> answer = SERVER.send("GET", "/api/v1/inboxes", RunningServer.ADMIN, "");

        assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'self'");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.headers().firstValue("X-Frame-Options")).contains("DENY");
        assertThat(answer.headers().firstValue("Referrer-Policy")).contains("no-referrer");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
    }

    @Test
    @Order(6)
    void a_page_of_another_site_can_change_nothing() {
        String path = "/api/v1/inboxes/orders/messages";
        String own = "http://127.0.0.1:" + SERVER.port();
        String cookie = SERVER.send("POST", "/api/v1/session", RunningServer.ADMIN, "")
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow();
        String session = cookie.substring(0, cookie.indexOf(';'));

        assertThat(cookie).contains("HttpOnly", "SameSite=Strict", "Path=/");
        assertThat(putWith(path, "Cookie", session)).as("a cookie alone").isEqualTo(403);
        assertThat(putWith(path, "Cookie", session, "Origin", "https://evil.example"))
                .isEqualTo(403);
        assertThat(putWith(path, "Cookie", session, "Origin", "null")).isEqualTo(403);
        for (String other : List.of(
                "http://127.0.0.1:" + (SERVER.port() + 1),
                "http://127.0.0.1",
                own.replace("http:", "https:"),
                own.replace("127.0.0.1", "localhost"))) {
            assertThat(putWith(path, "Cookie", session, "Origin", other))
                    .as(other)
                    .isEqualTo(403);
        }
        assertThat(putWith(path, "Cookie", session, "Origin", own, "Sec-Fetch-Site", "cross-site"))
                .isEqualTo(403);
        assertThat(putWith(path, "Cookie", session, "Origin", own)).isEqualTo(201);
        assertThat(putWith(path, "Cookie", session, "Sec-Fetch-Site", "same-origin"))
                .isEqualTo(201);
        assertThat(putWith(path, "Cookie", session, "Sec-Fetch-Site", "none")).isEqualTo(403);
        assertThat(putWith(path, "Authorization", "Bearer " + RunningServer.ADMIN, "Origin", "https://evil.example"))
                .isEqualTo(403);
        SERVER.send("DELETE", "/api/v1/session", "", BodyPublishers.noBody(), "Cookie", session, "Origin", own);
        assertThat(putWith(path, "Cookie", session, "Origin", own))
                .as("signed out")
                .isEqualTo(401);
    }

    @Test
    @Order(6)
    void behind_a_proxy_with_tls_the_browser_is_believed_that_a_page_is_our_own() {
        String origin = "https://turno.example";

        assertThat(signIn(SERVER, "Origin", origin, "Sec-Fetch-Site", "same-origin")
                        .statusCode())
                .isEqualTo(200);
        assertThat(signIn(SERVER, "Origin", origin).statusCode())
                .as("a browser that does not vouch for it")
                .isEqualTo(403);
        assertThat(signIn(SERVER, "Origin", origin, "Sec-Fetch-Site", "none").statusCode())
                .isEqualTo(403);
    }

    @Test
    @Order(6)
    void a_server_that_believes_its_proxy_sends_cookies_over_tls_alone() {
        try (RunningServer behind = new RunningServer("--server.forward-headers-strategy=native")) {
            String overTls = cookieOf(signIn(behind, "X-Forwarded-Proto", "https"));

            assertThat(overTls).contains("; Secure");
        }
        assertThat(cookieOf(signIn(SERVER, "X-Forwarded-Proto", "https")))
                .as("nobody told the server of a proxy")
                .doesNotContain("Secure");
    }

    private static HttpResponse<String> signIn(RunningServer server, String... headers) {
        return server.send("POST", "/api/v1/session", RunningServer.ADMIN, BodyPublishers.noBody(), headers);
    }

    private static String cookieOf(HttpResponse<String> answer) {
        return answer.headers().firstValue("Set-Cookie").orElseThrow();
    }

    private static int putWith(String path, String... headers) {
        return SERVER.send("POST", path, "", BodyPublishers.ofString("{\"body\":\"x\"}"), headers)
                .statusCode();
    }

    @Test
    @Order(7)
    void a_revoked_token_is_worth_nothing_at_once() {
        String created = SERVER.send(
                        "POST", "/api/v1/tokens", RunningServer.ADMIN, "{\"name\":\"short\",\"role\":\"viewer\"}")
                .body();
        String token = created.replaceFirst(".*\"token\":\"([^\"]+)\".*", "$1");
        String id = created.replaceFirst(".*\"id\":(\\d+).*", "$1");
        int before = SERVER.send("GET", "/api/v1/inboxes", token, "").statusCode();

        int revoked = SERVER.send("DELETE", "/api/v1/tokens/" + id, RunningServer.ADMIN, "")
                .statusCode();

        assertThat(List.of(before, revoked)).containsExactly(200, 204);
        assertThat(SERVER.send("GET", "/api/v1/inboxes", token, "").statusCode())
                .isEqualTo(401);
        assertThat(SERVER.send("GET", "/api/v1/tokens", RunningServer.ADMIN, "").body())
                .contains("\"short\"")
                .doesNotContain(token)
                .doesNotContain("hash");
        assertThat(SERVER.send("GET", "/api/v1/audit", RunningServer.ADMIN, "").body())
                .contains("DELETE /api/v1/tokens/" + id)
                .doesNotContain(token);
    }

    @Test
    @Order(8)
    void tokens_that_make_no_sense_are_refused() {
        for (String body : List.of(
                "{}",
                "{\"name\":\"a\"}",
                "{\"name\":\"a\",\"role\":\"god\"}",
                "{\"name\":\" \",\"role\":\"viewer\"}",
                "{\"name\":\"a\",\"role\":\"caller\"}",
                "{\"name\":\"a\",\"role\":\"viewer\",\"afore\":\"534\"}",
                "{\"name\":\"a\",\"role\":\"viewer\",\"rights\":\"all\"}")) {
            assertThat(SERVER.send("POST", "/api/v1/tokens", RunningServer.ADMIN, body)
                            .statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
    }

    @Test
    @Order(9)
    void bodies_of_ten_megabytes_and_deep_nesting_are_refused_and_harm_nobody() throws IOException {
        String path = "/api/v1/inboxes/orders/messages";
        byte[] large = new byte[10_000_000];
        Arrays.fill(large, (byte) ' ');
        String deep = "{\"body\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";

        int withLength = SERVER.send("POST", path, RunningServer.ADMIN, BodyPublishers.ofByteArray(large))
                .statusCode();
        int unread = SERVER.send(
                        "POST", "/api/v1/inboxes/orders/pause", RunningServer.ADMIN, BodyPublishers.ofByteArray(large))
                .statusCode();
        int chunked = SERVER.send(
                        "POST",
                        path,
                        RunningServer.ADMIN,
                        BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(large)))
                .statusCode();
        HttpResponse<String> nested = SERVER.send("POST", path, RunningServer.ADMIN, deep);
        int nestedBatch = SERVER.send("POST", path + "/batch", RunningServer.ADMIN, "[" + deep + "]")
                .statusCode();

        assertThat(List.of(withLength, unread, chunked)).containsExactly(413, 413, 413);
        assertThat(nested.statusCode()).isEqualTo(400);
        assertThat(nested.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        assertThat(nestedBatch).isEqualTo(400);
        assertThat(usualHealth()).isLessThan(1_000);
    }

    @Test
    @Order(10)
    void fifty_slow_connections_leave_health_answering_within_a_second() throws IOException {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), SERVER.port());
                slow.add(socket);
                OutputStream out = socket.getOutputStream();
                String head = "POST /api/v1/inboxes/orders/messages HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                        + "Authorization: Bearer " + RunningServer.ADMIN + "\r\nContent-Type: application/json\r\n";
                // Half of them stop within their headers, half within the body that they announced.
                out.write((i % 2 == 0 ? head : head + "Content-Length: 1000\r\n\r\n{")
                        .getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }

            System.out.println("health beside 50 slow connections: " + usualHealth() + " ms");
            assertThat(usualHealth()).isLessThan(1_000);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    /** The middle of nine answers, in milliseconds: a machine that stands still for a moment is not the server's fault. */
    private static long usualHealth() throws IOException {
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            all.add(health().toMillis());
        }
        return all.stream().sorted().skip(4).findFirst().orElseThrow();
    }

    private static Duration health() throws IOException {
        long start = System.nanoTime();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), SERVER.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("GET /actuator/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII)).contains("\"UP\"");
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    @Order(11)
    void ten_wrong_tokens_lock_out_whoever_guesses_but_nobody_who_has_a_good_one() {
        String neverUsed = SERVER.newToken("viewer");
        List<Integer> answers = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            answers.add(SERVER.send("GET", "/api/v1/inboxes", "wrong-" + i, "").statusCode());
        }

        HttpResponse<String> locked = SERVER.send("GET", "/api/v1/inboxes", "wrong-11", "");

        // Two of the tests before sent a token that was no longer valid: these count too.
        assertThat(answers.subList(0, 8)).containsOnly(401);
        assertThat(answers.get(10)).isEqualTo(429);
        assertThat(locked.statusCode()).isEqualTo(429);
        assertThat(locked.headers().firstValue("Retry-After")).contains("60");
        assertThat(SERVER.send("GET", "/api/v1/inboxes", neverUsed, "").statusCode())
                .isEqualTo(200);
    }
}
