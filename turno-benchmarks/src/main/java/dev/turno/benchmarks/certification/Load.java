package dev.turno.benchmarks.certification;

import dev.turno.benchmarks.http.Connections;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Sixteen clients, each sending one request after the other, never two for the same worker. */
final class Load {

    private static final String PATH = "/disposicionimss/certificacion";

    private final int port;
    private final List<String> bodies;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger others = new AtomicInteger();
    private int allAccepted;
    private int allOthers;
    private double rate;

    /** @param bodies made before, so that making them costs nothing while it is measured */
    Load(int port, List<String> bodies) {
        this.port = port;
        this.bodies = bodies;
    }

    /** The figures are those of the last run. */
    void run(Duration length) throws IOException, InterruptedException {
        accepted.set(0);
        others.set(0);
        try (Connections connections = new Connections(port, CertificationRates.CLIENTS, TurnoApplication.ADMIN)) {
            long start = System.nanoTime();
            long end = start + length.toNanos();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < CertificationRates.CLIENTS; i++) {
                int client = i;
                Thread thread = new Thread(() -> send(connections, client, end));
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            rate = accepted.get() / ((System.nanoTime() - start) / 1e9);
        }
        allAccepted += accepted.get();
        allOthers += others.get();
    }

    private void send(Connections connections, int client, long end) {
        try {
            while (end - System.nanoTime() > 0) {
                String answer = connections.post(client, PATH, body());
                (answer.contains("\"diagnosticoProcesar\":\"400\"") ? accepted : others).incrementAndGet();
            }
        } catch (IOException e) {
            others.incrementAndGet();
        }
    }

    private String body() {
        int number = next.getAndIncrement();
        if (number >= bodies.size()) {
            throw new IllegalStateException("There are too few workers for this machine; raise their number.");
        }
        return bodies.get(number);
    }

    double rate() {
        return rate;
    }

    int accepted() {
        return accepted.get();
    }

    int others() {
        return others.get();
    }

    int allAccepted() {
        return allAccepted;
    }

    int allOthers() {
        return allOthers;
    }
}
