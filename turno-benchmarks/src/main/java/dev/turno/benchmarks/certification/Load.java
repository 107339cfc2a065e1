package dev.turno.benchmarks.certification;

import dev.turno.certification.authority.SampleWorkers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Sixteen clients, each sending one request after the other, never two for the same worker. */
final class Load {

    private final URI url;
    private final int workers;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger others = new AtomicInteger();
    private int allAccepted;
    private double rate;

    Load(int port, int workers) {
        this.url = URI.create("http://127.0.0.1:" + port + "/disposicionimss/certificacion");
        this.workers = workers;
    }

    /** The figures are those of the last run. */
    void run(Duration length) throws InterruptedException {
        accepted.set(0);
        others.set(0);
        long start = System.nanoTime();
        long end = start + length.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CertificationRates.CLIENTS; i++) {
            Thread thread = new Thread(() -> send(end));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        rate = accepted.get() / ((System.nanoTime() - start) / 1e9);
        allAccepted += accepted.get();
    }

    private void send(long end) {
        try {
            while (end - System.nanoTime() > 0) {
                int worker = worker();
                String answer = http.send(request(worker), HttpResponse.BodyHandlers.ofString())
                        .body();
                (answer.contains("\"diagnosticoProcesar\":\"400\"") ? accepted : others).incrementAndGet();
            }
        } catch (IOException e) {
            others.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One with a right to the benefit. */
    private int worker() {
        int worker = next.getAndIncrement();
        while (worker % 10 > 6) {
            worker = next.getAndIncrement();
        }
        if (worker >= workers) {
            throw new IllegalStateException("There are too few workers for this machine; raise their number.");
        }
        return worker;
    }

    private HttpRequest request(int worker) {
        String body = SampleWorkers.request(worker, "B-" + worker, "530").entrySet().stream()
                .filter(field -> !field.getValue().isEmpty())
                .map(field -> '"' + field.getKey() + "\":" + value(field.getKey(), field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
        return HttpRequest.newBuilder(url)
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + TurnoApplication.ADMIN)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private static String value(String name, String value) {
        return name.equals("origen") || name.equals("selloTrabajador") ? value : '"' + value + '"';
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
}
