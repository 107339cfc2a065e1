package dev.turno.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.BufferOptions;
import dev.turno.claim.Result;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.NewMessage;
import dev.turno.lock.Lease;
import dev.turno.lock.LockTerms;
import dev.turno.lock.TakeOutcome;
import dev.turno.task.NewSchedule;
import dev.turno.task.NewTask;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.web.ApiServer.Answer;
import dev.turno.web.dashboard.Failures;
import dev.turno.web.dashboard.History;
import dev.turno.worker.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** What the page asks for beside the features' own endpoints, and the page's files. */
@OnEveryDatabase
@Timeout(120)
class DashboardApiTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final ApiServer server;
    private final Turno turno;
    private final TestDatabase kind;
    private final String name = "look-" + UUID.randomUUID();

    DashboardApiTest(TestDatabase kind) {
        this.kind = kind;
        this.server = ApiServer.on(kind);
        this.turno = server.turno();
    }

    private JsonNode get(String path) {
        Answer answer = server.get("/api/v1/" + path);
        assertThat(answer.status()).as(path + ": " + answer.body()).isEqualTo(200);
        return answer.json();
    }

    private static boolean anyItem(JsonNode answer, String field, String value) {
        return StreamSupport.stream(answer.get("items").spliterator(), false)
                .anyMatch(item -> item.get(field).asString().equals(value));
    }

    private static long sum(JsonNode history, String field) {
        return StreamSupport.stream(history.get("points").spliterator(), false)
                .mapToLong(point -> point.get(field).asLong())
                .sum();
    }

    @Test
    void what_was_done_stands_in_the_history_of_all_ranges_and_of_its_inbox() {
        turno.handle(name, (message, turn) -> {
            Thread.sleep(6);
            return message.id().equals("bad") ? Result.reject("no") : Result.done();
        });
        for (int i = 0; i < 20; i++) {
            turno.inbox(name).put(NewMessage.of("good-" + i, "{}"));
        }
        turno.inbox(name).put(NewMessage.of("bad", "{}"));

        // It is written every five seconds, row by row, and the last message may be in the next part.
        await().atMost(SOON).untilAsserted(() -> {
            JsonNode own = get("history?range=hour&who=inbox%20" + name);
            assertThat(sum(own, "done")).isEqualTo(20);
            assertThat(sum(own, "dead")).isEqualTo(1);
            assertThat(sum(own, "spentMs")).isBetween(21 * 5L, 60_000L);
            assertThat(get("history?range=hour").get("points"))
                    .as("percentiles of the minutes in which something was done")
                    .anyMatch(point -> point.get("p50Ms").asLong() >= 5
                            && point.get("p50Ms").asLong() <= point.get("p99Ms").asLong());
        });

        for (String range : new String[] {"live", "hour", "day", "week"}) {
            assertThat(sum(get("history?range=" + range), "done")).as(range).isGreaterThanOrEqualTo(20);
        }
        assertThat(get("history/sparks").get("inbox " + name).get(29).asLong()
                        + get("history/sparks").get("inbox " + name).get(28).asLong())
                .isEqualTo(20);
        assertThat(server.get("/api/v1/history?range=century").status()).isEqualTo(400);
        await("a dead letter needs attention").atMost(SOON).until(() -> anyItem(get("attention"), "name", name));
    }

    @Test
    void what_is_done_and_fails_is_written_down_again_after_a_stop_and_a_start() {
        for (SmartLifecycle writer : List.<SmartLifecycle>of(server.bean(History.class), server.bean(Failures.class))) {
            writer.stop();
            assertThat(writer.isRunning()).isFalse();

            writer.start();

            assertThat(writer.isRunning()).isTrue();
        }
        turno.handle(name, (message, turn) -> Result.reject("no oven"));
        turno.inbox(name).put(NewMessage.of("cold", "{}"));
        await().atMost(SOON).untilAsserted(() -> {
            assertThat(get("story/inbox/" + name + "/cold").get("failures")).hasSize(1);
            assertThat(sum(get("history?range=hour&who=inbox%20" + name), "dead"))
                    .isEqualTo(1);
        });
    }

    @Test
    void the_oldest_that_waits_is_found_in_whatever_class_it_is() {
        turno.inbox(name).put(NewMessage.of("low", "{}").withPriority(0));
        turno.inbox(name).put(NewMessage.of("high", "{}").withPriority(9));
        turno.inbox(name).put(NewMessage.of("later", "{}").at(Instant.now().plusSeconds(3_600)));
        Instant low = turno.inbox(name).find("low").orElseThrow().turnAt().orElseThrow();

        JsonNode found = StreamSupport.stream(get("oldest").get("items").spliterator(), false)
                .filter(item -> item.get("inbox").asString().equals(name))
                .findFirst()
                .orElseThrow();

        assertThat(Instant.parse(found.get("turnAt").asString())).isEqualTo(low);
    }

    @Test
    void what_waits_in_a_buffer_is_shown_by_key_with_its_messages() {
        turno.buffers(name, slow()).add("+52 1", BufferMessage.of("hola"));
        turno.buffers(name).add("+52 1", BufferMessage.of("una mesa"));
        turno.buffers(name).add("other", BufferMessage.of("x"));

        JsonNode keys = get("buffer-keys/" + name + "?q=%2B52").get("items");
        JsonNode messages = get("buffer-keys/" + name + "/%2B52%201").get("items");

        assertThat(keys.size()).isEqualTo(1);
        assertThat(keys.get(0).get("waiting").asInt()).isEqualTo(2);
        assertThat(Instant.parse(keys.get(0).get("flushAt").asString())).isAfter(Instant.now());
        assertThat(Instant.parse(keys.get(0).get("atTheLatest").asString()))
                .isAfter(Instant.parse(keys.get(0).get("flushAt").asString()));
        assertThat(messages.get(0).get("body").asString()).isEqualTo("hola");
        assertThat(messages.get(1).get("body").asString()).isEqualTo("una mesa");
    }

    @Test
    void what_comes_within_the_hour_is_counted_by_minute() {
        Instant soon = Instant.now().plus(Duration.ofMinutes(40));
        for (int i = 0; i < 3; i++) {
            turno.tasks().schedule(NewTask.at(name, "{}", soon));
        }
        turno.tasks().schedule(NewTask.at(name, "{}", Instant.now().plus(Duration.ofHours(2))));

        JsonNode peak = StreamSupport.stream(get("task-peaks").get("items").spliterator(), false)
                .filter(item -> item.get("type").asString().equals(name))
                .findFirst()
                .orElseThrow();

        assertThat(peak.get("count").asInt()).isEqualTo(3);
        assertThat(Instant.parse(peak.get("minute").asString()))
                .isEqualTo(soon.truncatedTo(java.time.temporal.ChronoUnit.MINUTES));
    }

    @Test
    void the_last_runs_of_a_schedule_are_shown() {
        turno.handleTasks(name, (task, turn) -> Result.done());
        turno.tasks().crons().define(NewSchedule.of(name, "0 3 * * *", "UTC", name, "{}"));
        var unused = turno.tasks().crons().runNow(name);

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                get("schedule-runs/" + name).get("items").size())
                        .isEqualTo(1));

        assertThat(get("schedule-runs/" + name).get("items").get(0).get("state").asString())
                .isEqualTo("DONE");
        turno.endTasks(name);
    }

    @Test
    void a_thing_is_found_by_its_id_in_whatever_feature_it_is() {
        turno.inbox(name).put(NewMessage.of("id-" + name, "{}"));
        turno.buffers("b-" + name).add("id-" + name, BufferMessage.of("x"));
        long task = turno.tasks()
                .schedule(NewTask.in(name, "{}", Duration.ofHours(3)))
                .id();

        assertThat(anyItem(get("find?q=id-" + name), "kind", "inbox")).isTrue();
        assertThat(anyItem(get("find?q=id-" + name), "kind", "buffer")).isTrue();
        assertThat(anyItem(get("find?q=" + task), "kind", "task")).isTrue();
        assertThat(get("find?q=nothing-has-this-id").get("items").size()).isZero();
        assertThat(server.get("/api/v1/find?q=" + "x".repeat(300)).status()).isEqualTo(400);
    }

    @Test
    void the_page_and_its_files_are_open_to_all_and_its_files_are_kept_for_good() {
        Answer page = server.send("GET", "/turno/", "", "");
        Matcher script = Pattern.compile("src=\"(assets/[0-9a-f]{12}/)app.js\"").matcher(page.body());

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Security-Policy"))
                .contains("default-src 'self'")
                .doesNotContain("unsafe");
        assertThat(page.body())
                .doesNotContain("{assets}")
                .doesNotContain("{parts}")
                .doesNotContain("=\"/");
        assertThat(script.find()).isTrue();
        for (String file : new String[] {
            "app.js",
            "views/inboxes.js",
            "style.css",
            "turno.svg",
            "vendor/preact/preact.module.js",
            "vendor/chart/chart.umd.js"
        }) {
            Answer asset = server.send("GET", "/turno/" + script.group(1) + file, "", "");
            assertThat(asset.status()).as(file).isEqualTo(200);
            assertThat(asset.header("Cache-Control")).as(file).contains("immutable");
        }
        assertThat(server.send("GET", "/turno", "", "").header("Location")).isEqualTo("turno/");
        assertThat(server.send("GET", "/turno/assets/000000000000/app.js", "", "")
                        .status())
                .isEqualTo(404);
        assertThat(server.send("GET", "/turno/" + script.group(1) + "../../../web.sql", "", "")
                        .status())
                .isNotEqualTo(200);
    }

    @Tag("security")
    @Test
    void bodies_are_hidden_or_redacted_by_field_and_numbers_in_them_stay_exact() {
        String body = "{\"body\":{\"name\":\"Ana\",\"deep\":[{\"secret\":1}],\"n\":12345678901234567890.10}}";
        try (ApiServer redacting = ApiServer.start(TestDatabase.H2, "--turno.dashboard.redact=secret,name");
                ApiServer hiding = ApiServer.start(TestDatabase.H2, "--turno.dashboard.hide-bodies=true")) {
            redacting.post("/api/v1/inboxes/orders/messages", body.replaceFirst("\\{", "{\"id\":\"a\","));
            hiding.post("/api/v1/inboxes/orders/messages", body.replaceFirst("\\{", "{\"id\":\"a\","));

            String redacted = redacting.get("/api/v1/inboxes/orders/messages/a").body();

            assertThat(redacted)
                    .contains("•••")
                    .contains("12345678901234567890.10")
                    .doesNotContain("Ana");
            assertThat(redacting
                            .turno()
                            .inbox("orders")
                            .find("a")
                            .orElseThrow()
                            .body()
                            .orElseThrow())
                    .contains("Ana");
            assertThat(hiding.get("/api/v1/inboxes/orders/messages/a")
                            .json()
                            .get("body")
                            .isNull())
                    .isTrue();
        }
    }

    @Test
    void the_story_of_a_message_has_every_attempt_that_failed_and_its_trace() {
        InboxOptions twice = InboxOptions.of(
                o -> o.maxAttempts(2).backoff(Backoff.exponential(Duration.ofMillis(10), Duration.ofMillis(10))));
        turno.handle(turno.inbox(name, twice), (message, turn) -> {
            throw new IllegalStateException("no oven in attempt " + turn.attempt());
        });
        turno.inbox(name)
                .put(NewMessage.of("cold", "{}")
                        .withTrace("traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));

        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(get("story/inbox/" + name + "/cold").get("failures"))
                                .hasSize(2));

        JsonNode story = get("story/inbox/" + name + "/cold");
        assertThat(story.get("trace").asString()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(story.get("failures").get(0).get("attempt").asInt()).isEqualTo(2);
        assertThat(story.get("failures").get(1).get("error").asString())
                .contains("no oven in attempt 1")
                .contains("DashboardApiTest");
        assertThat(server.get("/api/v1/story/inbox/" + name + "/nobody").status())
                .isEqualTo(404);
    }

    @Test
    void a_bulk_action_is_a_run_that_goes_through_all_that_match() {
        for (int i = 0; i < 230; i++) {
            turno.inbox(name).put(NewMessage.of("late-" + i, "{}").after(Duration.ofHours(1)));
        }
        turno.inbox(name).put(NewMessage.of("other", "{}"));
        String path = "/api/v1/inboxes/" + name + "/bulk";
        assertThat(get("inboxes/" + name + "/bulk?state=PENDING&q=late")
                        .get("count")
                        .asInt())
                .isEqualTo(230);

        Answer begun = server.post(path, "{\"act\":\"CANCEL\",\"state\":\"PENDING\",\"q\":\"late\"}");

        assertThat(begun.status()).as(begun.body()).isEqualTo(201);
        String run = "runs/" + begun.json().get("id").asLong();
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(get(run).get("state").asString()).isEqualTo("DONE"));
        assertThat(get(run).get("progress").get("completed").asInt()).isEqualTo(230);
        assertThat(get(run).get("progress").get("total").asInt()).isEqualTo(230);
        assertThat(turno.inbox(name).counts().cancelled()).isEqualTo(230);
        assertThat(turno.inbox(name).counts().pending()).isEqualTo(1);
        assertThat(server.get("/api/v1/audit").body()).contains("CANCEL 230 PENDING with 'late'");
        assertThat(server.post(path, "{\"state\":\"PENDING\"}").status()).isEqualTo(400);
        Answer pointless = server.post(path, "{\"act\":\"REVIVE\",\"state\":\"DONE\"}");
        assertThat(pointless.status()).isEqualTo(400);
        assertThat(pointless.body()).contains("REVIVE acts on messages in [DEAD]");
    }

    @Test
    void names_with_slashes_and_a_key_called_dead_are_found() {
        turno.inbox(name + "/of/mine").put("m", "{}");
        turno.buffers(name).add("dead", "hello");

        assertThat(get("why/inbox/" + name + "%2Fof%2Fmine/m").get("id").asString())
                .isEqualTo(name + "/of/mine/m");
        assertThat(get("buffers/" + name + "/keys/dead").get("waiting").asInt()).isEqualTo(1);
        assertThat(get("buffers/" + name + "/dead").get("items")).isEmpty();
    }

    @Test
    void a_thing_is_found_by_a_part_of_its_id_or_error() {
        turno.handle(name, (message, turn) -> Result.reject("no flour for " + name));
        turno.inbox(name).put(NewMessage.of("hungry", "{}"));
        await().atMost(SOON).until(() -> turno.inbox(name).counts().dead() == 1);
        turno.buffers("b-" + name, slow()).add("key-of-" + name, BufferMessage.of("x"));

        // It looks for a tenth of a second; a loaded machine may have to be asked again.
        await().atMost(SOON).untilAsserted(() -> {
            JsonNode found = get("find?q=" + name.substring(5));

            assertThat(anyItem(found, "id", "hungry")).as(found.toString()).isTrue();
            assertThat(anyItem(found, "id", "key-of-" + name))
                    .as(found.toString())
                    .isTrue();
            assertThat(found.get("items").get(0).get("error").asString()).isEqualTo("no flour for " + name);
        });
    }

    private static BufferOptions slow() {
        return BufferOptions.of(o -> o.quiet(Duration.ofMinutes(5)).maxWait(Duration.ofMinutes(9)));
    }

    @Test
    void a_lost_holder_a_late_schedule_and_a_lock_held_for_long_need_attention_and_who_ended_by_itself_does_not() {
        Turno.start(server.dataSource(), TurnoOptions.defaults().withNode("ended-" + name))
                .close();
        var guest = turno.registerGuest(name, Duration.ofMillis(100));
        var unused = turno.tasks().crons().define(NewSchedule.of(name, "0 3 * * *", "UTC", name, "{}"));
        var taken = turno.locks().tryTake(name, LockTerms.of(terms -> terms.lease(Duration.ofMinutes(10))));
        JdbcClient jdbc = JdbcClient.create(server.dataSource());
        jdbc.sql("update turno_lock set taken_at = ? where name = ?")
                .params(hoursAgo(2), name)
                .update();

        // The planners catch up within a second, so the schedule is made late until it is seen to be.
        await().atMost(SOON).until(() -> {
            jdbc.sql("update turno_schedule set next_at = ? where schedule = ?")
                    .params(hoursAgo(2), name)
                    .update();
            return needsAttention("late");
        });

        assertThat(taken).isInstanceOf(TakeOutcome.Taken.class);
        assertThat(guest).isNotNull();
        assertThat(needsAttention("long")).isTrue();
        await().atMost(SOON).until(() -> needsAttention("lost"));
        assertThat(anyItem(get("holders"), "node", "ended-" + name)).isTrue();
        assertThat(anyItem(get("attention"), "name", "ended-" + name)).isFalse();
    }

    @Test
    void locks_that_are_not_looked_at_are_told() {
        LockTerms terms = LockTerms.of(t -> t.lease(Duration.ofMinutes(10)).renewing(false));
        List<Lease> taken = IntStream.rangeClosed(0, 200)
                .mapToObj(i -> turno.locks().tryTake(name + "-" + i, terms))
                .map(outcome -> ((TakeOutcome.Taken<Lease>) outcome).lease())
                .toList();

        await().atMost(SOON).until(this::tellsOfUnseenLocks);
        taken.forEach(Lease::close);

        await().atMost(SOON).until(() -> !tellsOfUnseenLocks());
    }

    private boolean tellsOfUnseenLocks() {
        return StreamSupport.stream(get("attention").get("items").spliterator(), false)
                .anyMatch(item -> item.get("kind").asString().equals("unseen")
                        && item.get("of").asString().equals("lock")
                        && item.get("count").asInt() == 200);
    }

    private boolean needsAttention(String kind) {
        return StreamSupport.stream(get("attention").get("items").spliterator(), false)
                .anyMatch(item -> item.get("kind").asString().equals(kind)
                        && item.get("name").asString().equals(name));
    }

    /** As the driver of each database takes it. */
    private Object hoursAgo(int hours) {
        OffsetDateTime then = OffsetDateTime.now(ZoneOffset.UTC).minusHours(hours);
        return kind == TestDatabase.MARIADB ? then.toLocalDateTime() : then;
    }
}
