package dev.turno.server.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real HTTP server that remembers what it was sent and answers as it is told. */
final class Receiver implements AutoCloseable {

    /** What came. Names of headers are in lower case. */
    record Call(Map<String, String> headers, String text) {

        String header(String name) {
            return Optional.ofNullable(headers.get(name)).orElse("");
        }

        byte[] body() {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        long number(String name) {
            return Long.parseLong(header(name));
        }
    }

    /** Answers a call. */
    @FunctionalInterface
    interface Manner {
        void answer(HttpExchange exchange, Call call, int number) throws IOException, InterruptedException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private volatile Manner manner;

    Receiver(Manner manner) throws IOException {
        this.manner = manner;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
        server.setExecutor(threads);
        server.createContext("/", this::receive);
        server.start();
    }

    /** Answers every call with this status and nothing more. */
    static Manner status(int status) {
        return (exchange, call, number) -> exchange.sendResponseHeaders(status, -1);
    }

    void from(Manner now) {
        manner = now;
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port() + "/hook";
    }

    List<Call> calls() {
        return List.copyOf(calls);
    }

    private void receive(HttpExchange exchange) throws IOException {
        Map<String, String> headers = new HashMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
        Call call = new Call(headers, new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        int number;
        synchronized (this) {
            calls.add(call);
            number = calls.size();
        }
        try {
            manner.answer(exchange, call, number);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
