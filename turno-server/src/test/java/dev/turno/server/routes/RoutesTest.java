package dev.turno.server.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.NewMessage;
import dev.turno.server.routes.RoomsServer.Answer;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@OnEveryDatabase
@Timeout(120)
class RoutesTest {

    private static final String INBOXES = "/api/v1/inboxes/";
    private static final Duration SOON = Duration.ofSeconds(30);
    private final RoomsServer server;

    RoutesTest(TestDatabase kind) {
        this.server = RoomsServer.on(kind);
    }

    @AfterAll
    static void closeServers() {
        RoomsServer.closeAll();
    }

    private void order(String inbox, String id) {
        assertThat(server.post(INBOXES + inbox + "/messages", "{\"id\":\"" + id + "\",\"body\":{\"n\":1}}")
                        .status())
                .isEqualTo(201);
    }

    private JsonNode taken(String inbox) {
        return server.post(INBOXES + inbox + "/take", "{\"limit\":5}")
                .json()
                .get("items")
                .get(0);
    }

    private static String claim(JsonNode taken, String more) {
        return "[{\"id\":\"" + taken.get("id").asString() + "\",\"fence\":"
                + taken.get("fence").asLong() + more + "}]";
    }

    @Test
    void a_worker_takes_renews_and_finishes() {
        order("w1", "order-1");

        JsonNode taken = taken("w1");

        assertThat(taken.get("id").asString()).isEqualTo("order-1");
        assertThat(taken.get("body").asString()).isEqualTo("{\"n\":1}");
        assertThat(taken.get("attempt").asInt()).isEqualTo(1);
        assertThat(server.post(INBOXES + "w1/renew", claim(taken, "")).status()).isEqualTo(200);
        Answer finished = server.post(INBOXES + "w1/finish", claim(taken, ",\"result\":\"done\""));
        assertThat(finished.status()).isEqualTo(200);
        assertThat(finished.json().get("items").get(0).get("kept").asBoolean()).isTrue();
        assertThat(server.turno().inbox("w1").find("order-1").orElseThrow().state())
                .isEqualTo(InboxState.DONE);
        assertThat(server.post(INBOXES + "w1/finish", claim(taken, ",\"result\":\"done\""))
                        .status())
                .as("the same once more")
                .isEqualTo(200);
    }

    private static String because(Answer answer) {
        return answer.json().get("items").get(0).get("because").asString();
    }

