package dev.turno.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.buffer.BufferOptions;
import dev.turno.claim.Result;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.web.ApiServer.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@OnEveryDatabase
class FeatureApiTest {

    private final ApiServer server;
    private final String name = "thing-" + UUID.randomUUID();
    private final String lock = "/api/v1/locks/" + name;
    private final String buffer = "/api/v1/buffers/" + name;

    FeatureApiTest(TestDatabase kind) {
        this.server = ApiServer.on(kind);
    }

    @Test
    void a_lock_is_taken_renewed_and_released_by_its_fence_alone() {
        Answer taken = server.post(lock, "{\"holder\":\"php-1\",\"lease\":\"PT30S\"}");
        Answer busy = server.post(lock, "{\"holder\":\"php-2\",\"lease\":\"30s\"}");
        long fence = taken.json().get("fence").asLong();

        assertThat(taken.status()).isEqualTo(200);
        assertThat(Instant.parse(taken.json().get("until").asString())).isAfter(Instant.now());
        assertThat(busy.status()).isEqualTo(409);
        assertThat(busy.json().get("holder").asString()).isEqualTo("php-1");
        assertThat(server.get("/api/v1/why/lock/" + name).body()).contains("php-1");
        assertThat(server.get(lock).json().get("fence").asLong()).isEqualTo(fence);
        assertThat(server.get("/api/v1/locks?limit=1000").body()).contains(name);
        assertThat(server.send("PUT", lock, "{\"fence\":" + (fence + 1) + "}").status())
                .isEqualTo(409);
        assertThat(server.send("PUT", lock, "{\"fence\":" + fence + "}").status())
                .isEqualTo(200);
        assertThat(server.send("DELETE", lock + "?fence=" + (fence - 1), "").status())
                .isEqualTo(409);
        assertThat(server.send("DELETE", lock + "?fence=" + fence, "").status()).isEqualTo(200);
        assertThat(server.send("DELETE", lock + "?fence=" + fence, "").status()).isEqualTo(409);
        assertThat(server.get(lock).status()).isEqualTo(404);
        assertThat(server.post(lock, "{\"holder\":\"php-2\"}")
                        .json()
                        .get("fence")
                        .asLong())
                .isGreaterThan(fence);
    }

    @Test
    void a_lock_is_taken_from_its_holder_only_with_a_reason_and_that_is_audited() {
        server.post(lock, "{\"holder\":\"php-1\",\"lease\":\"PT10M\"}");

        Answer withoutReason = server.post(lock + "/force-release", "{\"reason\":\" \"}");
        Answer forced = server.send(
                "POST",
                lock + "/force-release",
                "{\"reason\":\"switched off\"}",
                ApiServer.ADMIN,
                "Turno-Reason",
                "php-1 was switched off");

        assertThat(withoutReason.status()).isEqualTo(400);
        assertThat(forced.json().get("takenFrom").asString()).isEqualTo("php-1");
        assertThat(server.post(lock + "/force-release", "{\"reason\":\"again\"}")
                        .status())
                .isEqualTo(404);
        JsonNode entries = server.get("/api/v1/audit?limit=20").json().get("items");
        assertThat(entries.toString())
                .contains(name + "/force-release")
                .contains("php-1 was switched off")
                .contains("\"status\":200")
                .contains("\"status\":404");
    }

    @Test
    void an_unusable_lease_is_refused() {
        for (String body : new String[] {
            "{}",
            "{\"holder\":\"a\",\"lease\":\"soon\"}",
            "{\"holder\":\"a\",\"lease\":\"PT0S\"}",
            "{\"holder\":\"a\",\"lease\":\"P300D\"}",
            "{\"holder\":\"a\",\"wait\":\"PT1H\"}",
            "{\"holder\":\"" + "x".repeat(51) + "\"}"
        }) {
            assertThat(server.post(lock, body).status()).as(body).isEqualTo(400);
        }
    }

