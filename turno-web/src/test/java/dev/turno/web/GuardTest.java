package dev.turno.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.claim.Result;
import dev.turno.lock.Lease;
import dev.turno.lock.TakeOutcome;
import dev.turno.task.TaskState;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.web.ApiServer.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** What a token may do to what is another's, and what is written down about it. */
@Tag("security")
@OnEveryDatabase
class GuardTest {

    private final ApiServer server;
    private final String name = "thing-" + UUID.randomUUID();
    private final String lock = "/api/v1/locks/" + name;

    GuardTest(TestDatabase kind) {
        this.server = ApiServer.on(kind);
    }

    private JsonNode token(String role) {
        return server.post("/api/v1/tokens", "{\"name\":\"" + role + " of " + name + "\",\"role\":\"" + role + "\"}")
                .json();
    }

    private String producer() {
        return token("producer").get("token").asString();
    }

    private void revoke(JsonNode token) {
        assertThat(server.send("DELETE", "/api/v1/tokens/" + token.get("id").asLong(), "")
                        .status())
                .isEqualTo(204);
    }

    @Test
    void a_session_ends_with_the_token_that_it_was_begun_with() {
        JsonNode token = token("viewer");
        String cookie = session(token);
        int before =
                server.send("GET", "/api/v1/inboxes", "", "", "Cookie", cookie).status();

        revoke(token);

        assertThat(before).isEqualTo(200);
        assertThat(server.send("GET", "/api/v1/inboxes", "", "", "Cookie", cookie)
                        .status())
                .isEqualTo(401);
    }

    private String session(JsonNode token) {
        return server.send("POST", "/api/v1/session", "", token.get("token").asString())
                .header("Set-Cookie")
                .replaceFirst(";.*", "");
    }