    @Tag("security")
    @Test
    void a_stale_or_foreign_fence_is_a_conflict_that_says_which() {
        order("w2", "order-1");
        JsonNode taken = taken("w2");
        String other = server.token("other-" + System.nanoTime(), "producer");

        Answer foreign = server.send("POST", INBOXES + "w2/finish", claim(taken, ",\"result\":\"done\""), other);
        Answer stale = server.post(INBOXES + "w2/finish", "[{\"id\":\"order-1\",\"fence\":7,\"result\":\"done\"}]");

        for (Answer answer : List.of(foreign, stale)) {
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.json().get("detail").asString()).contains("1 of 1");
        }
        assertThat(because(foreign)).contains("not in the hands of worker", "of token 'other-");
        assertThat(because(stale)).contains("The newest fence is 1, not 7");
        assertThat(server.post(INBOXES + "w2/renew", "[{\"id\":\"order-1\",\"fence\":7}]")
                        .status())
                .isEqualTo(409);
        assertThat(server.post(INBOXES + "w2/finish?worker=php-7", claim(taken, ",\"result\":\"done\""))
                        .status())
                .isEqualTo(409);
        assertThat(server.post(INBOXES + "w2/finish", claim(taken, ",\"result\":\"done\""))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void results_whose_ordering_key_is_locked_are_named_and_are_to_be_presented_again() throws Exception {
        order("w9", "order-1");
        JsonNode free = taken("w9");
        Inbox inbox = server.turno().inbox("w9");
        inbox.put(NewMessage.of("ana-1", "{}").inOrderOf("ana"));
        JsonNode locked = taken("w9");
        String done = ",\"result\":\"done\"";
        String both = claim(free, done).replace("]", "," + claim(locked, done).substring(1));
        try (Connection connection = server.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            inbox.put(connection, NewMessage.of("ana-2", "{}").inOrderOf("ana"));

            Answer partly = server.post(INBOXES + "w9/finish", both);
            Answer nothing = server.post(INBOXES + "w9/finish", claim(locked, done));

            assertThat(partly.status()).isEqualTo(409);
            assertThat(partly.json().get("detail").asString()).startsWith("1 of 2 results are open");
            assertThat(partly.json().get("items").get(0).get("kept").asBoolean())
                    .isTrue();
            assertThat(partly.json().get("items").get(1).get("open").asBoolean())
                    .isTrue();
            assertThat(nothing.status()).isEqualTo(503);
            assertThat(nothing.json().get("items").get(0).get("open").asBoolean())
                    .isTrue();
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(server.post(INBOXES + "w9/finish", claim(locked, done)).status())
                .isEqualTo(200);
    }

    @Test
    void a_take_that_waits_is_answered_when_something_comes_and_holds_no_thread() throws Exception {
        List<CompletableFuture<Answer>> waiting = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            waiting.add(server.sendLater(INBOXES + "w3/take", "{\"limit\":1,\"wait\":\"PT60S\"}"));
        }
        await().pollDelay(Duration.ofMillis(300)).until(() -> true);

        for (int i = 0; i < 50; i++) {
            order("w3", "order-" + i);
        }

        for (CompletableFuture<Answer> one : waiting) {
            assertThat(one.get(60, TimeUnit.SECONDS).json().get("items").size()).isEqualTo(1);
        }
        assertThat(server.post(INBOXES + "w3/take", "{\"wait\":\"200ms\"}")
                        .json()
                        .get("items")
                        .size())
                .isZero();
        assertThat(server.post(INBOXES + "w3/take", "").json().get("items").size())
                .isZero();
    }

    @Test
    void unusable_requests_of_workers_are_told_so() {
        order("w4", "order-1");
        for (String body : List.of("{\"limit\":0}", "{\"limit\":1000}", "{\"wait\":\"PT1H\"}", "{\"wait\":\"soon\"}")) {
            assertThat(server.post(INBOXES + "w4/take", body).status()).as(body).isIn(400, 422);
        }
        for (String body : List.of(
                "[]",
                "{}",
                "[{}]",
                "[null]",
                "[{\"id\":\"a\",\"fence\":1}]",
                "[{\"id\":\"a\",\"fence\":1,\"result\":\"perhaps\"}]")) {
            assertThat(server.post(INBOXES + "w4/finish", body).status())
                    .as(body)
                    .isIn(400, 422);
        }
        assertThat(server.post(INBOXES + "w4/take?worker=a%2Fb", "").status()).isEqualTo(400);
        for (String act : List.of("take", "renew", "finish")) {
            assertThat(server.send("POST", INBOXES + "w4/" + act, "[]", "").status())
                    .isEqualTo(401);
            assertThat(server.send(
                                    "POST",
                                    INBOXES + "w4/" + act,
                                    "[]",
                                    server.token("viewer-" + System.nanoTime(), "viewer"))
                            .status())
                    .isEqualTo(403);
        }
    }

    @Test
    void the_worker_of_the_documentation_works_and_its_death_costs_only_time(@TempDir Path directory) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no Python here");
        String page = Files.readString(Path.of("..", "docs", "external-workers.md"));
        Matcher sample = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(sample.find()).isTrue();
        String inbox = "python";
        String program = sample.group(1).replace("/inboxes/orders/", "/inboxes/" + inbox + "/");
        String hangs = program.replace(
                "    print(\"handling\"",
                "    import time; print(\"hangs\", flush=True); time.sleep(600)\n    print(\"handling\"");
        assertThat(hangs).isNotEqualTo(program);
        assertThat(server.put(INBOXES + inbox, "{\"maxRun\":\"PT1S\"}").status())
                .isEqualTo(200);
        order(inbox, "order-1");

        try (ChildProcess victim = python(directory.resolve("hangs.py"), hangs)) {
            victim.awaitLine("hangs"::equals, SOON);
            victim.kill9();
        }
        try (ChildProcess worker = python(directory.resolve("worker.py"), program)) {
            String line = worker.awaitLine(text -> text.startsWith("handling order-1"), SOON);
            assertThat(line).contains("attempt 2");
            await().atMost(SOON)
                    .until(() -> server.turno()
                                    .inbox(inbox)
                                    .find("order-1")
                                    .orElseThrow()
                                    .state()
                            == InboxState.DONE);
        }
    }

    private ChildProcess python(Path file, String program) throws Exception {
        Files.writeString(file, program);
        return Launch.command("/usr/bin/python3", "-u", file.toString())
                .environment("TURNO_URL", server.url())
                .environment("TURNO_TOKEN", RoomsServer.ADMIN)
                .errorsInOutput()
                .start();
    }

