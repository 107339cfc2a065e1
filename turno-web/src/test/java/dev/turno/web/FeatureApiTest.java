package dev.turno.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.buffer.BufferOptions;
import dev.turno.claim.Result;
import dev.turno.run.Job;
import dev.turno.run.RunRequest;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.web.ApiServer.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
            "{\"holder\":\"a\",\"lease\":\"30\"}",
            "{\"holder\":\"a\",\"lease\":30}",
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
    void a_task_is_scheduled_once_by_its_key_seen_moved_and_cancelled() {
        String task =
                "{\"type\":\"" + name + "\",\"key\":\"noon\",\"body\":{\"times\":12},\"at\":\"2030-01-01T12:00:00Z\"}";
        Answer first = server.post("/api/v1/tasks", task);
        Answer again = server.post("/api/v1/tasks", task);
        Answer replaced = server.post("/api/v1/tasks", task.replace("Z\"}", "Z\",\"replace\":true}"));
        Answer many = server.post(
                "/api/v1/tasks",
                "[{\"type\":\"" + name + "\",\"in\":\"1h\",\"body\":\"a\"},{\"type\":\"" + name
                        + "\",\"in\":\"PT2H\"}]");
        long id = replaced.json().get("id").asLong();

        assertThat(first.status()).as(first.body()).isEqualTo(201);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("duplicate").asBoolean()).isTrue();
        assertThat(replaced.json().get("replaced").asLong())
                .isEqualTo(first.json().get("id").asLong());
        assertThat(many.json().size()).isEqualTo(2);
        assertThat(server.get("/api/v1/tasks?type=" + name).json().get("items").size())
                .isEqualTo(3);
        assertThat(server.get("/api/v1/tasks/" + id).json().get("body").asString())
                .isEqualTo("{\"times\":12}");
        assertThat(server.get("/api/v1/why/task/" + id).body()).contains("No living process runs");
        assertThat(server.get("/api/v1/task-types").body()).contains(name);
        assertThat(server.post("/api/v1/tasks/pre-assign?window=PT1M", "").status())
                .isEqualTo(200);
        assertThat(server.post("/api/v1/tasks/" + id + "/run", "").status()).isEqualTo(200);
        assertThat(server.send("DELETE", "/api/v1/tasks/" + id, "").status()).isEqualTo(200);
        assertThat(server.send("DELETE", "/api/v1/tasks/" + id, "").status()).isEqualTo(409);
        assertThat(server.post("/api/v1/tasks/" + id + "/revive", "").status()).isEqualTo(409);
        assertThat(server.get("/api/v1/tasks/999999999").status()).isEqualTo(404);
        assertThat(server.get("/api/v1/tasks?type=never-used").status()).isEqualTo(404);
    }

    @Test
    void tasks_that_wait_behind_others_are_listed_to_their_end() {
        String task = "{\"type\":\"" + name + "\",\"in\":\"1h\",\"lane\":\"customer-1\"}";
        server.post("/api/v1/tasks", "[" + String.join(",", Collections.nCopies(5, task)) + "]");

        assertThat(walk("/api/v1/tasks?type=" + name)).isEqualTo(5);
        assertThat(walk("/api/v1/tasks?after=@" + name)).isGreaterThanOrEqualTo(5);
    }

    @Test
    void messages_that_wait_behind_others_are_listed_to_their_end() {
        for (int i = 0; i < 5; i++) {
            server.post("/api/v1/inboxes/" + name + "/messages", "{\"body\":\"x\",\"orderingKey\":\"customer-1\"}");
        }

        assertThat(walk("/api/v1/inboxes/" + name + "/messages?state=PENDING")).isEqualTo(5);
    }

    /** How many different items stand on the pages from here to the end. */
    private int walk(String list) {
        Set<String> found = new HashSet<>();
        String page = list + "&limit=2";
        while (true) {
            Answer answer = server.get(page);
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            answer.json()
                    .get("items")
                    .forEach(item ->
                            assertThat(found.add(item.get("id").asString())).isTrue());
            JsonNode next = answer.json().get("next");
            if (next == null || next.isNull() || found.size() > 1_000) {
                return found.size();
            }
            page = list.replaceAll("[?&]after=[^&]*", "?") + "&limit=2&after="
                    + URLEncoder.encode(next.asString(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void a_task_without_a_moment_or_with_two_is_refused() {
        for (String body : new String[] {
            "{}",
            "[{}]",
            "{\"type\":\"x\"}",
            "{\"type\":\"x\",\"at\":\"2030-01-01T12:00:00Z\",\"in\":\"1h\"}",
            "{\"type\":\"x\",\"in\":\"soon\"}",
            "{\"type\":\"x\",\"cron\":\"every day\",\"zone\":\"UTC\"}",
            "{\"type\":\"x\",\"cron\":\"0 12 * * *\",\"zone\":\"Mars/North\"}",
            "{\"type\":\"x\",\"cron\":\"0 12 * * *\"}"
        }) {
            Answer answer = server.post("/api/v1/tasks", body);
            assertThat(answer.status()).as(body + " " + answer.body()).isEqualTo(400);
        }
    }

    @Test
    void a_schedule_is_defined_paused_resumed_run_and_removed() {
        Answer defined = server.post(
                "/api/v1/tasks",
                "{\"type\":\"" + name + "\",\"key\":\"" + name
                        + "\",\"cron\":\"30 2 * * *\",\"zone\":\"Europe/Berlin\"}");
        String schedule = "/api/v1/schedules/" + name;

        assertThat(defined.status()).as(defined.body()).isEqualTo(201);
        assertThat(defined.json().get("next").size()).isEqualTo(5);
        assertThat(server.get("/api/v1/schedules").body()).contains(name);
        assertThat(server.get(schedule + "/next?count=3").json().get("runs").size())
                .isEqualTo(3);
        assertThat(server.post(schedule + "/pause", "").json().get("paused").asBoolean())
                .isTrue();
        assertThat(server.post(schedule + "/resume", "").status()).isEqualTo(200);
        assertThat(server.post(schedule + "/run", "").json().get("task").asLong())
                .isPositive();
        assertThat(server.send("DELETE", schedule, "").status()).isEqualTo(200);
        assertThat(server.post(schedule + "/pause", "").status()).isEqualTo(404);
    }

    @Test
    void a_run_is_seen_stopped_resumed_and_cancelled() {
        var runs = server.turno().runs();
        runs.add(Job.of(name, Source.iterator(run -> List.of(1, 2, 3).iterator()), Step.each((item, page) -> {})));
        runs.pause(); // so that it waits to be looked at
        long id = runs.submit(RunRequest.of(name).on("SUBJECT::" + name)).orThrow();
        String run = "/api/v1/runs/" + id;

        assertThat(server.get(run).json().get("job").asString()).isEqualTo(name);
        assertThat(server.get("/api/v1/runs?state=PENDING&limit=1000").body()).contains(name);
        assertThat(server.get("/api/v1/runs?subject=SUBJECT::" + name)
                        .json()
                        .get("items")
                        .size())
                .isEqualTo(1);
        assertThat(server.get("/api/v1/why/run/" + id).body()).contains("PENDING");
        assertThat(server.get(run + "/log").json().get("items").isArray()).isTrue();
        assertThat(server.get(run + "/items").json().get("items").isEmpty()).isTrue();
        assertThat(server.post(run + "/stop", "").json().get("outcome").asString())
                .isEqualTo("STOPPED");
        assertThat(server.post(run + "/resume", "").status()).isEqualTo(200);
        assertThat(server.post(run + "/revive", "").status()).isEqualTo(409);
        assertThat(server.post(run + "/cancel", "").status()).isEqualTo(200);
        assertThat(server.post(run + "/stop", "").status()).isEqualTo(409);
        runs.unpause();
        assertThat(server.get("/api/v1/runs/999999999").status()).isEqualTo(404);
        assertThat(server.get("/api/v1/actions").status()).isEqualTo(200);
        assertThat(server.post("/api/v1/actions/nothing/runs", "{\"subject\":\"x\"}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    @Timeout(30)
    void events_are_streamed_while_they_happen() throws Exception {
        try (Stream<String> lines = server.lines("/api/v1/events")) {
            server.post(lock, "{\"holder\":\"php-1\",\"lease\":\"PT1S\"}");

            assertThat(lines.filter(line -> line.startsWith("data:") && line.contains(name))
                            .findFirst())
                    .hasValueSatisfying(line -> assertThat(line).contains("\"type\":\"LockTaken\""));
        }
    }

    @Test
    void the_overview_counts_all_features_and_names_the_holders() {
        server.post("/api/v1/inboxes/" + name + "/messages", "{\"body\":\"x\"}");

        assertThat(server.get("/api/v1/holders").json().get("items").size()).isGreaterThanOrEqualTo(1);
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> server.get("/api/v1/overview").body().contains(name));
        assertThat(server.get("/api/v1/overview").json().get("healthy").asBoolean())
                .isTrue();
    }

    @Test
    void the_doctor_looks_at_clocks_indexes_and_the_pool() {
        // A machine that stalls looks like clocks that differ, or like a pool that is full for a moment.
        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            JsonNode answer = server.get("/api/v1/doctor").json();

            assertThat(answer.get("findings").toString())
                    .contains("\"clock\"", "\"indexes\"", "\"pool\"", "\"schema\"");
            assertThat(answer.get("healthy").asBoolean()).as(answer.toString()).isTrue();
        });
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
    void the_document_says_which_arguments_must_be_there() {
        JsonNode paths = server.get("/api/v1/openapi.json").json().get("paths");

        assertThat(required(paths, "/api/v1/locks/{name}", "delete")).containsExactlyInAnyOrder("name", "fence");
        assertThat(required(paths, "/api/v1/locks", "get"))
                .as("both have a default")
                .isEmpty();
        assertThat(required(paths, "/api/v1/find", "get")).containsExactly("q");
        assertThat(server.send("DELETE", lock, "").status()).isEqualTo(400);
        assertThat(server.get("/api/v1/find").status()).isEqualTo(400);
    }

    private static List<String> required(JsonNode paths, String path, String verb) {
        return paths.get(path)
                .get(verb)
                .get("parameters")
                .valueStream()
                .filter(parameter -> parameter.get("required").asBoolean())
                .map(parameter -> parameter.get("name").asString())
                .toList();
    }

    @Test
    void the_examples_of_the_document_are_understood() {
        List<String> tried = new ArrayList<>();
        for (var path : server.get("/api/v1/openapi.json").json().get("paths").properties()) {
            for (var verb : path.getValue().properties()) {
                JsonNode example = verb.getValue().at("/requestBody/content/application~1json/example");
                if (!example.isMissingNode()) {
                    String filled = path.getKey().replaceAll("\\{[^}]+}", name);
                    Answer answer = server.send(verb.getKey().toUpperCase(Locale.ROOT), filled, example.toString());
                    // 404 and 409: understood, but there is no such thing here
                    assertThat(answer.status()).as(filled + " " + answer.body()).isIn(200, 201, 202, 404, 409);
                    tried.add(filled);
                }
            }
        }
        assertThat(tried).hasSizeGreaterThan(7);
    }

    @Test
    void why_asks_for_what_it_needs() {
        for (String thing : List.of("inbox", "inbox/", "inbox/orders", "buffer/a", "lock", "task/a", "run/")) {
            assertThat(server.get("/api/v1/why/" + thing).status()).as(thing).isEqualTo(400);
        }
        server.post("/api/v1/inboxes/" + name + "/messages", "{\"id\":\"a\",\"body\":\"x\"}");
        server.turno().inbox(name).take(server.turno().holder(), 1);

        assertThat(server.get("/api/v1/why/inbox/" + name + "/a").body())
                .contains("attempts so far: 1.")
                .containsPattern("lapses at 20[0-9-]+T");
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
