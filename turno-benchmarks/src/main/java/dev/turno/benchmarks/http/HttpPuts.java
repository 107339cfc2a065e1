package dev.turno.benchmarks.http;

import dev.turno.Turno;
import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Rounds;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.runners.Sql;
import dev.turno.benchmarks.server.Server;
import dev.turno.inbox.Inbox;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/**
 * One message per request, eight clients at once, each on a connection that stays open; beside them the library itself, and batches of
 * a hundred. Server, clients and database share the machine.
 */
public final class HttpPuts {

    /** Where {@code ./turno bench http} has put the server. */
    private static final String SERVER = "turno.server.jar";

    private static final String TOKEN = "only-for-this-measurement";
    private static final int CLIENTS = 8;
    private static final int BATCH = 100;
    private static final int CALM = 3;
    private static final int LONGEST_WARM_UP = 30;
    private static final double FASTER = 1.05;

    @FunctionalInterface
    private interface Client {
        /** Answers how many messages it put. */
        int put(int client, long number) throws Exception;
    }

    private HttpPuts() {}

    public static Report run(Setup setup) throws Exception {
        Duration pass = Duration.ofMillis(setup.scale().of(5_000, 2_000, 200));
        LongAdder put = new LongAdder();
        List<Double> library = new ArrayList<>();
        List<Double> single = new ArrayList<>();
        List<Double> batches = new ArrayList<>();
        try (Server server = Server.start();
                FreshDatabase database = server.fresh();
                Turno turno = Turno.start(database.dataSource());
                ChildProcess http = start(database)) {
            int port = port(http);
            Inbox inbox = turno.inbox("library");
            setup.progress().accept("warming up");
            double unused = rate(pass, put, (client, number) -> put(inbox, client, -number));
            List<Long> warm = warmUp(port, put);
            Rounds rounds = setup.rounds(setup.scale().of(3, 2, 2), 0.6);
            while (rounds.next()) {
                int now = rounds.number();
                library.add(rate(pass, put, (client, number) -> put(inbox, client, number + now * 100_000_000L)));
                single.add(overHttp(port, pass, put, "single-" + now));
                batches.add(inBatches(port, pass, put, "batch-" + now));
                setup.progress().accept("round " + now + " is over");
            }
            List<Figure> figures = List.of(
                    new Figure("put", "library, 8 threads", "messages/s", library),
                    new Figure("put", "HTTP, 8 connections", "messages/s", single),
                    new Figure("put", "HTTP, 8 connections, batches of 100", "messages/s", batches));
            return new Report(
                    "http",
                    List.of(server.settings(), "HTTP while warming up, second by second: " + warm),
                    figures,
                    Map.of("HTTP to library", figures.get(1).ratioTo(figures.get(0))),
                    List.of(),
                    lost(database.dataSource(), put.sum()));
        }
    }

    /** What was told must be what is stored. */
    private static List<String> lost(DataSource source, long put) throws SQLException {
        long stored = Sql.number(source, "select count(*) from turno_inbox");
        return stored == put ? List.of() : List.of(put + " messages were put and " + stored + " are stored");
    }

    /** A server that has just started compiles its code beside its work; it is measured when it has become no faster for a while. */
    private static List<Long> warmUp(int port, LongAdder put) throws Exception {
        List<Long> rates = new ArrayList<>();
        long best = 0;
        int since = 0;
        while (since < CALM && rates.size() < LONGEST_WARM_UP) {
            long rate = Math.round(overHttp(port, Duration.ofSeconds(1), put, "warm-up-" + rates.size()));
            rates.add(rate);
            since = rate > best * FASTER ? 0 : since + 1;
            best = Math.max(best, rate);
        }
        return rates;
    }

    private static ChildProcess start(FreshDatabase database) {
        String jar = System.getProperty(SERVER);
        if (jar == null) {
            throw new IllegalStateException(
                    "-D" + SERVER + " does not say where the server is; use ./turno bench http.");
        }
        return Launch.command(
                        "java",
                        "-jar",
                        jar,
                        "up",
                        "--port",
                        "0",
                        "--db",
                        database.url(),
                        "--db-user",
                        database.user(),
                        "--db-password",
                        database.password(),
                        "--set",
                        "turno.web.rate=1000000")
                .environment("TURNO_ADMIN_TOKEN", TOKEN)
                .errorsInOutput()
                .endedBy("TERM")
                .start();
    }

    private static int port(ChildProcess http) {
        String ready = http.awaitLine(line -> line.startsWith("Turno is ready"), Duration.ofMinutes(1));
        return Integer.parseInt(ready.replaceFirst(".*:(\\d+) .*", "$1"));
    }

    private static int put(Inbox inbox, int client, long number) {
        inbox.put(client + "-" + number, "{\"total\": 10, \"customer\": \"c-7\"}");
        return 1;
    }

    private static double overHttp(int port, Duration pass, LongAdder put, String inbox) throws Exception {
        try (Connections connections = new Connections(port, CLIENTS, TOKEN)) {
            String path = "/api/v1/inboxes/" + inbox + "/messages";
            return rate(pass, put, (client, number) -> {
                String unused = connections.post(client, path, message(client, number));
                return 1;
            });
        }
    }

    private static double inBatches(int port, Duration pass, LongAdder put, String inbox) throws Exception {
        try (Connections connections = new Connections(port, CLIENTS, TOKEN)) {
            String path = "/api/v1/inboxes/" + inbox + "/messages/batch";
            return rate(pass, put, (client, number) -> {
                StringBuilder lines = new StringBuilder();
                for (int i = 0; i < BATCH; i++) {
                    lines.append(message(client, number * BATCH + i)).append('\n');
                }
                String unused = connections.post(client, path, lines.toString());
                return BATCH;
            });
        }
    }

    private static String message(int client, long number) {
        return "{\"id\":\"" + client + "-" + number + "\",\"body\":{\"total\":10,\"customer\":\"c-7\"}}";
    }

    private static double rate(Duration pass, LongAdder put, Client client)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        long start = System.nanoTime();
        List<Future<Long>> counts = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            counts.add(threads.submit(() -> count(pass, start, client, number)));
        }
        long total = 0;
        for (Future<Long> count : counts) {
            total += count.get();
        }
        threads.shutdown();
        put.add(total);
        return total / ((System.nanoTime() - start) / 1e9);
    }

    private static long count(Duration pass, long start, Client client, int number) throws Exception {
        long count = 0;
        for (long i = 1; System.nanoTime() - start < pass.toNanos(); i++) {
            count += client.put(number, i);
        }
        return count;
    }
}
