package dev.turno.certification.proof;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A validator outside, and a receiver of notifications: one small web server that remembers what it was told. */
final class Validator implements AutoCloseable {

    static final String ACCEPTED =
            "{\"resultadoOperacion\":\"01\",\"diagnosticoProcesar\":\"400\",\"tipoPrestacion\":\"06\",\"extra\":\"x\"}";
    private static final Pattern FOLIO = Pattern.compile("\"folioTramiteProcesar\":\"([^\"]+)\"");

    /** One notification. */
    record Notice(String id, String timestamp, String signature, String body) {}

    final Queue<String> asked = new ConcurrentLinkedQueue<>();
    final Queue<String> keys = new ConcurrentLinkedQueue<>();
    final Queue<String> bodies = new ConcurrentLinkedQueue<>();
    final Queue<Notice> notices = new ConcurrentLinkedQueue<>();
    /** The keys under which each folio was asked for. */
    final Map<String, Queue<String>> keysOf = new ConcurrentHashMap<>();
    /** Folios of which it said that it had never heard of them. */
    final Queue<String> unheard = new ConcurrentLinkedQueue<>();

    final Map<String, String> answers = new ConcurrentHashMap<>();
    /** What is answered to a folio instead of yes, then and whenever it is asked for again. */
    final Map<String, String> says = new ConcurrentHashMap<>();
    /** How long a folio's answer takes. */
    final Map<String, Long> delays = new ConcurrentHashMap<>();
    /** Folios about which nothing is told for now. */
    final Set<String> silent = ConcurrentHashMap.newKeySet();
    /** How long a folio's answer stops after its first bytes. */
    final Map<String, Long> stalls = new ConcurrentHashMap<>();
    /** Statuses that are answered instead. */
    final Map<String, Integer> statuses = new ConcurrentHashMap<>();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    Validator() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/validator", this::validate);
        server.createContext("/notices", this::notice);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/validator";
    }

    String noticeUrl() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/notices";
    }

    private void validate(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("GET")) {
            String path = exchange.getRequestURI().getPath();
            String name = path.substring(path.lastIndexOf('/') + 1);
            if (silent.contains(name)) {
                answer(exchange, 503, "{}");
                return;
            }
            String answer = answers.get(name);
            if (answer == null) {
                unheard.add(name);
            }
            answer(exchange, answer == null ? 404 : 200, answer == null ? "{}" : answer);
            return;
        }
        String body = body(exchange);
        Matcher folio = FOLIO.matcher(body);
        String name = folio.find() ? folio.group(1) : "";
        asked.add(name);
        bodies.add(body);
        String key = String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
        keys.add(key);
        keysOf.computeIfAbsent(name, any -> new ConcurrentLinkedQueue<>()).add(key);
        int status = statuses.getOrDefault(name, 200);
        if (status == 200) {
            answers.put(name, says.getOrDefault(name, ACCEPTED));
        }
        rest(delays.getOrDefault(name, 0L));
        if (stalls.containsKey(name)) {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            rest(stalls.getOrDefault(name, 0L));
            exchange.close();
            return;
        }
        answer(exchange, status, status == 200 ? says.getOrDefault(name, ACCEPTED) : "{}");
    }

    private void notice(HttpExchange exchange) throws IOException {
        notices.add(new Notice(
                String.valueOf(exchange.getRequestHeaders().getFirst("webhook-id")),
                String.valueOf(exchange.getRequestHeaders().getFirst("webhook-timestamp")),
                String.valueOf(exchange.getRequestHeaders().getFirst("webhook-signature")),
                body(exchange)));
        answer(exchange, 200, "{}");
    }

    private static String body(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void rest(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