    @Test
    void messages_of_a_key_are_joined_and_a_dead_burst_is_revived() {
        var rejecting = server.turno()
                .buffers(
                        name,
                        BufferOptions.of(o -> o.quiet(Duration.ofMillis(100)).poll(Duration.ofMillis(50))));
        Answer first = server.post(buffer + "/+34600000001/messages", "{\"id\":\"wamid.1\",\"body\":\"hola\"}");
        Answer again = server.post(buffer + "/+34600000001/messages", "{\"id\":\"wamid.1\",\"body\":\"hola\"}");
        server.post(buffer + "/+34600000001/messages", "{\"body\":{\"image\":1}}");

        assertThat(first.status()).isEqualTo(202);
        assertThat(first.json().get("duplicate").asBoolean()).isFalse();
        assertThat(again.json().get("duplicate").asBoolean()).isTrue();
        assertThat(again.json().get("seq").asLong())
                .isEqualTo(first.json().get("seq").asLong());
        assertThat(server.get(buffer + "/+34600000001").json().get("waiting").asInt())
                .isEqualTo(2);
        assertThat(server.get("/api/v1/why/buffer/" + name + "/+34600000001").body())
                .contains("2 messages wait");

        var worker = server.turno().handle(rejecting, (burst, turn) -> Result.reject("no gateway for " + burst.text()));
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> server.get(buffer + "/dead").json().get("items").size() == 1);
        worker.close(Duration.ZERO);
        long dead = server.get(buffer + "/dead")
                .json()
                .get("items")
                .get(0)
                .get("id")
                .asLong();

        assertThat(server.get(buffer + "/dead/" + dead).json().get("messages").size())
                .isEqualTo(2);
        assertThat(server.post(buffer + "/dead/" + dead + "/revive", "").status())
                .isEqualTo(200);
        assertThat(server.post(buffer + "/dead/" + (dead + 1_000_000) + "/revive", "")
                        .status())
                .isEqualTo(404);
        assertThat(server.post(buffer + "/+34600000001/flush", "").body()).isEqualTo("{\"flushed\":true}");
        assertThat(server.get("/api/v1/buffers?limit=1000").body()).contains(name);
        assertThat(server.get("/api/v1/buffers/never-used/x").status()).isEqualTo(404);
    }

    @Test
    void the_overview_counts_all_features_and_names_the_holders() {
        server.post("/api/v1/inboxes/" + name + "/messages", "{\"body\":\"x\"}");

        assertThat(server.get("/api/v1/holders").json().get("items").size()).isGreaterThanOrEqualTo(1);
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .until(() -> server.get("/api/v1/overview").body().contains(name));
        assertThat(server.get("/api/v1/overview").json().get("healthy").asBoolean())
                .isTrue();
    }

    @Test
    void the_doctor_looks_at_clocks_indexes_and_the_pool() {
        JsonNode answer = server.get("/api/v1/doctor").json();

        assertThat(answer.get("findings").toString()).contains("\"clock\"", "\"indexes\"", "\"pool\"", "\"schema\"");
        assertThat(answer.get("healthy").asBoolean()).as(answer.toString()).isTrue();
    }

    @Test
    void the_document_of_the_api_has_every_route_with_its_role() {
        JsonNode document = server.get("/api/v1/openapi.json").json();

        JsonNode put =
                document.get("paths").get("/api/v1/inboxes/{inbox}/messages").get("post");
        assertThat(put.get("x-role").asString()).isEqualTo("producer");
        assertThat(put.toString()).contains("\"example\":{\"id\":\"order-1\"");
        assertThat(document.get("paths").size()).isGreaterThan(20);
    }

    @Test
    void a_number_where_another_thing_stands_and_unknown_kinds_are_told_apart() {
        assertThat(server.get("/api/v1/why/nonsense/1").status()).isEqualTo(404);
        assertThat(server.get("/api/v1/why/inbox/only-a-name").status()).isEqualTo(400);
        assertThat(server.get("/api/v1/nothing-here").status()).isEqualTo(404);
        assertThat(server.get("/api/v1/nothing-here").header("Content-Type")).startsWith("application/problem+json");
        assertThat(server.send("PATCH", lock, "{}").status()).isEqualTo(405);
    }
}
