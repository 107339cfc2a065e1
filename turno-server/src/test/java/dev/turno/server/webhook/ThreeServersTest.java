package dev.turno.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.NewMessage;
import dev.turno.server.cli.Main;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three processes, a receiver that fails one call in ten, and a kill -9 on the way. */
@OnDatabase(value = TestDatabase.POSTGRESQL, onServer = true)
@Timeout(600)
class ThreeServersTest {

    private static final boolean FULL = "full".equals(System.getProperty("turno.scale"));
    private static final int MESSAGES = FULL ? 20_000 : 2_000;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String TOKEN = "a-token-that-somebody-chose";

    /** A call as the receiver saw it, in the order of arrival. */
    private record Seen(String message, String webhookId, long fence, boolean accepted) {}

    private final ConcurrentLinkedQueue<Seen> seen = new ConcurrentLinkedQueue<>();
    private final List<ChildProcess> servers = new ArrayList<>();
    private final Receiver receiver;

    ThreeServersTest() throws IOException {
        this.receiver = new Receiver((exchange, call, number) -> {
            boolean accepted = ThreadLocalRandom.current().nextInt(10) > 0;
            seen.add(
                    new Seen(call.header("turno-id"), call.header("webhook-id"), call.number("turno-fence"), accepted));
            exchange.sendResponseHeaders(accepted ? 200 : 500, -1);
        });
    }

    @AfterEach
    void close() {
        servers.forEach(ChildProcess::close);
        receiver.close();
    }

    /** At full length three whole servers, as {@code turno up} starts them; else only the part of them that posts: it starts quickly. */
    private static Launch server(FreshDatabase database, String node) {
        if (!FULL) {
            return Launch.main(ServerNode.class)
                    .jvmOptions("-Xmx128m")
                    .arguments(database.url(), database.user(), database.password(), node);
        }
        return Launch.main(Main.class)
                .jvmOptions("-Xmx256m")
                .arguments("up", "--port", "0", "--node", node, "--db", database.url())
                .arguments("--db-user", database.user(), "--db-password", database.password())
                .arguments("--set", "turno.holder.lease=" + ServerNode.LEASE.toSeconds() + "s")
                .arguments("--set", "turno.webhooks.allow=127.0.0.1")
                .environment("TURNO_ADMIN_TOKEN", TOKEN);
    }

    @Test
    void nothing_is_lost_and_what_comes_twice_has_the_same_id_and_a_higher_fence(FreshDatabase database) {
        // It only puts and defines, and gives no sign of life: with a long lease nobody notices.
        TurnoOptions quiet = TurnoOptions.defaults().withNode("test").withLease(Duration.ofHours(1));
        try (Turno turno = Turno.open(database.dataSource(), quiet);
                Webhooks webhooks = Webhooks.open(
                        turno, database.dataSource(), "default", Webhooks.Options.allowing("127.0.0.1"))) {
            webhooks.define(
                    new Target.Id(Target.Kind.INBOX, "orders"),
                    Map.of("backoff", "50ms..500ms", "threads", "8", "max-attempts", "50"),
                    // Nothing reaches this timeout: a call given up early could arrive after the one that follows it.
                    Optional.of(new Webhooks.Wish(
                            receiver.url(), Optional.empty(), Optional.of(Duration.ofMinutes(1)), Optional.empty())));
            for (String node : List.of("a", "b", "c")) {
                servers.add(server(database, node).start());
            }
            List<String> ready = servers.stream()
                    .map(server -> server.awaitLine(line -> line.contains(ServerNode.READY), SOON))
                    .toList();
            Inbox orders = turno.inbox("orders");
            put(orders, ready.get(0), 0, MESSAGES / 2);
            await().atMost(SOON).until(() -> seen.size() > MESSAGES / 10);
            servers.get(1).kill9();
            put(orders, ready.get(0), MESSAGES / 2, MESSAGES);

            long started = System.nanoTime();
            await().atMost(Duration.ofMinutes(FULL ? 8 : 2))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> isOver(orders));

            assertThat(orders.counts().dead()).isZero();
            check();
            System.out.println("PROOF webhooks postgresql: " + MESSAGES + " messages, " + seen.size() + " calls, "
                    + seen.stream().filter(one -> !one.accepted()).count() + " failed, " + acceptedTwice()
                    + " accepted more than once with the same id and a higher fence; lost 0; "
                    + Duration.ofNanos(System.nanoTime() - started).toMillis() + " ms after the last put");
        }
    }

    /** One look: in the time between two, the last message could go from one state to the other. */
    private static boolean isOver(Inbox orders) {
        var counts = orders.counts();
        return counts.pending() + counts.doing() == 0;
    }

    /** @param ready what the server said that they are put through, if it is a whole one */
    private static void put(Inbox orders, String ready, int from, int to) {
        if (FULL) {
            post(ready.replaceFirst(".* (http://\\S+) .*", "$1"), from, to);
            return;
        }
        orders.putAll(IntStream.range(from, to)
                .mapToObj(n -> NewMessage.of("order-" + n, "{\"n\":" + n + "}"))
                .toList());
    }

    private static void post(String url, int from, int to) {
        String lines = IntStream.range(from, to)
                .mapToObj(n -> "{\"id\":\"order-" + n + "\",\"body\":{\"n\":" + n + "}}\n")
                .collect(Collectors.joining());
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1/inboxes/orders/messages/batch"))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString(lines))
                .build();
        String answer = HttpClient.newHttpClient()
                .sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .join()
                .body();
        assertThat(answer).contains("\"accepted\":" + (to - from));
    }

    private void check() {
        Map<String, String> idOf = new HashMap<>();
        Map<String, Long> fenceOf = new HashMap<>();
        Set<String> delivered = new HashSet<>();
        for (Seen one : seen) {
            String id = idOf.putIfAbsent(one.message(), one.webhookId());
            assertThat(id == null || id.equals(one.webhookId()))
                    .as(one + " has another id")
                    .isTrue();
            long before = Optional.ofNullable(fenceOf.put(one.webhookId(), one.fence()))
                    .orElse(0L);
            assertThat(one.fence()).as(one.toString()).isGreaterThan(before);
            if (one.accepted()) {
                delivered.add(one.message());
            }
        }
        assertThat(delivered).hasSize(MESSAGES);
        assertThat(new HashSet<>(idOf.values())).hasSize(MESSAGES);
    }

    private long acceptedTwice() {
        Map<String, Integer> times = new HashMap<>();
        seen.stream().filter(Seen::accepted).forEach(one -> times.merge(one.message(), 1, Integer::sum));
        return times.values().stream().filter(count -> count > 1).count();
    }
}
