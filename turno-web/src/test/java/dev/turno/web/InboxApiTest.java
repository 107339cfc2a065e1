package dev.turno.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.claim.Result;
import dev.turno.inbox.InboxOptions;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.web.ApiServer.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@OnEveryDatabase
class InboxApiTest {

    private final ApiServer server;
    private final String inbox = "orders-" + UUID.randomUUID();
    private final String messages = "/api/v1/inboxes/" + inbox + "/messages";

    InboxApiTest(TestDatabase kind) {
        this.server = ApiServer.on(kind);
    }

    @Test
    void the_same_message_twice_is_stored_once_and_called_a_duplicate() {
        Answer first = server.post(messages, "{\"id\":\"order-1\",\"body\":{\"total\":10.50}}");
        Answer second = server.post(messages, "{\"id\":\"order-1\",\"body\":{\"total\":10.50}}");

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.body()).isEqualTo("{\"id\":\"order-1\",\"state\":\"PENDING\",\"duplicate\":false}");
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.json().get("duplicate").asBoolean()).isTrue();
    }

    @Test
    void the_same_id_with_another_body_is_refused_with_422_and_told_why() {
        server.post(messages, "{\"id\":\"order-1\",\"body\":\"a\"}");

        Answer refused = server.post(messages, "{\"id\":\"order-1\",\"body\":\"b\"}");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.header("Content-Type")).startsWith("application/problem+json");
        assertThat(refused.json().get("detail").asString()).contains("order-1");
        assertThat(body("order-1")).isEqualTo("a");
    }

    @Test
    void a_limit_that_another_process_set_is_shown_and_named_as_a_reason() {
        server.post(messages, "{\"id\":\"order-1\",\"body\":\"a\"}");
        try (Turno application =
                Turno.start(server.dataSource(), TurnoOptions.defaults().withNode("application"))) {
            application.inbox(inbox, InboxOptions.of(o -> o.concurrency(7)));
        }

        assertThat(server.get("/api/v1/inboxes/" + inbox)
                        .json()
                        .get("concurrency")
                        .asInt())
                .isEqualTo(7);
        assertThat(server.get("/api/v1/why/inbox/" + inbox + "/order-1").body()).contains("At most 7 run at once");
    }

    @Test
    void a_message_is_found_by_any_character_of_its_id() {
        server.post(messages, "{\"id\":\"smile-\uD83D\uDE00\",\"body\":\"a\"}");

        Answer found = server.get(messages + "?q=%F0%9F%98%80");

        assertThat(found.json().get("items").size()).isEqualTo(1);
        assertThat(server.get("/api/v1/locks?after=%F0%9F%98%80").status()).isEqualTo(200);
        assertThat(server.get(messages + "?q=%00").status()).isEqualTo(400);
    }

    @Test
    void a_put_with_a_reason_is_a_persons_and_stands_in_the_audit() {
        server.post(messages, "{\"id\":\"traffic\",\"body\":\"a\"}");
        server.send(
                "POST",
                messages,
                "{\"id\":\"edited\",\"body\":\"b\"}",
                ApiServer.ADMIN,
                "Turno-Reason",
                "UTF-8''mended%20%E2%80%93%20%E3%81%84");

        assertThat(server.get("/api/v1/audit?limit=50").body())
                .contains("mended \u2013 \u3044", "message 'edited'")
                .doesNotContain("message 'traffic'");
    }

    @Test
    void an_idempotency_key_is_the_id_unless_the_message_has_one() {
        Answer byKey = server.send("POST", messages, "{\"body\":\"x\"}", ApiServer.ADMIN, "Idempotency-Key", "key-1");
        Answer again = server.send("POST", messages, "{\"body\":\"x\"}", ApiServer.ADMIN, "Idempotency-Key", "key-1");
        Answer named = server.send(
                "POST", messages, "{\"id\":\"own\",\"body\":\"x\"}", ApiServer.ADMIN, "Idempotency-Key", "key-1");
        Answer drawn = server.post(messages, "{\"body\":\"x\"}");

        assertThat(byKey.json().get("id").asString()).isEqualTo("key-1");
        assertThat(again.json().get("duplicate").asBoolean()).isTrue();
        assertThat(named.json().get("id").asString()).isEqualTo("own");
        assertThat(drawn.json().get("id").asString()).hasSizeGreaterThan(30);
    }

    @Test
    void a_body_is_kept_as_it_was_sent_with_all_digits_of_its_numbers() {
        server.post(messages, "{\"id\":\"text\",\"body\":\"two\\nlines ñ 🚀\"}");
        server.post(messages, "{\"id\":\"object\",\"body\":{\"n\":0.1234567890123456789012345,\"a\":[1,null,true]}}");

        assertThat(body("text")).isEqualTo("two\nlines ñ 🚀");
        assertThat(body("object")).isEqualTo("{\"n\":0.1234567890123456789012345,\"a\":[1,null,true]}");
    }

    private String body(String id) {
        return server.get(messages + "/" + id).json().get("body").asString();
    }

    @Test
    void ids_may_have_slashes_and_spaces_in_them() {
        String id = "2026/01 ñ;%?#";
        String inPath = URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
        server.post(messages, "{\"id\":\"" + id + "\",\"body\":\"x\"}");

        assertThat(server.get(messages + "/" + inPath).json().get("id").asString())
                .isEqualTo(id);
        assertThat(server.post(messages + "/" + inPath + "/cancel", "").status())
                .isEqualTo(200);
    }

    @Test
    void a_batch_comes_as_an_array_or_as_lines() {
        Answer array =
                server.post(messages + "/batch", "[{\"id\":\"1\",\"body\":\"a\"},{\"id\":\"2\",\"body\":\"b\"}]");
        Answer lines = server.send(
                "POST",
                messages + "/batch",
                "{\"id\":\"2\",\"body\":\"b\"}\n{\"id\":\"1\",\"body\":\"other\"}\n{\"id\":\"3\",\"body\":\"c\"}\n",
                ApiServer.ADMIN,
                "Content-Type",
                "application/x-ndjson");

        assertThat(array.json().get("accepted").asInt()).isEqualTo(2);
        assertThat(lines.status()).as(lines.body()).isEqualTo(200);
        assertThat(lines.json().get("accepted").asInt()).isEqualTo(1);
        assertThat(lines.json().get("duplicates").asInt()).isEqualTo(1);
        assertThat(lines.json().get("refused").asInt()).isEqualTo(1);
        assertThat(lines.json().get("refusals").get(0).get("id").asString()).isEqualTo("1");
    }

    @Test
    void a_batch_that_is_too_long_is_refused_as_a_whole() {
        Answer refused = server.post(messages + "/batch", "{\"body\":\"x\"}\n".repeat(10_001));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("detail").asString()).contains("10000").contains("Nothing was stored");
        assertThat(server.turno().inboxNames()).doesNotContain(inbox);
    }

    @Test
    void lists_go_on_with_next_and_show_every_message_once() {
        StringBuilder batch = new StringBuilder();
        for (int i = 0; i < 25; i++) {
            batch.append("{\"id\":\"m-").append(i).append("\",\"body\":\"x\"}\n");
        }
        server.post(messages + "/batch", batch.toString());

        List<String> seen = new java.util.ArrayList<>();
        String after = "";
        int pages = 0;
        do {
            JsonNode page =
                    server.get(messages + "?state=PENDING&limit=10" + after).json();
            page.get("items").forEach(item -> seen.add(item.get("id").asString()));
            after = page.get("next").isNull()
                    ? ""
                    : "&after=" + page.get("next").asString();
            pages++;
        } while (!after.isEmpty());

        assertThat(pages).isEqualTo(3);
        assertThat(seen).hasSize(25).doesNotHaveDuplicates();
        assertThat(server.get(messages + "?q=m-24").json().get("items").size()).isEqualTo(1);
    }

    @Test
    void a_dead_message_is_seen_revived_and_cancelled_and_says_why_it_stands_still() {
        server.turno().inbox(inbox, InboxOptions.of(o -> o.maxAttempts(1).poll(Duration.ofMillis(50))));
        var worker = server.turno().handle(inbox, (message, turn) -> Result.reject("the printer is on fire"));
        server.post(messages, "{\"id\":\"order-1\",\"body\":\"x\"}");
        await(() -> assertThat(
                        server.get(messages + "?state=DEAD").json().get("items").size())
                .isEqualTo(1));
        worker.close(Duration.ZERO);

        assertThat(server.get("/api/v1/why/inbox/" + inbox + "/order-1").body()).contains("on fire");
        assertThat(server.get(messages + "?state=DEAD&q=fire")
                        .json()
                        .get("items")
                        .size())
                .isEqualTo(1);
        assertThat(server.post(messages + "/order-1/revive", "").status()).isEqualTo(200);
        assertThat(server.post(messages + "/order-1/revive", "").status()).isEqualTo(409);
        assertThat(server.post(messages + "/order-1/cancel", "")
                        .json()
                        .get("state")
                        .asString())
                .isEqualTo("CANCELLED");
        assertThat(server.post(messages + "/order-1/cancel", "").status()).isEqualTo(409);
        assertThat(server.post("/api/v1/inboxes/" + inbox + "/revive?state=DEAD&q=x", "")
                        .body())
                .isEqualTo("{\"revived\":0}");
        assertThat(server.post("/api/v1/inboxes/" + inbox + "/revive?state=DONE", "")
                        .status())
                .isEqualTo(400);
    }

    private static void await(org.awaitility.core.ThrowingRunnable condition) {
        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(condition);
    }

    @Test
    void a_paused_inbox_says_so() {
        server.post(messages, "{\"id\":\"order-1\",\"body\":\"x\"}");

        server.post("/api/v1/inboxes/" + inbox + "/pause", "");
        JsonNode paused = server.get("/api/v1/inboxes/" + inbox).json();
        String why = server.get("/api/v1/why/inbox/" + inbox + "/order-1").body();
        server.post("/api/v1/inboxes/" + inbox + "/resume", "");

        assertThat(paused.get("paused").asBoolean()).isTrue();
        assertThat(paused.get("counts").get("pending").asInt()).isEqualTo(1);
        assertThat(why).contains("paused");
        assertThat(server.get("/api/v1/inboxes/" + inbox).json().get("paused").asBoolean())
                .isFalse();
        assertThat(server.get("/api/v1/inboxes?limit=1000").body()).contains(inbox);
    }

    @Test
    void to_look_for_an_inbox_does_not_make_one() {
        assertThat(server.get("/api/v1/inboxes/never-used/messages").status()).isEqualTo(404);
        assertThat(server.get("/api/v1/inboxes/never-used").status()).isEqualTo(404);
        assertThat(server.post("/api/v1/inboxes/never-used/pause", "").status()).isEqualTo(404);
        assertThat(server.get(messages + "/x").status()).isEqualTo(404);
        assertThat(server.turno().inboxNames()).doesNotContain("never-used", inbox);
    }

    @Test
    void unusable_input_is_answered_with_400_and_stores_nothing() {
        for (String body : List.of(
                "",
                "{",
                "[]",
                "null",
                "{}",
                "{\"id\":\"a\"}",
                "{\"id\":\"\",\"body\":\"x\"}",
                "{\"id\":\"" + "x".repeat(201) + "\",\"body\":\"x\"}",
                "{\"body\":\"x\",\"priority\":10}",
                "{\"body\":\"x\",\"turnAt\":\"soon\"}",
                "{\"body\":\"a\\u0000b\"}",
                "{\"body\":\"" + "x".repeat(300_000) + "\"}")) {
            Answer answer = server.post(messages, body);
            assertThat(answer.status())
                    .as(body.substring(0, Math.min(80, body.length())))
                    .isEqualTo(400);
            assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        }
        assertThat(server.turno().inbox(inbox).counts().pending()).isZero();
    }

    @Test
    void what_is_wrong_in_a_body_or_a_query_is_named() {
        assertThat(detail("{\"body\":\"x\",\"turnAt\":\"2030-01-01\"}")).contains("'turnAt'");
        assertThat(detail("{\"boddy\":\"x\"}"))
                .contains("no field 'boddy'")
                .contains("[body, id, orderingKey, priority, turnAt]")
                .doesNotContain("dev.turno");
        assertThat(server.post("/api/v1/tokens", "{\"name\":\"a\",\"role\":\"boss\"}")
                        .body())
                .contains("use viewer, producer");
        server.post(messages, "{\"body\":\"x\"}");
        assertThat(server.get(messages + "?state=LOST").body()).contains("PENDING, DOING");
        assertThat(server.get("/api/v1/nothing").body()).contains("There is nothing at /api/v1/nothing.");
    }

    private String detail(String body) {
        return server.post(messages, body).json().get("detail").asString();
    }

    @Test
    void whatever_stands_in_a_query_is_answered_with_200_or_400() {
        server.post(messages, "{\"id\":\"order-1\",\"body\":\"x\"}");
        Random random = new Random(7);
        List<String> evil = List.of(
                "'",
                "\"",
                "' or 1=1 --",
                "%",
                "_",
                "\\",
                "\u0000",
                "\ud83d\ude80",
                "\ud800",
                "-1",
                "0",
                "1e9",
                "99999999999999999999",
                "NaN",
                "id desc; drop table turno_inbox",
                "{}",
                "[]",
                "../../etc/passwd",
                "\n\r\n",
                "null",
                "9223372036854775808");
        for (int i = 0; i < 150; i++) {
            StringBuilder query = new StringBuilder("?");
            for (String name : List.of("sort", "q", "limit", "after", "state")) {
                if (random.nextBoolean()) {
                    String value = random.nextInt(3) == 0
                            ? Integer.toString(random.nextInt(2000) - 500)
                            : evil.get(random.nextInt(evil.size()));
                    query.append(name)
                            .append('=')
                            .append(URLEncoder.encode(value, StandardCharsets.UTF_8))
                            .append('&');
                }
            }
            for (String path : List.of(
                    messages,
                    "/api/v1/inboxes",
                    "/api/v1/locks",
                    "/api/v1/audit",
                    "/api/v1/runs",
                    "/api/v1/schedules",
                    "/api/v1/tokens",
                    "/api/v1/buffers")) {
                Answer answer = server.get(path + query);
                assertThat(answer.status())
                        .as(path + query + ": " + answer.body())
                        .isIn(200, 400);
            }
        }
    }
}
