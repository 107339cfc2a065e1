package dev.turno.proof;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The service outside that handlers call. It writes down every call as it comes in, and can keep a caller waiting. */
final class WebService implements AutoCloseable {

    /** What came in. */
    record Call(String id, String node, long fence) {

        /** As it travels. Ids have no blanks. */
        String body() {
            return id + " " + node + " " + fence;
        }

        static Call of(String body) {
            String[] words = body.split(" ", 3);
            return new Call(words[0], words[1], Long.parseLong(words[2]));
        }
    }

    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    private WebService(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    static WebService start() throws IOException {
        return new WebService(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100));
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Calls for this id are written down but not answered before {@link #letGo}. */
    void hold(String id) {
        held.put(id, new CountDownLatch(1));
    }

    void letGo(String id) {
        CountDownLatch latch = held.remove(id);
        if (latch != null) {
            latch.countDown();
        }
    }

    List<Call> calls() {
        return List.copyOf(calls);
    }

    boolean wasCalledFor(String id) {
        return calls.stream().anyMatch(call -> call.id().equals(id));
    }

    /** How often each message was called for. */
    Map<String, Integer> times() {
        Map<String, Integer> times = new HashMap<>();
        calls.forEach(call -> times.merge(call.id(), 1, Integer::sum));
        return times;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Call call = Call.of(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            calls.add(call);
            CountDownLatch latch = held.get(call.id());
            if (latch != null) {
                latch.await();
            }
            exchange.sendResponseHeaders(204, -1);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        held.keySet().forEach(this::letGo);
        server.stop(0);
        threads.shutdownNow();
    }
}