    @Test
    void a_webhook_is_defined_and_posts_and_is_removed() throws Exception {
        List<String> ids = new CopyOnWriteArrayList<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        receiver.createContext("/", exchange -> {
            ids.add(exchange.getRequestHeaders().getFirst("turno-id"));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        receiver.start();
        try {
            String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/very-secret-path";
            String body =
                    "{\"webhook\":{\"url\":\"" + url + "\"},\"concurrency\":2,\"maxAttempts\":3,\"backoff\":\"1s\"}";

            Answer defined = server.put(INBOXES + "hooked", body);

            assertThat(defined.status()).isEqualTo(200);
            String secret = defined.json().get("secret").asString();
            assertThat(secret).startsWith("whsec_");
            order("hooked", "order-1");
            await().atMost(SOON).until(() -> ids.equals(List.of("order-1")));
            assertThat(server.put(INBOXES + "hooked", body).body()).doesNotContain("whsec_");
            Answer list = server.send("GET", "/api/v1/targets", "", RoomsServer.ADMIN);
            assertThat(list.body())
                    .contains("\"hooked\"")
                    .doesNotContain("whsec_")
                    .doesNotContain("very-secret-path");
            assertThat(server.send("DELETE", INBOXES + "hooked/webhook", "", RoomsServer.ADMIN)
                            .status())
                    .isEqualTo(204);
            assertThat(server.send("DELETE", INBOXES + "hooked/webhook", "", RoomsServer.ADMIN)
                            .status())
                    .isEqualTo(404);
        } finally {
            receiver.stop(0);
        }
    }

    @Tag("security")
    @Test
    void unusable_webhooks_are_refused_and_only_admins_define_them() {
        for (String body : List.of(
                "{\"webhook\":{\"url\":\"http://10.0.0.1/\"}}",
                "{\"webhook\":{\"url\":\"http://[::1]/\"}}",
                "{\"webhook\":{\"url\":\"http://169.254.169.254/latest/meta-data\"}}",
                "{\"webhook\":{\"url\":\"file:///etc/passwd\"}}",
                "{\"webhook\":{}}",
                "{\"webhook\":7}",
                "{\"webhook\":{\"url\":\"http://127.0.0.1:9/\",\"secret\":\"short\"}}",
                "{\"webhook\":{\"url\":\"http://127.0.0.1:9/\",\"sekret\":\"x\"}}",
                "{\"maxAtempts\":3}",
                "{\"maxAttempts\":0}",
                "{\"maxRun\":\"soon\"}")) {
            Answer answer = server.put(INBOXES + "refused", body);
            assertThat(answer.status()).as(body + " " + answer.body()).isIn(400, 422);
        }
        Answer unfit = server.put(
                INBOXES + "refused", "{\"webhook\":{\"url\":\"http://127.0.0.1:9/\"},\"finish\":\"in-transaction\"}");
        assertThat(unfit.status()).isEqualTo(422);
        assertThat(unfit.body()).contains("at-once");
        String producer = server.token("producer-" + System.nanoTime(), "producer");
        for (String path : List.of(INBOXES + "x", "/api/v1/buffers/x", "/api/v1/task-types/x")) {
            assertThat(server.send("PUT", path, "{}", "").status()).isEqualTo(401);
            assertThat(server.send("PUT", path, "{}", producer).status()).isEqualTo(403);
        }
        assertThat(server.put("/api/v1/buffers/chats", "{\"quiet\":\"PT2S\",\"maxWait\":\"10s\",\"maxCount\":5}")
                        .status())
                .isEqualTo(200);
        assertThat(server.turno().buffers("chats").options().quiet()).isEqualTo(Duration.ofSeconds(2));
    }

    @Tag("security")
    @Test
    void whatsapp_is_let_in_by_its_signature_alone() throws Exception {
        String phone = "346" + String.format(Locale.ROOT, "%08d", Math.floorMod(System.nanoTime(), 100_000_000L));
        String body = "{\"entry\":[{\"changes\":[{\"value\":{\"messages\":[{\"from\":\"" + phone
                + "\",\"id\":\"wamid.1\",\"timestamp\":\"1760000001\",\"type\":\"text\",\"text\":{\"body\":\"hola ñ\"}}]}}]}]}";
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(RoomsServer.APP_SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String signature = "sha256="
                + String.format("%064x", new BigInteger(1, mac.doFinal(body.getBytes(StandardCharsets.UTF_8))));
        String path = "/api/v1/whatsapp";

        assertThat(server.send("POST", path, body, "").status()).isEqualTo(401);
        assertThat(server.send("POST", path, "x".repeat(4_000_000), "", "X-Hub-Signature-256", signature)
                        .status())
                .isEqualTo(413);
        assertThat(server.send("POST", path, body + " ", "", "X-Hub-Signature-256", signature)
                        .status())
                .isEqualTo(401);
        assertThat(server.turno().buffers("whatsapp").find(phone)).isEmpty();
        assertThat(server.send("POST", path, body, "", "X-Hub-Signature-256", signature)
                        .status())
                .isEqualTo(200);
        assertThat(server.turno().buffers("whatsapp").find(phone)).isPresent();
        String ask = path + "?hub.mode=subscribe&hub.challenge=77&hub.verify_token=";
        assertThat(server.send("GET", ask + "agreed", "", "")).isEqualTo(new Answer(200, "77"));
        assertThat(server.send("GET", ask + "guessed", "", "").status()).isEqualTo(403);
    }
}