    @Test
    void a_session_cannot_begin_another_one_and_so_last_for_ever() {
        String cookie = session(token("viewer"));
        String text = cookie.replaceFirst("[^=]+=", "");

        Answer byCookie = server.send("POST", "/api/v1/session", "", "", "Cookie", cookie, "Origin", server.url());
        Answer byHeader = server.send("POST", "/api/v1/session", "", text);

        assertThat(List.of(byCookie, byHeader)).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.header("Set-Cookie")).isEmpty();
            assertThat(answer.json().get("detail").asString()).contains("Send the token itself");
        });
        assertThat(server.send("GET", "/api/v1/session", "", "", "Cookie", cookie)
                        .status())
                .as("the session goes on")
                .isEqualTo(200);
    }

    @Test
    @Timeout(30)
    void an_event_stream_ends_with_its_token() throws Exception {
        JsonNode token = token("viewer");
        try (Stream<String> lines =
                server.lines("/api/v1/events", token.get("token").asString())) {
            revoke(token);

            assertThat(lines.filter(line -> line.contains("never")).count()).isZero(); // comes to its end
        }
    }

    @Test
    void a_lock_is_renewed_and_released_only_by_the_token_that_took_it() {
        String owner = producer();
        String other = producer();
        long fence = server.send("POST", lock, "{\"holder\":\"php-1\"}", owner)
                .json()
                .get("fence")
                .asLong();

        Answer renewed = server.send("PUT", lock, "{\"fence\":" + fence + "}", other);
        Answer released = server.send("DELETE", lock + "?fence=" + fence, "", ApiServer.ADMIN);

        assertThat(renewed.status())
                .isEqualTo(200); // two tokens of one name are one caller, so that tokens can be changed
        assertThat(released.status()).isEqualTo(409);
        assertThat(released.json().get("detail").asString()).contains("force-release");
        assertThat(server.send("DELETE", lock + "?fence=" + fence, "", owner).status())
                .isEqualTo(200);
    }

    @Test
    void the_lock_of_a_process_cannot_be_released_from_outside() {
        Lease lease = ((TakeOutcome.Taken<Lease>) server.turno().locks().tryTake(name)).lease();

        assertThat(server.send("DELETE", lock + "?fence=" + lease.fence(), "").status())
                .isEqualTo(409);

        assertThat(server.turno().locks().isTaken(name)).isTrue();
        lease.close();
    }

    @Test
    @Timeout(120)
    void requests_that_wait_for_a_lock_leave_room_for_others() throws Exception {
        long fence = server.post(lock, "{\"holder\":\"a\",\"lease\":\"PT1M\"}")
                .json()
                .get("fence")
                .asLong();
        List<CompletableFuture<Answer>> waiting = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            waiting.add(server.sendLater("POST", lock, "{\"holder\":\"b\",\"lease\":\"PT1S\",\"wait\":\"PT30S\"}"));
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> waiting.stream()
                                .filter(one -> one.isDone() && one.join().status() == 429)
                                .count()
                        == 10);

        assertThat(server.get("/api/v1/locks").status()).isEqualTo(200);
        assertThat(waiting.stream()
                        .filter(CompletableFuture::isDone)
                        .map(one -> one.join().header("Retry-After")))
                .containsOnly("1");
        server.send("DELETE", lock + "?fence=" + fence, "");
        assertThat(CompletableFuture.anyOf(
                                waiting.stream().filter(one -> !one.isDone()).toArray(CompletableFuture[]::new))
                        .get(20, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Answer.class, answer -> assertThat(answer.status()).isEqualTo(200));
    }

    @Test
    void a_producer_adds_schedules_and_only_an_operator_changes_them_which_is_audited() {
        String producer = producer();
        String noon = "{\"type\":\"" + name + "\",\"body\":\"a\",\"cron\":\"0 12 * * *\",\"zone\":\"UTC\"}";
        String one = noon.replace("0 12 * * *", "0 1 * * *");

        Answer added = server.send("POST", "/api/v1/tasks", noon, producer);
        Answer again = server.send("POST", "/api/v1/tasks", noon, producer);
        Answer changed = server.send("POST", "/api/v1/tasks", one, producer);
        Answer otherBody = server.send("POST", "/api/v1/tasks", noon.replace("\"a\"", "\"b\""), producer);

        assertThat(added.status()).isEqualTo(201);
        assertThat(again.json().get("changed").asBoolean()).isFalse();
        assertThat(changed.status()).isEqualTo(403);
        assertThat(otherBody.status()).isEqualTo(403);
        assertThat(server.get("/api/v1/schedules/" + name + "/next?count=1").body())
                .contains("12:00");
        assertThat(server.send("POST", "/api/v1/tasks", one, ApiServer.ADMIN, "Turno-Reason", "siesta of " + name)
                        .status())
                .isEqualTo(201);
        assertThat(server.get("/api/v1/audit?limit=50").body())
                .contains("siesta of " + name)
                .contains("0 1 * * * UTC");
        server.send("DELETE", "/api/v1/schedules/" + name, "");
    }

    @Test
    void the_audit_has_the_reason_and_what_was_changed_and_viewers_may_not_read_it() {
        JsonNode viewer = token("viewer");
        server.post(lock, "{\"holder\":\"php-1\"}");
        server.post(lock + "/force-release", "{\"reason\":\"it was unplugged\"}");

        assertThat(server.send("GET", "/api/v1/audit", "", viewer.get("token").asString())
                        .status())
                .isEqualTo(403);
        Answer audit = server.get("/api/v1/audit?limit=50");

        JsonNode forced = entry(audit.json(), name + "/force-release");
        assertThat(forced.get("why").asString()).isEqualTo("it was unplugged");
        assertThat(forced.get("details").asString()).contains("taken from php-1");
        assertThat(audit.body()).contains("'viewer of " + name + "' of role viewer");
        assertThat(audit.body()).doesNotContain(viewer.get("token").asString());
    }

    private static JsonNode entry(JsonNode audit, String action) {
        for (JsonNode entry : audit.get("items")) {
            if (entry.get("action").asString().contains(action)) {
                return entry;
            }
        }
        throw new AssertionError("not in the audit: " + action);
    }

    @Test
    void of_many_tasks_those_that_can_be_stored_are_and_the_others_are_told() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        server.turno().handleTasks(name, (task, turn) -> {
            end.await();
            return Result.done();
        });
        String running = "{\"type\":\"" + name + "\",\"key\":\"a\",\"in\":\"0s\",\"replace\":true}";
        long id = server.post("/api/v1/tasks", running).json().get("id").asLong();
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> server.turno().tasks().find(id).orElseThrow().state() == TaskState.DOING);

        Answer alone = server.post("/api/v1/tasks", running);
        Answer many = server.post(
                "/api/v1/tasks", "[" + running + ",{\"type\":\"" + name + "\",\"key\":\"b\",\"in\":\"1h\"}]");
        end.countDown();

        assertThat(alone.status()).isEqualTo(409);
        assertThat(many.status()).as(many.body()).isEqualTo(201);
        assertThat(many.json().get(0).get("refused").asString()).contains("cannot be replaced");
        assertThat(many.json().get(1).get("id").asLong())
                .isEqualTo(server.turno().tasks().find(name, "b").orElseThrow().id());
    }

    @Test
    void a_tasks_body_keeps_every_digit() {
        String digits = "12345678901234567890.12345678901234567890123";
        long id = server.post(
                        "/api/v1/tasks", "{\"type\":\"" + name + "\",\"in\":\"1h\",\"body\":{\"n\":" + digits + "}}")
                .json()
                .get("id")
                .asLong();

        assertThat(server.get("/api/v1/tasks/" + id).json().get("body").asString())
                .isEqualTo("{\"n\":" + digits + "}");
    }

    @Test
    void nothing_among_many_is_told_so() {
        assertThat(server.post("/api/v1/tasks", "[null]").status()).isEqualTo(400);
        assertThat(server.post("/api/v1/tasks", "null").status()).isEqualTo(400);
        assertThat(server.post("/api/v1/inboxes/" + name + "/messages/batch", "[null]")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void lists_go_on_after_their_pages() {
        for (String type : List.of("a", "b")) {
            server.post(
                    "/api/v1/tasks",
                    "[{\"type\":\"" + name + type + "\",\"in\":\"1h\"},{\"type\":\"" + name + type
                            + "\",\"in\":\"2h\"}]");
        }
        for (String list : List.of("/holders", "/schedules", "/task-types", "/actions")) {
            assertThat(server.get("/api/v1" + list + "?limit=1")
                            .json()
                            .get("items")
                            .size())
                    .as(list)
                    .isLessThanOrEqualTo(1);
            assertThat(server.get("/api/v1" + list + "?limit=0").status()).isEqualTo(400);
            assertThat(server.get("/api/v1" + list + "?limit=1001").status()).isEqualTo(400);
        }
        List<String> types = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = server.get("/api/v1/tasks?limit=3&after=" + (after.isEmpty() ? "@" : after))
                    .json();
            page.get("items").forEach(task -> types.add(task.get("type").asString()));
            after = page.get("next").isNull() ? "" : page.get("next").asString();
        } while (!after.isEmpty());
        assertThat(types)
                .filteredOn(type -> type.startsWith(name))
                .containsExactly(name + "a", name + "a", name + "b", name + "b");
        assertThat(server.get("/api/v1/tasks").status()).isEqualTo(200);
        assertThat(server.get("/api/v1/tasks?after=nonsense").status()).isEqualTo(400);
    }
}
